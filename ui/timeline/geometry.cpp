// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/geometry.h"

#include <algorithm>
#include <cmath>

namespace firstwatch::ui {
namespace {

constexpr double leastPiece = 40;

// Of the height of a lane.
double thicknessOf(Bar::Kind kind)
{
    switch (kind) {
    case Bar::Kind::Pass:
        return 0.6;
    case Bar::Kind::Watched:
    case Bar::Kind::Polled:
    case Bar::Kind::Drift:
        return 0.25;
    default:
        return 0.07;
    }
}

} // namespace

TimelineGeometry::TimelineGeometry(const Timeline &timeline, const Metrics &metrics)
    : m_metrics(metrics)
    , m_scale(timeline, metrics.width, breakWidth, leastPiece)
    , m_laneCount(timeline.lanes.size())
{
    for (qsizetype i = 0; i < timeline.blind.size(); ++i)
        placeBlind(timeline.blind[i], i);
    for (qsizetype i = 0; i < timeline.lanes.size(); ++i) {
        placeBars(timeline.lanes[i], i);
        placeMarks(timeline.lanes[i], i);
    }
}

QRectF TimelineGeometry::lane(qsizetype index) const
{
    return { 0, m_metrics.axisHeight + double(index) * m_metrics.laneHeight, m_metrics.width, m_metrics.laneHeight };
}

QRectF TimelineGeometry::lanes() const
{
    return { 0, m_metrics.axisHeight, m_metrics.width, double(m_laneCount) * m_metrics.laneHeight };
}

void TimelineGeometry::placeBars(const Lane &lane, qsizetype index)
{
    const double middle = this->lane(index).center().y();
    for (qsizetype i = 0; i < lane.bars.size(); ++i) {
        const Bar &bar = lane.bars[i];
        const double left = m_scale.x(bar.fromNs);
        const double height = std::max(thicknessOf(bar.kind) * m_metrics.laneHeight, 2.0);
        m_bars.append(
            { { index, i }, { left, middle - height / 2, std::max(m_scale.x(bar.toNs) - left, 1.0), height } });
    }
}

void TimelineGeometry::placeMarks(const Lane &lane, qsizetype index)
{
    QList<Place> places;
    for (qsizetype i = 0; i < lane.marks.size(); ++i) {
        if (m_scale.shows(lane.marks[i].atNs))
            places.append({ index, i });
    }
    std::stable_sort(places.begin(), places.end(), [&](const Place &left, const Place &right) {
        return lane.marks[left.index].atNs < lane.marks[right.index].atNs;
    });
    const double middle = this->lane(index).center().y();
    const qsizetype first = m_spots.size();
    for (const Place &place : std::as_const(places)) {
        const double x = m_scale.x(lane.marks[place.index].atNs);
        if (m_spots.size() > first && x - m_spots.last().centre.x() < m_metrics.markSize / 2)
            m_spots.last().marks.append(place);
        else
            m_spots.append({ { place }, { x, middle } });
    }
}

void TimelineGeometry::placeBlind(const BlindBand &band, qsizetype index)
{
    const auto box = [&](qint64 fromNs) {
        QRectF all = lanes();
        all.setLeft(m_scale.x(fromNs));
        all.setRight(std::max(m_scale.x(band.toNs), all.left() + 1));
        return all;
    };
    m_blind.append({ index, box(band.fromNs), band.exposedFromNs ? box(*band.exposedFromNs) : QRectF() });
}

const TimelineGeometry::Spot *TimelineGeometry::spotAt(const QPointF &point) const
{
    const Spot *nearest = nullptr;
    double least = m_metrics.markSize;
    for (const Spot &spot : m_spots) {
        const double away = std::hypot(spot.centre.x() - point.x(), spot.centre.y() - point.y());
        if (away < least) {
            least = away;
            nearest = &spot;
        }
    }
    return nearest;
}

const TimelineGeometry::Spot *TimelineGeometry::spotOf(const Timeline &timeline, quint64 seq) const
{
    for (const Spot &spot : m_spots) {
        if (std::any_of(spot.marks.cbegin(), spot.marks.cend(),
                [&](const Place &place) { return timeline.lanes[place.lane].marks[place.index].seq == seq; }))
            return &spot;
    }
    return nullptr;
}

} // namespace firstwatch::ui
