// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/picture.h"

#include <QJsonArray>

#include <array>

namespace firstwatch::ui {
namespace {

// In the order of the enums.
constexpr std::array markNames{ QLatin1String("start"), QLatin1String("stop"), QLatin1String("armed"),
    QLatin1String("proven"), QLatin1String("lost"), QLatin1String("change_by_event"), QLatin1String("change_by_pass"),
    QLatin1String("change_unseen"), QLatin1String("change_outside"), QLatin1String("patched"), QLatin1String("undone"),
    QLatin1String("failed"), QLatin1String("unreadable"), QLatin1String("written"), QLatin1String("rotated"),
    QLatin1String("overflow"), QLatin1String("gap") };
static_assert(markNames.size() == size_t(Mark::Kind::Gap) + 1);
constexpr std::array barNames{ QLatin1String("running"), QLatin1String("unwatched"), QLatin1String("armed"),
    QLatin1String("watched"), QLatin1String("polled"), QLatin1String("pass"), QLatin1String("drift") };
static_assert(barNames.size() == size_t(Bar::Kind::Drift) + 1);
constexpr std::array verdictNames{ QLatin1String("proven"), QLatin1String("not_proven"), QLatin1String("no_pass"),
    QLatin1String("no_watch") };

QJsonObject laneJson(const Lane &lane)
{
    QJsonArray bars;
    for (const Bar &bar : lane.bars)
        bars.append(QJsonObject{ { QStringLiteral("kind"), barName(bar.kind) },
            { QStringLiteral("from_ns"), bar.fromNs }, { QStringLiteral("to_ns"), bar.toNs },
            { QStringLiteral("open"), bar.isOpen }, { QStringLiteral("text"), bar.text } });
    QJsonArray marks;
    for (const Mark &mark : lane.marks)
        marks.append(
            QJsonObject{ { QStringLiteral("kind"), markName(mark.kind) }, { QStringLiteral("at_ns"), mark.atNs },
                { QStringLiteral("seq"), qint64(mark.seq) }, { QStringLiteral("text"), mark.text } });
    return { { QStringLiteral("name"), lane.name }, { QStringLiteral("bars"), bars },
        { QStringLiteral("marks"), marks }, { QStringLiteral("facts"), QJsonArray::fromStringList(lane.facts) } };
}

QJsonObject bandJson(const BlindBand &band)
{
    return { { QStringLiteral("from_ns"), band.fromNs }, { QStringLiteral("to_ns"), band.toNs },
        { QStringLiteral("proven"), band.isProven }, { QStringLiteral("changes"), band.changes },
        { QStringLiteral("never_seen"), band.neverSeen },
        { QStringLiteral("exposed_from_ns"), band.exposedFromNs ? QJsonValue(*band.exposedFromNs) : QJsonValue() },
        { QStringLiteral("fact"), band.fact } };
}

} // namespace

QLatin1String markName(Mark::Kind kind)
{
    return markNames.at(size_t(kind));
}

QLatin1String barName(Bar::Kind kind)
{
    return barNames.at(size_t(kind));
}

QJsonObject timelineJson(const Timeline &timeline)
{
    QJsonArray blind;
    for (const BlindBand &band : timeline.blind)
        blind.append(bandJson(band));
    QJsonArray lanes;
    for (const Lane &lane : timeline.lanes)
        lanes.append(laneJson(lane));
    return { { QStringLiteral("node"), timeline.node }, { QStringLiteral("boot"), QString::fromUtf8(timeline.boot) },
        { QStringLiteral("started"), QString::fromLatin1(journal::wallText(timeline.startedUs)) },
        { QStringLiteral("end_ns"), timeline.endNs },
        { QStringLiteral("verdict"), verdictNames.at(size_t(timeline.verdict)) },
        { QStringLiteral("ready_margin_ns"), timeline.marginNs ? QJsonValue(*timeline.marginNs) : QJsonValue() },
        { QStringLiteral("sentence"), timeline.sentence }, { QStringLiteral("blind"), blind },
        { QStringLiteral("lanes"), lanes } };
}

} // namespace firstwatch::ui
