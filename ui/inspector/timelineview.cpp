// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/timelineview.h"

#include "ui/inspector/theme.h"
#include "ui/inspector/timelinepainter.h"
#include "ui/text/units.h"
#include "ui/timeline/ascii.h"
#include "ui/timeline/picture.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>

namespace firstwatch::ui {
namespace {

constexpr double zoomStep = 1.25; // of the wheel and the keys
constexpr double mostZoom = 4096;
constexpr int dragDistance = 4;
constexpr int sidePadding = 2 * grid;

} // namespace

TimelineView::TimelineView(QWidget *parent)
    : QAbstractScrollArea(parent)
    , m_geometry(std::make_unique<TimelineGeometry>(Timeline(), TimelineGeometry::Metrics()))
{
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    setMouseTracking(true);
    setAccessibleName(tr("Race timeline"));
    viewport()->setBackgroundRole(QPalette::Base);
    horizontalScrollBar()->setAccessibleName(tr("Time shown"));
    verticalScrollBar()->setAccessibleName(tr("Lanes shown"));
}

void TimelineView::setTimeline(const Timeline &timeline)
{
    if (timeline.boot != m_timeline.boot) {
        m_zoom = 1;
        m_selected = 0;
        m_range.reset();
        m_markers.clear();
    }
    m_timeline = timeline;
    // What a screen reader says: the same lanes in characters.
    setAccessibleDescription(timelineText(Look{ false, true, 0 }, m_timeline));
    layOut();
}

void TimelineView::setUntil(std::optional<qint64> untilNs)
{
    m_untilNs = untilNs;
    viewport()->update();
}

double TimelineView::namesWidth() const
{
    double width = 0;
    for (const Lane &lane : m_timeline.lanes)
        width = std::max(width, fontMetrics().horizontalAdvance(lane.name) + 4.0 * grid);
    return std::min(width, viewport()->width() / 4.0);
}

double TimelineView::chartWidth() const
{
    return std::max(viewport()->width() - namesWidth() - 2 * sidePadding, 100.0);
}

void TimelineView::layOut()
{
    TimelineGeometry::Metrics metrics;
    const int line = fontMetrics().height();
    metrics.width = chartWidth() * m_zoom;
    metrics.axisHeight = line + 3.0 * grid;
    metrics.laneHeight = line + 3.0 * grid;
    metrics.markSize = line * 0.7;
    m_geometry = std::make_unique<TimelineGeometry>(m_timeline, metrics);
    horizontalScrollBar()->setPageStep(int(chartWidth()));
    horizontalScrollBar()->setRange(0, std::max(int(metrics.width - chartWidth()), 0));
    const int height = int(m_geometry->lanes().bottom()) + grid;
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setRange(0, std::max(height - viewport()->height(), 0));
    updateGeometry();
    viewport()->update();
}

QSize TimelineView::sizeHint() const
{
    return { 800, int(m_geometry->lanes().bottom()) + 3 * grid };
}

QPointF TimelineView::inChart(const QPointF &inViewport) const
{
    return { inViewport.x() - namesWidth() - sidePadding + horizontalScrollBar()->value(),
        inViewport.y() + verticalScrollBar()->value() };
}

void TimelineView::paintEvent(QPaintEvent *)
{
    QPainter painter(viewport());
    const TimelinePainter chart(m_timeline, *m_geometry, palette());
    painter.translate(sidePadding, -verticalScrollBar()->value());
    chart.drawNames(painter, namesWidth() - 2 * grid);
    painter.setClipRect(
        QRectF(namesWidth() - grid, verticalScrollBar()->value(), viewport()->width(), viewport()->height()));
    painter.translate(namesWidth() - horizontalScrollBar()->value(), 0);
    chart.draw(painter);
    if (m_untilNs) {
        const double x = m_geometry->scale().x(*m_untilNs);
        const QRectF lanes = m_geometry->lanes();
        painter.fillRect(QRectF(x, 0, m_geometry->metrics().width, lanes.bottom()), palette().color(QPalette::Base));
    }
    drawRange(painter);
    drawMarkers(painter);
    if (m_selected != 0)
        chart.drawSelected(painter, m_selected);
}

void TimelineView::drawRange(QPainter &painter) const
{
    if (!m_range)
        return;
    QRectF box = m_geometry->lanes();
    box.setLeft(m_geometry->scale().x(m_range->first));
    box.setRight(m_geometry->scale().x(m_range->second));
    QColor fill = palette().color(QPalette::Highlight);
    fill.setAlphaF(0.15F);
    painter.fillRect(box, fill);
    painter.setPen(palette().color(QPalette::Highlight));
    painter.drawRect(box);
}

void TimelineView::drawMarkers(QPainter &painter) const
{
    const QRectF lanes = m_geometry->lanes();
    painter.setPen(QPen(palette().color(QPalette::Highlight), 1.5, Qt::DashLine));
    for (const qint64 marker : m_markers) {
        const double x = m_geometry->scale().x(marker);
        painter.drawLine(QPointF(x, lanes.top()), QPointF(x, lanes.bottom()));
    }
    if (m_markers.size() == 2)
        painter.drawText(QPointF(m_geometry->scale().x(m_markers[1]) + grid, lanes.top() + fontMetrics().ascent()),
            QStringLiteral("Δ ") + spanText(std::abs(m_markers[1] - m_markers[0])));
}

void TimelineView::resizeEvent(QResizeEvent *)
{
    layOut();
}

void TimelineView::changeEvent(QEvent *event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        layOut();
}

void TimelineView::select(quint64 seq)
{
    m_selected = seq;
    if (const TimelineGeometry::Spot *spot = m_geometry->spotOf(m_timeline, seq)) {
        const int left = horizontalScrollBar()->value();
        if (spot->centre.x() < left || spot->centre.x() > left + chartWidth())
            horizontalScrollBar()->setValue(int(spot->centre.x() - chartWidth() / 2));
    }
    viewport()->update();
}

void TimelineView::zoomBy(double factor, double aroundX)
{
    const double inside = std::clamp(aroundX - namesWidth() - sidePadding, 0.0, chartWidth());
    const qint64 atNs = m_geometry->scale().at(inside + horizontalScrollBar()->value());
    m_zoom = std::clamp(m_zoom * factor, 1.0, mostZoom);
    layOut();
    horizontalScrollBar()->setValue(int(m_geometry->scale().x(atNs) - inside));
}

void TimelineView::zoomToFit()
{
    m_zoom = 1;
    layOut();
}

void TimelineView::wheelEvent(QWheelEvent *event)
{
    if (!event->modifiers().testFlag(Qt::ControlModifier))
        return QAbstractScrollArea::wheelEvent(event);
    zoomBy(event->angleDelta().y() > 0 ? zoomStep : 1 / zoomStep, event->position().x());
    event->accept();
}

void TimelineView::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    const QPointF at = inChart(event->position());
    if (event->modifiers().testFlag(Qt::ShiftModifier))
        return setMarker(at.x());
    m_pressX = at.x();
    if (const TimelineGeometry::Spot *spot = m_geometry->spotAt(at)) {
        const TimelineGeometry::Place place = spot->marks.first();
        select(m_timeline.lanes[place.lane].marks[place.index].seq);
        Q_EMIT selectedChanged(m_selected);
    }
}

