// SPDX-License-Identifier: Apache-2.0
// The forms of a race for programs and for documents.
#include "ui/race/racetext.h"

#include "journal/shownname.h"
#include "ui/race/raceverdict.h"
#include "ui/text/look.h"
#include "ui/timeline/picture.h"

#include <QJsonArray>
#include <QSizeF>
#include <QXmlStreamReader>

#include <algorithm>
#include <array>

namespace firstwatch::ui {
namespace {

constexpr int textColumns = 120; // of the picture's width
constexpr double lineHeight = 20;

// In the order of the enum.
constexpr std::array heardNames{ QLatin1String("told"), QLatin1String("before_watch"), QLatin1String("queue_full"),
    QLatin1String("other_directory"), QLatin1String("deaf"), QLatin1String("not_listed") };
static_assert(heardNames.size() == size_t(race::Change::Heard::NotListed) + 1);

QJsonValue orNull(const std::optional<qint64> &ns)
{
    return ns ? QJsonValue(*ns) : QJsonValue();
}

QLatin1String fate(const race::Change &change)
{
    if (change.patchedNs)
        return QLatin1String("patched");
    if (change.isOver)
        return QLatin1String("over");
    return change.isAwaited ? QLatin1String("awaited") : QLatin1String("missed");
}

QJsonObject changeJson(const race::Change &change)
{
    return { { QStringLiteral("file"), journal::shownName(change.file) }, { QStringLiteral("at_ns"), change.atNs },
        { QStringLiteral("heard"), heardNames.at(size_t(change.heard)) }, { QStringLiteral("fate"), fate(change) },
        { QStringLiteral("patched_ns"), orNull(change.patchedNs) } };
}

QJsonObject outcomeJson(const race::Outcome &outcome)
{
    QJsonArray changes;
    for (const race::Change &change : outcome.changes)
        changes.append(changeJson(change));
    QJsonArray lost;
    for (const race::LostUpdate &each : outcome.lostUpdates)
        lost.append(QJsonObject{ { QStringLiteral("file"), journal::shownName(each.file) },
            { QStringLiteral("at_ns"), each.atNs }, { QStringLiteral("overwritten_ns"), each.overwrittenNs } });
    QJsonArray putBack;
    for (const QByteArray &name : outcome.putBack)
        putBack.append(journal::shownName(name));
    return { { QStringLiteral("installer"), race::installerName(outcome.installer) },
        { QStringLiteral("good"), isGood(outcome) }, { QStringLiteral("missed"), missedCount(outcome) },
        { QStringLiteral("verdict"), QJsonArray::fromStringList(raceVerdict(outcome)) },
        { QStringLiteral("reservations"), QJsonArray::fromStringList(raceReservations(outcome)) },
        { QStringLiteral("changes"), changes }, { QStringLiteral("lost_updates"), lost },
        { QStringLiteral("put_back"), putBack }, { QStringLiteral("complete"), outcome.isComplete },
        { QStringLiteral("timeline"), timelineJson(timelineOf(outcome.events)) } };
}

// "0 0 WIDTH HEIGHT" of a picture of ours.
QSizeF sizeOf(const QByteArray &svg)
{
    QXmlStreamReader xml(svg);
    xml.readNextStartElement();
    const QStringList box = xml.attributes().value(QLatin1String("viewBox")).toString().split(u' ');
    return { box.value(2).toDouble(), box.value(3).toDouble() };
}

QStringList verdictLines(const race::Outcome &outcome)
{
    const QString sign = isGood(outcome) ? QStringLiteral("✔ ") : QStringLiteral("✘ ");
    QStringList lines;
    for (const QString &sentence : raceVerdict(outcome) + raceReservations(outcome))
        lines += wrapped(sign + journal::shownText(sentence), textColumns);
    return lines;
}

} // namespace

QJsonObject raceJson(const Race &race)
{
    QJsonArray installers;
    for (const race::Outcome &outcome : race.outcomes)
        installers.append(outcomeJson(outcome));
    return { { QStringLiteral("title"), QString::fromUtf8(race.schedule.title) },
        { QStringLiteral("source"), QString::fromUtf8(race.schedule.source) },
        { QStringLiteral("until_ns"), race::endOf(race.schedule) }, { QStringLiteral("installers"), installers } };
}

// Each picture keeps its own size, and is placed below the one before it; only its XML declaration goes.
QByteArray raceSvg(const Race &race)
{
    QByteArray parts;
    double y = 0;
    double width = 0;
    for (const race::Outcome &outcome : race.outcomes) {
        const QByteArray svg = timelineSvg(timelineOf(outcome.events));
        const QSizeF size = sizeOf(svg);
        parts += QByteArrayLiteral("<svg y=\"") + QByteArray::number(y) + "\" width=\""
            + QByteArray::number(size.width()) + "\" height=\"" + QByteArray::number(size.height()) + '"'
            + svg.sliced(svg.indexOf("<svg") + 4);
        y += size.height();
        for (const QString &line : verdictLines(outcome)) {
            y += lineHeight;
            parts +=
                "<text x=\"20\" y=\"" + QByteArray::number(y) + "\">" + line.toHtmlEscaped().toUtf8() + "</text>\n";
        }
        y += lineHeight;
        width = std::max(width, size.width());
    }
    return QByteArrayLiteral("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                             "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" font-size=\"13\" "
                             "font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\" viewBox=\"0 0 ")
        + QByteArray::number(width) + ' ' + QByteArray::number(y)
        + "\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n" + parts + "</svg>\n";
}

} // namespace firstwatch::ui
