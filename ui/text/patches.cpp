// SPDX-License-Identifier: Apache-2.0
#include "ui/text/patches.h"

#include "ui/text/diff.h"
#include "ui/text/table.h"
#include "ui/text/units.h"

#include <QMap>

#include <algorithm>
#include <cstring>

namespace firstwatch::ui {

using journal::Event;
using journal::Kind;

namespace {

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

// "# 413  2026-11-30 18:49:06Z  10-calico.conflist  first patch, found by an event", which patch(1) passes over.
QString headline(const Look &look, const PatchRecord &record)
{
    const QString text =
        QStringLiteral("# %1  %2  %3  %4")
            .arg(QString::number(record.event.seq), momentText(record.event.wallUs), record.file, record.why);
    return painted(look, Role::Strong, shown(look, text)) + u'\n';
}

QString sideText(const Look &look, const QString &diff)
{
    return diff.isEmpty() ? shown(look, QStringLiteral("# (only what is not shown has changed: a secret)")) + u'\n'
                          : diffText(look, diff);
}

QString diffsOf(const Look &look, const stream::Diff &diff, DiffSides sides)
{
    QString text;
    if (sides.theirs && diff.knowsTheirs)
        text +=
            shown(look, QStringLiteral("# by others, since the patch before:")) + u'\n' + sideText(look, diff.theirs);
    else if (sides.theirs)
        text += QStringLiteral("# (what it was before is not known: Firstwatch had not written it in this run)\n");
    if (sides.ours)
        text += (sides.theirs ? QStringLiteral("# by Firstwatch:\n") : QString()) + sideText(look, diff.ours);
    return diff.isTruncated ? text + QStringLiteral("# (cut: it is too long)\n") : text;
}

QJsonValue diffJson(const stream::Diff *diff)
{
    if (diff == nullptr)
        return {};
    return QJsonObject{ { QStringLiteral("ours"), diff->ours },
        { QStringLiteral("theirs"), diff->knowsTheirs ? QJsonValue(diff->theirs) : QJsonValue() },
        { QStringLiteral("truncated"), diff->isTruncated } };
}

QJsonObject patchJson(const PatchRecord &each)
{
    return { { QStringLiteral("seq"), qint64(each.event.seq) },
        { QStringLiteral("boot"), QString::fromUtf8(each.event.boot) },
        { QStringLiteral("wall"), QString::fromLatin1(journal::wallText(each.event.wallUs)) },
        { QStringLiteral("kind"), journal::kindName(each.event.kind) }, { QStringLiteral("file"), each.file },
        { QStringLiteral("why"), each.why }, { QStringLiteral("sha_before"), each.before },
        { QStringLiteral("sha_after"), each.after },
        { QStringLiteral("took_us"), each.tookUs ? QJsonValue(*each.tookUs) : QJsonValue() } };
}

QString digest(const QString &whole, bool isWide)
{
    return isWide && !whole.isEmpty() ? whole : digestText(whole);
}

} // namespace

QString digestText(const QString &whole)
{
    constexpr qsizetype shortDigest = 8;
    return whole.isEmpty() ? QStringLiteral("-") : whole.left(shortDigest);
}

QList<PatchRecord> patchRecords(const QList<Event> &events, const EventFilter &filter)
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
    records.removeIf([&](const PatchRecord &each) { return !filter.takes(each.event); });
    return filter.last < 0 ? records : records.last(std::min(filter.last, records.size()));
}

const stream::Diff *diffOf(const PatchRecord &record, const QList<stream::Diff> &diffs)
{
    const auto found = std::find_if(diffs.begin(), diffs.end(),
        [&](const stream::Diff &diff) { return diff.seq == record.event.seq && diff.boot == record.event.boot; });
    return found == diffs.end() ? nullptr : &*found;
}

QList<quint64> patchSeqs(const QList<Event> &events, const EventFilter &filter)
{
    QList<quint64> seqs;
    for (const PatchRecord &each : patchRecords(events, filter)) {
        if (each.event.kind == Kind::PatchApplied)
            seqs.append(each.event.seq);
    }
    return seqs;
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
        array.append(patchJson(each));
    return array;
}

QString patchDiffs(
    const Look &look, const QList<PatchRecord> &records, const QList<stream::Diff> &diffs, DiffSides sides)
{
    QStringList all;
    for (const PatchRecord &each : records) {
        const stream::Diff *const diff = diffOf(each, diffs);
        all += headline(look, each)
            + (diff == nullptr ? QStringLiteral("# (what it changed is not known)\n") : diffsOf(look, *diff, sides));
    }
    return all.join(u'\n');
}

QJsonArray patchDiffArray(const QList<PatchRecord> &records, const QList<stream::Diff> &diffs)
{
    QJsonArray array;
    for (const PatchRecord &each : records) {
        QJsonObject json = patchJson(each);
        json.insert(QStringLiteral("diff"), diffJson(diffOf(each, diffs)));
        array.append(json);
    }
    return array;
}

} // namespace firstwatch::ui
