// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/geometry.h"

#include <QAbstractScrollArea>

#include <optional>

namespace firstwatch::ui {

// The lanes of a run. The wheel with Ctrl and the keys + - 0 zoom, the arrow keys go from mark to mark, a drag selects
// a range of time, Shift-click sets one of two markers with the time between them, Esc takes the range and the markers
// away.
class TimelineView final : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit TimelineView(QWidget *parent = nullptr);

    // Keeps zoom and selection when it is the same run.
    void setTimeline(const Timeline &timeline);
    [[nodiscard]] const Timeline &timeline() const { return m_timeline; }
    [[nodiscard]] const TimelineGeometry &geometryOfChart() const { return *m_geometry; }
    [[nodiscard]] double zoom() const { return m_zoom; }
    [[nodiscard]] quint64 selected() const { return m_selected; } // seq; 0: none
    [[nodiscard]] QSize sizeHint() const override;
    // Shows only what had happened until then; the scale is that of the whole. Nothing: all.
    void setUntil(std::optional<qint64> untilNs);

    void select(quint64 seq);
    void zoomBy(double factor, double aroundX); // x in the viewport
    void zoomToFit();
    void clearRange(); // and the markers

Q_SIGNALS:
    void selectedChanged(quint64 seq); // by the user
    void rangeSelected(qint64 fromNs, qint64 toNs); // since the run's start
    void rangeCleared();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool viewportEvent(QEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    [[nodiscard]] double namesWidth() const;
    [[nodiscard]] double chartWidth() const; // as wide as the viewport has room for
    [[nodiscard]] QPointF inChart(const QPointF &inViewport) const;
    [[nodiscard]] qint64 timeAt(double chartX) const;
    void layOut();
    void step(int by);
    void setMarker(double chartX);
    void drawRange(QPainter &painter) const;
    void drawMarkers(QPainter &painter) const;
    [[nodiscard]] QString tipOf(const TimelineGeometry::Spot &spot) const;

    Timeline m_timeline;
    std::unique_ptr<TimelineGeometry> m_geometry;
    std::optional<qint64> m_untilNs;
    double m_zoom = 1;
    quint64 m_selected = 0;
    std::optional<double> m_pressX;
    std::optional<std::pair<qint64, qint64>> m_range;
    QList<qint64> m_markers; // two at most
};

} // namespace firstwatch::ui
