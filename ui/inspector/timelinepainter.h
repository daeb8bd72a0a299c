// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/geometry.h"

#include <QPainter>
#include <QPalette>

namespace firstwatch::ui {

// Draws a timeline at the places of its geometry, in the colours of a palette; the painter's origin is that of the
// geometry. Colour never says anything alone: every kind of mark and bar has a form of its own.
class TimelinePainter {
public:
    TimelinePainter(const Timeline &timeline, const TimelineGeometry &geometry, const QPalette &palette);

    void draw(QPainter &painter) const;
    // A ring around the spot of this event, and of a patch a line from the change that it answers, with what it took.
    void drawSelected(QPainter &painter, quint64 seq) const;
    // Names of the lanes, right-aligned in a column of this width.
    void drawNames(QPainter &painter, double width) const;

private:
    void drawStripes(QPainter &painter) const;
    void drawBlind(QPainter &painter) const;
    void drawAxis(QPainter &painter) const;
    void drawLabels(QPainter &painter, const QList<std::pair<double, QString>> &labels) const;
    void drawBars(QPainter &painter) const;
    void drawSpots(QPainter &painter) const;
    void drawBadge(QPainter &painter, const TimelineGeometry::Spot &spot) const;
    void drawLatency(QPainter &painter, const TimelineGeometry::Spot &patch, quint64 seq) const;
    [[nodiscard]] const Mark &mark(const TimelineGeometry::Place &place) const;

    const Timeline &m_timeline;
    const TimelineGeometry &m_geometry;
    const QPalette m_palette;
};

} // namespace firstwatch::ui
