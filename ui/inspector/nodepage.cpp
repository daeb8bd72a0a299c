// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/nodepage.h"

#include "ui/inspector/eventspage.h"
#include "ui/inspector/overviewpage.h"
#include "ui/inspector/patchespage.h"
#include "ui/inspector/theme.h"
#include "ui/inspector/timelinepage.h"
#include "ui/inspector/timelineview.h"
#include "ui/text/nodepage.h"
#include "ui/text/units.h"

#include <QComboBox>
#include <QEvent>
#include <QLabel>
#include <QTabWidget>
#include <QVBoxLayout>

namespace firstwatch::ui {
namespace {

constexpr double titleSize = 1.15;

// "Link to node-17 lost 12s ago: connection refused. Showing data as of 09:05:41Z. Next try in 8s."
QString lostText(const Session &session)
{
    const qint64 awayNs = (journal::wallNowUs() - session.lastHeardUs()) * 1000;
    QString text = session.lastHeardUs() == 0
        ? NodePage::tr("%1 was not reached yet: %2.").arg(session.node().source, session.trouble())
        : NodePage::tr("Link to %1 lost: %2. The last word came %3 ago, and is shown.")
              .arg(session.node().name(), session.trouble(), ageText(awayNs));
    if (session.retryInMs() >= 0)
        text += u' ' + NodePage::tr("Next try in %1.").arg(spanText(qint64(session.retryInMs()) * 1'000'000));
    return text;
}

QString bannerText(const Session &session)
{
    switch (session.link()) {
    case Session::Link::Recorded:
        return session.node().isReached()
            ? replaySentence(session.node())
            : NodePage::tr("%1 cannot be shown: %2.").arg(session.node().source, session.node().trouble);
    case Session::Link::Connecting:
        return NodePage::tr("Connecting to %1…").arg(session.node().source);
    case Session::Link::Lost:
        return lostText(session);
    case Session::Link::Refused:
        return NodePage::tr("%1 does not answer us, and it is not tried again: %2.")
            .arg(session.node().source, session.trouble());
    case Session::Link::Live:
        break;
    }
    return {};
}

Role bannerRole(const Session &session)
{
    switch (session.link()) {
    case Session::Link::Recorded:
        return session.node().isReached() ? Role::Replay : Role::Error;
    case Session::Link::Connecting:
        return Role::Muted;
    case Session::Link::Refused:
        return Role::Error;
    default:
        return Role::Odd;
    }
}

QString runTitle(const journal::Event &first)
{
    return QString::fromUtf8(first.boot.left(8)) + QStringLiteral("  ") + momentText(first.wallUs);
}

} // namespace

NodePage::NodePage(QWidget *parent)
    : QWidget(parent)
    , m_banner(new QLabel(this))
    , m_title(new QLabel(this))
    , m_runs(new QComboBox(this))
    , m_tabs(new QTabWidget(this))
    , m_overview(new OverviewPage(this))
    , m_timeline(new TimelinePage(this))
    , m_moments(new EventsPage(this))
    , m_patches(new PatchesPage(this))
    , m_events(new EventsPage(this))
{
    m_banner->setWordWrap(true);
    m_banner->setAutoFillBackground(true);
    m_banner->setContentsMargins(4 * grid, 2 * grid, 4 * grid, 2 * grid);
    m_banner->setAccessibleName(tr("How fresh this is"));
    QFont strong = sized(font(), titleSize);
    strong.setBold(true);
    m_title->setFont(strong);
    m_runs->setAccessibleName(tr("Run of the service"));
    m_runs->setToolTip(tr("Run of the service that is shown"));
    connect(m_runs, &QComboBox::activated, this,
        [this](int index) { m_session->showRun(m_runs->itemData(index).toByteArray()); });
    m_tabs->addTab(m_overview, tr("Overview"));
    m_tabs->addTab(m_timeline, tr("Timeline"));
    m_tabs->addTab(m_patches, tr("Patches"));
    m_tabs->addTab(m_events, tr("Events"));
    m_timeline->addBelow(m_moments);
    m_tabs->setAccessibleName(tr("Pages of the node"));
    m_tabs->setDocumentMode(true);
    auto *head = new QHBoxLayout;
    head->setContentsMargins(4 * grid, 2 * grid, 4 * grid, 2 * grid);
    head->addWidget(m_title, 1);
    head->addWidget(m_runs);
    auto *all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addWidget(m_banner);
    all->addLayout(head);
    all->addWidget(m_tabs, 1);
    tieTogether();
}

// A mark and its row are one thing, and a range of time is one for both.
void NodePage::tieTogether()
{
    TimelineView *lanes = &m_timeline->view();
    connect(lanes, &TimelineView::selectedChanged, m_moments, &EventsPage::selectEvent);
    connect(m_moments, &EventsPage::eventSelected, lanes, &TimelineView::select);
    connect(lanes, &TimelineView::rangeSelected, m_moments, &EventsPage::setRange);
    connect(lanes, &TimelineView::rangeCleared, m_moments, &EventsPage::clearRange);
    connect(m_moments, &EventsPage::rangeCleared, lanes, &TimelineView::clearRange);
    connect(m_patches, &PatchesPage::diffWanted, this, [this](const QByteArray &boot, quint64 seq) {
        if (m_session != nullptr)
            m_session->askForDiff(boot, seq);
    });
}

void NodePage::setSession(std::unique_ptr<Session> session)
{
    m_session = std::move(session);
    connect(m_session.get(), &Session::changed, this, &NodePage::refresh);
    refresh();
    m_session->start();
}

void NodePage::showTab(Tab tab)
{
    m_tabs->setCurrentIndex(tab);
}

void NodePage::refresh()
{
    if (m_session == nullptr)
        return;
    const Node &node = m_session->node();
    m_title->setText(
        glyphOf(Look{}, node.word()) + u' ' + journal::stateWord(node.word()) + QStringLiteral("   ") + node.name());
    showBanner();
    showRuns();
    m_overview->setNode(node);
    m_timeline->setNode(node);
    m_moments->setNode(node);
    m_patches->setNode(node);
    m_events->setNode(node);
}

void NodePage::showBanner()
{
    const QString text = bannerText(*m_session);
    m_banner->setVisible(!text.isEmpty());
    m_banner->setText(text);
    QPalette colours = palette();
    colours.setColor(QPalette::Window, colourOf(bannerRole(*m_session), palette()));
    colours.setColor(QPalette::WindowText, palette().color(QPalette::Window));
    m_banner->setPalette(colours);
    QPalette title = palette();
    title.setColor(QPalette::WindowText, colourOf(roleOf(m_session->node().word()), palette()));
    m_title->setPalette(title);
}

// Of a live node the last run is shown, so that nobody looks at an old one unawares.
void NodePage::showRuns()
{
    QList<const journal::Event *> firsts;
    for (const journal::Event &event : m_session->node().events) {
        if (event.seq != 0 && (firsts.isEmpty() || firsts.last()->boot != event.boot))
            firsts.append(&event);
    }
    m_runs->setVisible(firsts.size() > 1 && m_session->link() == Session::Link::Recorded);
    if (m_runs->count() == firsts.size())
        return;
    m_runs->clear();
    for (const journal::Event *first : std::as_const(firsts))
        m_runs->addItem(runTitle(*first), first->boot);
    m_runs->setCurrentIndex(m_runs->count() - 1);
}

void NodePage::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_session != nullptr)
        showBanner();
}

} // namespace firstwatch::ui
