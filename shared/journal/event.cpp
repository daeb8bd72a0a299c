// SPDX-License-Identifier: Apache-2.0
#include "journal/event.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>

namespace firstwatch::journal {
namespace {

constexpr QLatin1String schema("firstwatch/v1");

// In the order of the enum.
constexpr std::array kindNames{
    QLatin1String("process.start"),
    QLatin1String("process.stop"),
    QLatin1String("watch.armed"),
    QLatin1String("watch.proven"),
    QLatin1String("watch.lost"),
    QLatin1String("watch.polling"),
    QLatin1String("watch.witness"),
    QLatin1String("pass.begin"),
    QLatin1String("pass.end"),
    QLatin1String("file.change"),
    QLatin1String("file.state"),
    QLatin1String("file.unreadable"),
    QLatin1String("patch.applied"),
    QLatin1String("patch.failed"),
    QLatin1String("patch.undone"),
    QLatin1String("overflow"),
    QLatin1String("token.rotated"),
    QLatin1String("kubeconfig.written"),
    QLatin1String("binary.installed"),
    QLatin1String("lock.waiting"),
    QLatin1String("lock.taken"),
    QLatin1String("cleanup.step"),
    QLatin1String("finding.open"),
    QLatin1String("finding.close"),
    QLatin1String("note"),
};
static_assert(kindNames.size() == size_t(Kind::Unknown));

constexpr std::array headNames{
    QLatin1String("schema"),
    QLatin1String("seq"),
    QLatin1String("boot"),
    QLatin1String("t_ns"),
    QLatin1String("wall"),
    QLatin1String("kind"),
};

QJsonObject withoutHead(QJsonObject fields)
{
    for (const QLatin1String name : headNames)
        fields.remove(name);
    return fields;
}

QByteArray quoted(const QString &text)
{
    // The names above and a boot's digits need no document made for them.
    const auto isPlain = [](QChar c) { return c >= u' ' && c <= u'~' && c != u'"' && c != u'\\'; };
    if (std::all_of(text.cbegin(), text.cend(), isPlain))
        return '"' + text.toLatin1() + '"';
    return QJsonDocument(QJsonArray{ text }).toJson(QJsonDocument::Compact).chopped(1).sliced(1);
}

QString kindText(const Event &event)
{
    return event.kind == Kind::Unknown ? event.unknownKind : QString(kindName(event.kind));
}

// Exactly what wallText() makes, nothing else.
std::optional<qint64> wallFromText(const QString &text)
{
    const QDateTime seconds = QDateTime::fromString(text.left(19) + QLatin1Char('Z'), Qt::ISODate);
    const qint64 wallUs = seconds.toSecsSinceEpoch() * 1'000'000 + text.mid(20, 6).toInt();
    if (!seconds.isValid() || QString::fromLatin1(wallText(wallUs)) != text)
        return {};
    return wallUs;
}

// Sets what the head says; false when a part is missing or of another type.
bool readHead(const QJsonObject &line, Event &event)
{
    const qint64 seq = line[QLatin1String("seq")].toInteger(-1);
    event.tNs = line[QLatin1String("t_ns")].toInteger(-1);
    const QJsonValue boot = line[QLatin1String("boot")];
    const QString kind = line[QLatin1String("kind")].toString();
    const std::optional<qint64> wall = wallFromText(line[QLatin1String("wall")].toString());
    if (line[QLatin1String("schema")] != schema || seq < 0 || event.tNs < 0 || !boot.isString() || kind.isEmpty()
        || !wall)
        return false;
    event.seq = quint64(seq);
    event.boot = boot.toString().toUtf8();
    event.wallUs = *wall;
    event.kind = kindFromName(kind).value_or(Kind::Unknown);
    if (event.kind == Kind::Unknown)
        event.unknownKind = kind;
    return true;
}

} // namespace

QLatin1String kindName(Kind kind)
{
    return kind == Kind::Unknown ? QLatin1String() : kindNames.at(size_t(kind));
}

std::optional<Kind> kindFromName(QAnyStringView name)
{
    const auto found = std::find(kindNames.cbegin(), kindNames.cend(), name);
    if (found == kindNames.cend())
        return {};
    return Kind(found - kindNames.cbegin());
}

QByteArray toLine(const Event &event)
{
    // The head is written by hand, since QJsonDocument would sort it in among the fields: a person reads it first.
    QByteArray line = QByteArrayLiteral("{\"schema\":\"firstwatch/v1\",\"seq\":") + QByteArray::number(event.seq)
        + ",\"boot\":" + quoted(QString::fromUtf8(event.boot)) + ",\"t_ns\":" + QByteArray::number(event.tNs)
        + ",\"wall\":\"" + wallText(event.wallUs) + "\",\"kind\":" + quoted(kindText(event));
    const QByteArray fields = QJsonDocument(withoutHead(event.fields)).toJson(QJsonDocument::Compact);
    if (fields.size() > 2)
        line += ',';
    return line + fields.sliced(1) + '\n';
}

std::optional<Event> fromLine(const QByteArray &line)
{
    const QJsonDocument document = QJsonDocument::fromJson(line);
    Event event;
    if (!document.isObject() || !readHead(document.object(), event))
        return {};
    event.fields = withoutHead(document.object());
    return event;
}

QByteArray wallText(qint64 wallUs)
{
    using namespace std::chrono;
    const sys_time<microseconds> time{ microseconds(wallUs) };
    const auto midnight = floor<days>(time);
    const year_month_day date(midnight);
    const hh_mm_ss clock(time - midnight);
    char text[64];
    const int size = std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d.%06dZ", int(date.year()),
        unsigned(date.month()), unsigned(date.day()), int(clock.hours().count()), int(clock.minutes().count()),
        int(clock.seconds().count()), int(clock.subseconds().count()));
    return QByteArray(text, size);
}

qint64 wallNowUs()
{
    using namespace std::chrono;
    return duration_cast<microseconds>(system_clock::now().time_since_epoch()).count();
}

} // namespace firstwatch::journal