void TimelineView::mouseMoveEvent(QMouseEvent *event)
{
    const QPointF at = inChart(event->position());
    viewport()->setCursor(m_geometry->spotAt(at) != nullptr ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (!m_pressX || std::abs(at.x() - *m_pressX) < dragDistance)
        return;
    const auto [from, to] = std::minmax({ m_geometry->scale().at(*m_pressX), m_geometry->scale().at(at.x()) });
    m_range = { from, to };
    viewport()->update();
}

void TimelineView::mouseReleaseEvent(QMouseEvent *event)
{
    const bool wasDragged = m_pressX && std::abs(inChart(event->position()).x() - *m_pressX) >= dragDistance;
    m_pressX.reset();
    if (wasDragged && m_range)
        Q_EMIT rangeSelected(m_range->first, m_range->second);
}

void TimelineView::setMarker(double chartX)
{
    if (m_markers.size() == 2)
        m_markers.clear();
    m_markers.append(m_geometry->scale().at(chartX));
    viewport()->update();
}

void TimelineView::clearRange()
{
    if (!m_range && m_markers.isEmpty())
        return;
    m_range.reset();
    m_markers.clear();
    viewport()->update();
    Q_EMIT rangeCleared();
}

// To the next or the previous mark in the order of time, whatever its lane.
void TimelineView::step(int by)
{
    QList<std::pair<qint64, quint64>> moments;
    for (const Lane &lane : m_timeline.lanes) {
        for (const Mark &mark : lane.marks) {
            if (mark.seq != 0)
                moments.append({ mark.atNs, mark.seq });
        }
    }
    if (moments.isEmpty())
        return;
    std::sort(moments.begin(), moments.end());
    const auto now =
        std::find_if(moments.cbegin(), moments.cend(), [this](const auto &each) { return each.second == m_selected; });
    qsizetype next = by > 0 ? 0 : moments.size() - 1;
    if (now != moments.cend())
        next = std::clamp<qsizetype>(now - moments.cbegin() + by, 0, moments.size() - 1);
    select(moments[next].second);
    Q_EMIT selectedChanged(m_selected);
}

void TimelineView::keyPressEvent(QKeyEvent *event)
{
    const double middle = viewport()->width() / 2.0;
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoomBy(zoomStep, middle);
    case Qt::Key_Minus:
        return zoomBy(1 / zoomStep, middle);
    case Qt::Key_0:
        return zoomToFit();
    case Qt::Key_Right:
        return step(1);
    case Qt::Key_Left:
        return step(-1);
    case Qt::Key_M:
        if (const TimelineGeometry::Spot *spot = m_geometry->spotOf(m_timeline, m_selected))
            setMarker(spot->centre.x());
        return;
    case Qt::Key_Escape:
        if (m_range || !m_markers.isEmpty())
            return clearRange();
        break;
    default:
        break;
    }
    QAbstractScrollArea::keyPressEvent(event);
}

QString TimelineView::tipOf(const TimelineGeometry::Spot &spot) const
{
    QStringList lines;
    for (const TimelineGeometry::Place &place : spot.marks) {
        const Mark &mark = m_timeline.lanes[place.lane].marks[place.index];
        const QString what = QString(markName(mark.kind)).replace(u'_', u' ');
        lines += QStringList{ signedText(mark.atNs), what, mark.text }.join(u' ').trimmed();
    }
    return lines.join(u'\n');
}

bool TimelineView::viewportEvent(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QAbstractScrollArea::viewportEvent(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    if (const TimelineGeometry::Spot *spot = m_geometry->spotAt(inChart(help->pos())))
        QToolTip::showText(
            help->globalPos(), tipOf(*spot).toHtmlEscaped().replace(u'\n', QStringLiteral("<br>")), this);
    else
        QToolTip::hideText();
    return true;
}

} // namespace firstwatch::ui
