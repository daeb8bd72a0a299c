// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/timelinepage.h"

#include "ui/inspector/theme.h"
#include "ui/inspector/timelineview.h"
#include "ui/inspector/verdictbox.h"

#include <QLabel>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

namespace firstwatch::ui {
namespace {

QToolButton *zoomButton(const QString &text, const QString &name, QWidget *parent)
{
    auto *button = new QToolButton(parent);
    button->setText(text);
    button->setAccessibleName(name);
    button->setToolTip(name);
    return button;
}

QString bandText(const Timeline &timeline)
{
    QStringList facts;
    for (const BlindBand &band : timeline.blind)
        facts += band.fact;
    return facts.isEmpty()
        ? QString()
        : TimelinePage::tr("Blind window (no proven watch): %1").arg(facts.join(QStringLiteral(" · ")));
}

} // namespace

TimelinePage::TimelinePage(QWidget *parent)
    : QWidget(parent)
    , m_verdict(new VerdictBox(this))
    , m_view(new TimelineView(this))
    , m_band(new QLabel(this))
    , m_parts(new QSplitter(Qt::Vertical, this))
{
    m_band->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_band->setWordWrap(true);
    auto *in = zoomButton(QStringLiteral("+"), tr("Zoom in (+)"), this);
    auto *out = zoomButton(QStringLiteral("−"), tr("Zoom out (-)"), this);
    auto *fit = zoomButton(tr("Fit"), tr("Show the whole run (0)"), this);
    connect(in, &QToolButton::clicked, m_view, [this] { m_view->zoomBy(2, m_view->width() / 2.0); });
    connect(out, &QToolButton::clicked, m_view, [this] { m_view->zoomBy(0.5, m_view->width() / 2.0); });
    connect(fit, &QToolButton::clicked, m_view, &TimelineView::zoomToFit);
    auto *line = new QHBoxLayout;
    line->setSpacing(grid);
    line->addWidget(m_band, 1);
    line->addWidget(out);
    line->addWidget(in);
    line->addWidget(fit);
    m_parts->addWidget(m_view);
    m_parts->setChildrenCollapsible(false);
    auto *all = new QVBoxLayout(this);
    all->setContentsMargins(4 * grid, 4 * grid, 4 * grid, 4 * grid);
    all->setSpacing(2 * grid);
    all->addWidget(m_verdict);
    all->addLayout(line);
    all->addWidget(m_parts, 1);
}

void TimelinePage::addBelow(QWidget *widget)
{
    m_parts->addWidget(widget);
}

void TimelinePage::setNode(const Node &node)
{
    if (node.view.boot == m_boot && node.view.seq == m_seq)
        return;
    m_boot = node.view.boot;
    m_seq = node.view.seq;
    setTimeline(timelineOf(node.run(), node.gaps));
}

void TimelinePage::setTimeline(const Timeline &timeline)
{
    m_verdict->setTimeline(timeline);
    m_band->setText(bandText(timeline));
    m_view->setTimeline(timeline);
}

} // namespace firstwatch::ui
