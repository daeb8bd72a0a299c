// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/demopage.h"

#include "ui/inspector/theme.h"
#include "ui/inspector/timelineview.h"
#include "ui/inspector/verdictbox.h"
#include "ui/session/recording.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace firstwatch::ui {
namespace {

constexpr double sectionSize = 1.15;
constexpr int framesPerSecond = 30;

} // namespace

DemoPage::DemoPage(QWidget *parent)
    : QWidget(parent)
    , m_clock(demoMs)
    , m_play(new QPushButton(tr("Play"), this))
{
    auto *all = new QVBoxLayout(this);
    all->setContentsMargins(4 * grid, 4 * grid, 4 * grid, 4 * grid);
    all->setSpacing(2 * grid);
    auto *head = new QHBoxLayout;
    auto *what = new QLabel(
        tr("A config is written 60 ms after the start, while the watch is 140 ms late. Both runs were recorded; "
           "nothing here is live."),
        this);
    what->setWordWrap(true);
    head->addWidget(what, 1);
    head->addWidget(m_play, 0, Qt::AlignTop);
    all->addLayout(head);
    m_races = { addRace(tr("A shell script with inotifywait"), "race-seed.jsonl"),
        addRace(tr("Firstwatch, with the same delay"), "race-firstwatch.jsonl") };
    all->addStretch();
    m_clock.setUpdateInterval(1000 / framesPerSecond);
    m_clock.setEasingCurve(QEasingCurve::Linear);
    connect(&m_clock, &QTimeLine::valueChanged, this, &DemoPage::showUntil);
    connect(&m_clock, &QTimeLine::finished, this, &DemoPage::showAll);
    connect(m_play, &QPushButton::clicked, this, &DemoPage::play);
}

DemoPage::Race DemoPage::addRace(const QString &title, const char *recording)
{
    auto *all = qobject_cast<QVBoxLayout *>(layout());
    auto *heading = new QLabel(title, this);
    QFont strong = sized(heading->font(), sectionSize);
    strong.setBold(true);
    heading->setFont(strong);
    auto *verdict = new VerdictBox(this);
    auto *view = new TimelineView(this);
    Race race{ timelineOf(embeddedRun(recording)), view };
    verdict->setTimeline(race.timeline);
    view->setTimeline(race.timeline);
    view->setAccessibleName(title);
    view->setMinimumHeight(view->sizeHint().height());
    all->addWidget(heading);
    all->addWidget(verdict);
    all->addWidget(view);
    return race;
}

void DemoPage::play()
{
    m_clock.stop();
    m_clock.setCurrentTime(0);
    showUntil(0);
    m_clock.start();
}

void DemoPage::showUntil(double part)
{
    for (const Race &race : m_races)
        race.view->setUntil(qint64(double(race.timeline.endNs) * part));
}

void DemoPage::showAll()
{
    for (const Race &race : m_races)
        race.view->setUntil(std::nullopt);
}

} // namespace firstwatch::ui
