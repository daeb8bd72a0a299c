// SPDX-License-Identifier: Apache-2.0
#include "ui/text/patches.h"

#include "ui/text/table.h"
#include "ui/text/units.h"

#include <QMap>

#include <cstring>

namespace firstwatch::ui {

using journal::Event;
using journal::Kind;

namespace {

constexpr qsizetype shortDigest = 8;

QString textOf(const Event &event, QLatin1String name)
{
    return event.fields[name].toString();
}

QString failure(const Event &event)
{
    const int error = event.fields[QLatin1String("errno")].toInt();
    const QString word =
        error == 0 ? QString() : QStringLiteral(" (%1)").arg(QString::fromLocal8Bit(std::strerror(error)));
    return QStringLiteral("failed at ") + textOf(event, QLatin1String("step")) + word;
}

// `foundBy`: how the last change of the file was found.
QString whyOf(const Event &event, const QString &foundBy)
{
    if (event.kind == Kind::PatchUndone)
        return QStringLiteral("taken out at the exit");
    if (event.kind == Kind::PatchFailed)
        return failure(event);
    QString why = event.fields[QLatin1String("repatch")].toBool() ? QStringLiteral("rewritten by another")
                                                                  : QStringLiteral("first patch");
    if (!foundBy.isEmpty())
        why += QStringLiteral(", found by ") + foundBy;
    if (event.fields[QLatin1String("recovered")].toBool())
        why += QStringLiteral(", newer content kept");
    return why;
}

QString finderOf(const Event &change, const QString &pass)
{
    const QString via = textOf(change, QLatin1String("via"));
    if (via == QLatin1String("event"))
        return QStringLiteral("an event");
    return via == QLatin1String("pass") && !pass.isEmpty() ? QStringLiteral("the %1 pass").arg(pass) : via;
}

PatchRecord record(const Event &event, const QString &foundBy)
{
    PatchRecord made{ event, textOf(event, QLatin1String("file")), whyOf(event, foundBy),
        textOf(event, QLatin1String("sha_before")), textOf(event, QLatin1String("sha_after")), {} };
    if (const QJsonValue us = event.fields[QLatin1String("us")]; us.isDouble())
        made.tookUs = us.toInteger();
    return made;
}

QString digest(const QString &whole, bool isWide)
{
    return whole.isEmpty() ? QStringLiteral("-") : isWide ? whole : whole.left(shortDigest);
}

} // namespace

QList<PatchRecord> patchRecords(const QList<Event> &events)
{
    QList<PatchRecord> records;
    QMap<QString, QString> foundBy; // file -> how its last change was found
    QString pass;
    for (const Event &event : events) {
        switch (event.kind) {
        case Kind::ProcessStart:
            foundBy.clear();
            break;
        case Kind::PassBegin:
            pass = textOf(event, QLatin1String("reason"));
            break;
        case Kind::FileChange:
            foundBy.insert(textOf(event, QLatin1String("file")), finderOf(event, pass));
            break;
        case Kind::PatchApplied:
        case Kind::PatchFailed:
        case Kind::PatchUndone:
            records.append(record(event, foundBy.value(textOf(event, QLatin1String("file")))));
            break;
        default:
            break;
        }
    }
    return records;
}

QString patchTable(const Look &look, const QList<PatchRecord> &records, bool isWide)
{
    QList<Table::Column> columns{ { QStringLiteral("TIME") }, { QStringLiteral("FILE") }, { QStringLiteral("BEFORE") },
        { QStringLiteral("AFTER") }, { QStringLiteral("TOOK"), Table::Side::Right }, { QStringLiteral("WHY") } };
    if (isWide)
        columns.prepend({ QStringLiteral("BOOT") });
    Table table(look, columns);
    for (const PatchRecord &each : records) {
        QList<Table::Cell> cells{ { momentText(each.event.wallUs), Role::Muted }, { each.file },
            { digest(each.before, isWide) }, { digest(each.after, isWide) },
            { each.tookUs ? spanText(*each.tookUs * 1000) : QStringLiteral("-") },
            { each.why, each.event.kind == Kind::PatchFailed ? Role::Error : Role::Plain } };
        if (isWide)
            cells.prepend({ QString::fromUtf8(each.event.boot.left(8)) });
        table.append(cells);
    }
    return table.text();
}

QJsonArray patchArray(const QList<PatchRecord> &records)
{
    QJsonArray array;
    for (const PatchRecord &each : records)
        array.append(QJsonObject{ { QStringLiteral("seq"), qint64(each.event.seq) },
            { QStringLiteral("boot"), QString::fromUtf8(each.event.boot) },
            { QStringLiteral("wall"), QString::fromLatin1(journal::wallText(each.event.wallUs)) },
            { QStringLiteral("kind"), journal::kindName(each.event.kind) }, { QStringLiteral("file"), each.file },
            { QStringLiteral("why"), each.why }, { QStringLiteral("sha_before"), each.before },
            { QStringLiteral("sha_after"), each.after },
            { QStringLiteral("took_us"), each.tookUs ? QJsonValue(*each.tookUs) : QJsonValue() } });
    return array;
}

} // namespace firstwatch::ui
