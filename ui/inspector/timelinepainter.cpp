// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/timelinepainter.h"

#include "ui/inspector/theme.h"
#include "ui/text/units.h"

#include <QPainterPath>

#include <algorithm>

namespace firstwatch::ui {
namespace {

constexpr double tickDistance = 90;

enum class Form { Diamond, Triangle, Square, Cross, Stroke };

struct Sign {
    Form form;
    Role role;
    bool isFilled;
};

Sign signOf(Mark::Kind kind)
{
    switch (kind) {
    case Mark::Kind::Armed:
        return { Form::Diamond, Role::Plain, false };
    case Mark::Kind::Proven:
        return { Form::Diamond, Role::Good, true };
    case Mark::Kind::ChangeByEvent:
    case Mark::Kind::ChangeOutside:
        return { Form::Triangle, Role::Odd, true };
    case Mark::Kind::ChangeByPass:
        return { Form::Triangle, Role::Odd, false };
    case Mark::Kind::ChangeUnseen:
    case Mark::Kind::Lost:
    case Mark::Kind::Failed:
        return { Form::Cross, Role::Error, false };
    case Mark::Kind::Patched:
    case Mark::Kind::Written:
        return { Form::Square, Role::Good, true };
    case Mark::Kind::Undone:
    case Mark::Kind::Stop:
        return { Form::Square, Role::Plain, false };
    case Mark::Kind::Rotated:
        return { Form::Diamond, Role::Muted, false };
    case Mark::Kind::Start:
        return { Form::Stroke, Role::Plain, false };
    default:
        return { Form::Stroke, Role::Odd, false };
    }
}

Role roleOf(Bar::Kind kind)
{
    switch (kind) {
    case Bar::Kind::Watched:
        return Role::Good;
    case Bar::Kind::Polled:
    case Bar::Kind::Drift:
        return Role::Odd;
    default:
        return Role::Muted;
    }
}

QPainterPath pathOf(Form form, const QPointF &at, double size)
{
    const double half = size / 2;
    QPainterPath path;
    switch (form) {
    case Form::Diamond:
        path.addPolygon(QPolygonF{ { at - QPointF(0, half), at + QPointF(half, 0), at + QPointF(0, half),
            at - QPointF(half, 0), at - QPointF(0, half) } });
        break;
    case Form::Triangle:
        path.addPolygon(QPolygonF{
            { at - QPointF(0, half), at + QPointF(half, half), at + QPointF(-half, half), at - QPointF(0, half) } });
        break;
    case Form::Square:
        path.addRect(QRectF(at.x() - half * 0.85, at.y() - half * 0.85, size * 0.85, size * 0.85));
        break;
    case Form::Cross:
        path.moveTo(at - QPointF(half, half));
        path.lineTo(at + QPointF(half, half));
        path.moveTo(at + QPointF(half, -half));
        path.lineTo(at + QPointF(-half, half));
        break;
    case Form::Stroke:
        path.moveTo(at - QPointF(0, half));
        path.lineTo(at + QPointF(0, half));
        break;
    }
    return path;
}

QColor faint(QColor colour, double opacity)
{
    colour.setAlphaF(float(opacity));
    return colour;
}

} // namespace

TimelinePainter::TimelinePainter(const Timeline &timeline, const TimelineGeometry &geometry, const QPalette &palette)
    : m_timeline(timeline)
    , m_geometry(geometry)
    , m_palette(palette)
{
}

const Mark &TimelinePainter::mark(const TimelineGeometry::Place &place) const
{
    return m_timeline.lanes[place.lane].marks[place.index];
}

void TimelinePainter::draw(QPainter &painter) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    drawStripes(painter);
    drawAxis(painter);
    drawBlind(painter);
    drawBars(painter);
    drawSpots(painter);
}

void TimelinePainter::drawStripes(QPainter &painter) const
{
    for (qsizetype i = 0; i < m_timeline.lanes.size(); i += 2)
        painter.fillRect(m_geometry.lane(i), m_palette.color(QPalette::AlternateBase));
}

