// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/scale.h"

#include <QPointF>
#include <QRectF>

namespace firstwatch::ui {

// Where each part of a timeline stands in a picture that is drawn on pixels. Refers to the timeline by index, and is
// good for the one it was made of. All lengths in pixels; 0, 0 is the upper left corner of the chart, without labels.
class TimelineGeometry {
public:
    struct Metrics {
        double width = 800; // of the chart
        double axisHeight = 24;
        double laneHeight = 28;
        double markSize = 12; // marks nearer than half of it are one spot
    };
    struct Place { // of a mark or a bar
        qsizetype lane = 0;
        qsizetype index = 0; // in the lane
        friend bool operator==(const Place &, const Place &) = default;
    };
    struct BarBox {
        Place place;
        QRectF box; // at least a pixel wide
    };
    // One mark, or several that would hide each other, in the order of time.
    struct Spot {
        QList<Place> marks;
        QPointF centre;
    };
    struct BlindBox {
        qsizetype band = 0;
        QRectF box; // the full height of the lanes
        QRectF exposed; // the part in which a pass ran unprotected; null when none did
    };

    static constexpr double breakWidth = 28;

    TimelineGeometry(const Timeline &timeline, const Metrics &metrics);

    [[nodiscard]] const Metrics &metrics() const { return m_metrics; }
    [[nodiscard]] const Scale &scale() const { return m_scale; }
    [[nodiscard]] QRectF lane(qsizetype index) const;
    [[nodiscard]] QRectF lanes() const; // all of them
    [[nodiscard]] const QList<BarBox> &bars() const { return m_bars; }
    [[nodiscard]] const QList<Spot> &spots() const { return m_spots; }
    [[nodiscard]] const QList<BlindBox> &blind() const { return m_blind; }

    // The spot under a point, a mark's size around; null when there is none.
    [[nodiscard]] const Spot *spotAt(const QPointF &point) const;
    // The spot that shows this event; null when it is folded away or has no mark.
    [[nodiscard]] const Spot *spotOf(const Timeline &timeline, quint64 seq) const;

private:
    void placeBars(const Lane &lane, qsizetype index);
    void placeMarks(const Lane &lane, qsizetype index);
    void placeBlind(const BlindBand &band, qsizetype index);

    Metrics m_metrics;
    Scale m_scale;
    qsizetype m_laneCount;
    QList<BarBox> m_bars;
    QList<Spot> m_spots;
    QList<BlindBox> m_blind;
};

} // namespace firstwatch::ui