// Grey hatching where a change gave no event, solid red under it where a pass ran in that time: the race.
void TimelinePainter::drawBlind(QPainter &painter) const
{
    const QColor error = colourOf(Role::Error, m_palette);
    for (const TimelineGeometry::BlindBox &blind : m_geometry.blind()) {
        painter.fillRect(blind.box, QBrush(faint(colourOf(Role::Muted, m_palette), 0.45), Qt::BDiagPattern));
        if (blind.exposed.isNull())
            continue;
        painter.fillRect(blind.exposed, faint(error, isDark(m_palette) ? 0.42 : 0.30));
        painter.setPen(QPen(error, 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(blind.exposed.adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void TimelinePainter::drawAxis(QPainter &painter) const
{
    const QRectF lanes = m_geometry.lanes();
    QList<std::pair<double, QString>> labels;
    for (const Scale::Break &each : m_geometry.scale().breaks()) {
        const double x = each.x + TimelineGeometry::breakWidth / 2;
        painter.setPen(QPen(colourOf(Role::Muted, m_palette), 1, Qt::DotLine));
        painter.drawLine(QPointF(x, lanes.top()), QPointF(x, lanes.bottom()));
        labels.append({ x, QStringLiteral("≈") });
    }
    painter.setPen(m_palette.color(QPalette::Mid));
    for (const Scale::Tick &tick : m_geometry.scale().ticks(tickDistance)) {
        painter.drawLine(QPointF(tick.x, lanes.top() - grid), QPointF(tick.x, lanes.bottom()));
        labels.append({ tick.x, tick.atNs == 0 ? QStringLiteral("0") : spanText(tick.atNs) });
    }
    drawLabels(painter, labels);
}

// Each where it belongs, in the order of the list; without those that have no room beside the ones before them.
void TimelinePainter::drawLabels(QPainter &painter, const QList<std::pair<double, QString>> &labels) const
{
    const QFontMetricsF metrics(painter.font());
    QList<QRectF> taken;
    painter.setPen(colourOf(Role::Muted, m_palette));
    for (const auto &[x, text] : labels) {
        const double width = metrics.horizontalAdvance(text);
        const double left = std::clamp(x - width / 2, 0.0, std::max(m_geometry.metrics().width - width, 0.0));
        const QRectF box(left - grid, 0, width + 2 * grid, m_geometry.lanes().top() - grid);
        const bool isFree =
            std::none_of(taken.cbegin(), taken.cend(), [&](const QRectF &other) { return other.intersects(box); });
        if (!isFree)
            continue;
        taken.append(box);
        painter.drawText(QPointF(left, box.bottom() - metrics.descent()), text);
    }
}

void TimelinePainter::drawBars(QPainter &painter) const
{
    for (const TimelineGeometry::BarBox &each : m_geometry.bars()) {
        const Bar &bar = m_timeline.lanes[each.place.lane].bars[each.place.index];
        const QColor colour = colourOf(roleOf(bar.kind), m_palette);
        if (bar.kind == Bar::Kind::Unwatched) {
            painter.setPen(QPen(colour, 1.5, Qt::DotLine));
            painter.drawLine(
                QPointF(each.box.left(), each.box.center().y()), QPointF(each.box.right(), each.box.center().y()));
            continue;
        }
        painter.fillRect(each.box, bar.kind == Bar::Kind::Drift ? QBrush(colour, Qt::Dense4Pattern) : QBrush(colour));
        if (bar.text.isEmpty() || painter.fontMetrics().horizontalAdvance(bar.text) + grid > each.box.width())
            continue;
        painter.setPen(m_palette.color(QPalette::Window));
        painter.drawText(each.box, Qt::AlignCenter, bar.text);
    }
}

void TimelinePainter::drawSpots(QPainter &painter) const
{
    const double size = m_geometry.metrics().markSize;
    for (const TimelineGeometry::Spot &spot : m_geometry.spots()) {
        const Sign sign = signOf(mark(spot.marks.last()).kind);
        const QColor colour = colourOf(sign.role, m_palette);
        const bool isClosed = sign.form != Form::Cross && sign.form != Form::Stroke;
        painter.setPen(QPen(colour, 2));
        painter.setBrush(
            !isClosed ? QBrush(Qt::NoBrush) : QBrush(sign.isFilled ? colour : m_palette.color(QPalette::Window)));
        painter.drawPath(pathOf(sign.form, spot.centre, size));
        if (spot.marks.size() > 1)
            drawBadge(painter, spot);
    }
}

// How many marks hide each other here.
void TimelinePainter::drawBadge(QPainter &painter, const TimelineGeometry::Spot &spot) const
{
    QFont font = painter.font();
    const QFont before = font;
    font.setPointSizeF(font.pointSizeF() * 0.75);
    painter.setFont(font);
    painter.setPen(colourOf(Role::Plain, m_palette));
    painter.drawText(
        spot.centre + QPointF(m_geometry.metrics().markSize / 2 + 1, -1), QString::number(spot.marks.size()));
    painter.setFont(before);
}

void TimelinePainter::drawSelected(QPainter &painter, quint64 seq) const
{
    const TimelineGeometry::Spot *spot = m_geometry.spotOf(m_timeline, seq);
    if (spot == nullptr)
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    drawLatency(painter, *spot, seq);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(m_palette.color(QPalette::Highlight), 2));
    const double radius = m_geometry.metrics().markSize;
    painter.drawEllipse(spot->centre, radius, radius);
}

void TimelinePainter::drawLatency(QPainter &painter, const TimelineGeometry::Spot &patch, quint64 seq) const
{
    const Lane &lane = m_timeline.lanes[patch.marks.first().lane];
    const Mark *change = nullptr;
    for (const Mark &mark : lane.marks) {
        if (mark.seq == seq && mark.kind == Mark::Kind::Patched && change != nullptr) {
            const double from = m_geometry.scale().x(change->atNs);
            painter.setPen(QPen(m_palette.color(QPalette::Highlight), 1.5));
            painter.drawLine(QPointF(from, patch.centre.y()), patch.centre);
            painter.drawText(patch.centre + QPointF(m_geometry.metrics().markSize * 1.2, grid),
                signedText(mark.atNs - change->atNs));
            return;
        }
        if (mark.kind == Mark::Kind::ChangeByEvent || mark.kind == Mark::Kind::ChangeByPass)
            change = &mark;
    }
}

void TimelinePainter::drawNames(QPainter &painter, double width) const
{
    const QFontMetricsF metrics(painter.font());
    painter.setPen(colourOf(Role::Plain, m_palette));
    for (qsizetype i = 0; i < m_timeline.lanes.size(); ++i) {
        QRectF box = m_geometry.lane(i);
        box.setLeft(0);
        box.setWidth(width);
        const QString name = metrics.elidedText(m_timeline.lanes[i].name, Qt::ElideMiddle, width);
        painter.drawText(box, Qt::AlignVCenter | Qt::AlignLeft, name);
    }
}

} // namespace firstwatch::ui
