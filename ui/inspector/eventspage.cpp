// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/eventspage.h"

#include "ui/inspector/celldelegate.h"
#include "ui/inspector/filterfield.h"
#include "ui/inspector/tablekeeper.h"
#include "ui/inspector/theme.h"
#include "ui/text/units.h"

#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QScrollBar>
#include <QShortcut>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>

#include <algorithm>

namespace firstwatch::ui {

using journal::Event;
using Type = EventRow::Type;

EventsPage::EventsPage(QWidget *parent)
    : QWidget(parent)
    , m_filter(new FilterField(tr("Filter, such as kind:patch -file:10-* since:1h word")))
    , m_range(new QToolButton)
    , m_count(new QLabel)
    , m_table(new QTableView)
    , m_empty(new QLabel)
    , m_stack(new QStackedWidget)
    , m_follow(new QCheckBox)
    , m_state(new QLabel)
    , m_copyAs(new QToolButton)
    , m_copyMenu(new QMenu(this))
{
    buildTable();
    buildCopyMenu();
    arrange();
    addKeys();
    m_keeper = new TableKeeper(m_table);
    connect(m_filter, &FilterField::changed, this, &EventsPage::useFilter);
    connect(m_range, &QToolButton::clicked, this, [this] {
        clearRange();
        Q_EMIT rangeCleared();
    });
    connect(m_follow, &QCheckBox::clicked, this, &EventsPage::setFollowing);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &EventsPage::choose);
    connect(m_table->verticalScrollBar(), &QScrollBar::rangeChanged, this, &EventsPage::showNewest);
    showState();
}

void EventsPage::buildTable()
{
    setUpTable(m_table);
    m_table->setModel(&m_shown);
    m_table->setAccessibleName(tr("Events"));
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_table->horizontalHeader()->setSortIndicator(EventModel::Seq, Qt::AscendingOrder);
    m_table->setSortingEnabled(true);
    addColumns();
}

// From the font: of what is as long as it gets, or nearly.
void EventsPage::addColumns()
{
    const auto widthOf = [this](const char *text) { return widthFor(m_table, QString::fromUtf8(text)); };
    QHeaderView *const header = m_table->horizontalHeader();
    header->setStretchLastSection(false);
    header->setMinimumSectionSize(widthOf("via"));
    header->resizeSection(EventModel::Seq, widthOf("100000"));
    header->resizeSection(EventModel::Time, widthOf("+12m31.004s "));
    header->resizeSection(EventModel::Kind, widthOf("kubeconfig.written"));
    header->resizeSection(EventModel::File, widthOf("ZZZ-linkerd-cni-kubeconfig"));
    header->resizeSection(EventModel::Via, widthOf("observer "));
    header->setSectionResizeMode(EventModel::Detail, QHeaderView::Stretch);
}

void EventsPage::buildCopyMenu()
{
    const auto add = [this](const QString &text, CopyForm form) {
        auto *const action = new QAction(text, this);
        connect(action, &QAction::triggered, this, [this, form] { copy(form); });
        m_copyMenu->addAction(action);
        m_table->addAction(action);
        return action;
    };
    QAction *const text = add(tr("Copy as &text"), CopyForm::Text);
    text->setShortcuts({ QKeySequence(QKeySequence::Copy), QKeySequence(Qt::Key_Y) });
    text->setShortcutContext(Qt::WidgetShortcut);
    (void)add(tr("Copy as &JSON"), CopyForm::Json);
    (void)add(tr("Copy as &Markdown"), CopyForm::Markdown);
    (void)add(tr("Copy the &command that prints them"), CopyForm::Command);
    m_copyAs->setText(tr("Copy as"));
    m_copyAs->setAccessibleName(tr("Copy events in one of several forms"));
    m_copyAs->setToolTip(tr("What is selected, or else all that is shown."));
    m_copyAs->setMenu(m_copyMenu);
    m_copyAs->setPopupMode(QToolButton::InstantPopup);
    m_copyAs->setFocusPolicy(Qt::StrongFocus);
}

void EventsPage::addKeys()
{
    const auto add = [this](const QKeySequence &keys, QWidget *where, Qt::ShortcutContext context, auto work) {
        auto *const shortcut = new QShortcut(keys, where);
        shortcut->setContext(context);
        connect(shortcut, &QShortcut::activated, this, work);
    };
    add(Qt::Key_Space, m_table, Qt::WidgetShortcut, [this] { setFollowing(!m_isFollowing); });
    add(Qt::Key_Slash, m_table, Qt::WidgetShortcut, [this] { m_filter->setFocus(Qt::ShortcutFocusReason); });
    add(QKeySequence(Qt::SHIFT | Qt::Key_Y), m_table, Qt::WidgetShortcut, [this] { m_copyAs->showMenu(); });
    add(Qt::Key_Escape, this, Qt::WidgetWithChildrenShortcut, [this] { escape(); });
}

void EventsPage::arrange()
{
    m_range->setAccessibleName(tr("Stretch of time that is shown. Press to show all."));
    m_range->setFocusPolicy(Qt::StrongFocus);
    m_range->hide();
    m_count->setAccessibleName(tr("How many events are shown"));
    m_count->setMinimumHeight(m_filter->lineHeight());
    m_range->setMinimumHeight(m_filter->lineHeight());
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setTextFormat(Qt::PlainText);
    m_empty->setAccessibleName(tr("Why no event is shown"));
    m_follow->setText(tr("Follow"));
    m_follow->setAccessibleName(tr("Follow new events"));
    m_follow->setToolTip(tr("Keep the newest event in view. Key: Space."));
    m_state->setAccessibleName(tr("Whether new events are followed"));
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_empty);

    auto *const top = new QHBoxLayout;
    top->setSpacing(2 * grid);
    top->addWidget(m_filter, 1);
    top->addWidget(m_range, 0, Qt::AlignTop);
    top->addWidget(m_count, 0, Qt::AlignTop);
    auto *const bottom = new QHBoxLayout;
    bottom->setSpacing(4 * grid);
    bottom->addWidget(m_follow);
    bottom->addWidget(m_state);
    bottom->addStretch();
    bottom->addWidget(m_copyAs);
    auto *const layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * grid, 2 * grid, 2 * grid, 2 * grid);
    layout->setSpacing(2 * grid);
    layout->addLayout(top);
    layout->addWidget(m_stack, 1);
    layout->addLayout(bottom);
    setFocusProxy(m_table);
}

void EventsPage::setNode(const Node &node)
{
    if (m_node.view.boot != node.view.boot)
        clearRange();
    const bool isAnother = m_node.source != node.source;
    m_node = node;
    if (m_filter->filter().has(Filter::Key::Since))
        useFilter(); // time has gone on
    m_events.setNode(node);
    if (isAnother)
        m_isFollowing = true;
    showNewest();
    showState();
}

// Of a recording nothing new comes, and what matters is at its beginning.
void EventsPage::showNewest()
{
    if (m_isFollowing && m_node.isLive)
        m_table->scrollToBottom();
}

void EventsPage::useFilter()
{
    m_shown.setFilter({ m_filter->filter(), -1, m_node.nowUs });
    showNewest();
    showState();
}

void EventsPage::setFilterText(const QString &text)
{
    m_filter->setText(text);
}

void EventsPage::setRange(qint64 fromNs, qint64 toNs)
{
    m_shown.setRange(EventFilterModel::Range{ m_node.view.boot, std::min(fromNs, toNs), std::max(fromNs, toNs) });
    showState();
}

void EventsPage::clearRange()
{
    m_shown.setRange({});
    showState();
}

void EventsPage::selectEvent(quint64 seq)
{
    const int row = m_shown.rowOf(m_node.view.boot, seq);
    const QSignalBlocker blocker(this);
    if (row < 0)
        return m_table->clearSelection();
    m_table->selectRow(row);
    m_table->scrollTo(m_shown.index(row, 0));
}

void EventsPage::setFollowing(bool isOn)
{
    m_isFollowing = isOn;
    m_lastSeen = m_node.events.isEmpty() ? Event() : m_node.events.last();
    if (isOn)
        m_table->sortByColumn(EventModel::Seq, Qt::AscendingOrder);
    showNewest();
    showState();
}

void EventsPage::choose(const QModelIndex &current)
{
    if (m_keeper->isAtWork() || !current.isValid())
        return;
    if (m_isFollowing)
        setFollowing(false);
    const EventRow &row = m_shown.row(current.row());
    if (row.type == Type::Event && row.event.boot == m_node.view.boot)
        Q_EMIT eventSelected(row.event.seq);
}

// Of those that are shown.
int EventsPage::countNew() const
{
    const int last = m_events.rows().find(m_lastSeen);
    int count = 0;
    for (int row = 0; row < m_shown.rowCount() && !m_isFollowing; ++row) {
        const bool isNew = m_shown.mapToSource(m_shown.index(row, 0)).row() > last;
        count += isNew && m_shown.row(row).type == Type::Event ? 1 : 0;
    }
    return count;
}

// What was put on last is taken away first.
void EventsPage::escape()
{
    if (m_shown.range()) {
        clearRange();
        Q_EMIT rangeCleared();
    } else if (!m_filter->text().isEmpty()) {
        m_filter->setText({});
    } else {
        m_table->clearSelection();
        m_table->setFocus(Qt::ShortcutFocusReason);
    }
}

QList<Event> EventsPage::selectedEvents() const
{
    QList<int> rows;
    for (const QItemSelectionRange &range : m_table->selectionModel()->selection()) {
        for (int row = range.top(); row <= range.bottom(); ++row)
            rows.append(row);
    }
    std::sort(rows.begin(), rows.end());
    QList<Event> events;
    for (const int row : std::as_const(rows)) {
        if (m_shown.row(row).type == Type::Event)
            events.append(m_shown.row(row).event);
    }
    return events;
}

QString EventsPage::copied(CopyForm form) const
{
    QList<Event> events = selectedEvents();
    for (int row = 0; row < m_shown.rowCount() && m_table->selectionModel()->selection().isEmpty(); ++row) {
        if (m_shown.row(row).type == Type::Event)
            events.append(m_shown.row(row).event);
    }
    return copyOfEvents(form, m_node, events, m_filter->filter());
}

void EventsPage::copy(CopyForm form) const
{
    QGuiApplication::clipboard()->setText(copied(form));
}

void EventsPage::showState()
{
    m_count->setText(countText());
    m_range->setVisible(m_shown.range().has_value());
    m_range->setText(rangeText());
    m_follow->setVisible(m_node.isLive);
    m_follow->setChecked(m_isFollowing);
    m_state->setVisible(m_node.isLive);
    const int fresh = countNew();
    m_state->setText(m_isFollowing ? tr("New events are shown as they come.")
            : fresh == 0           ? tr("Paused.")
                                   : tr("Paused. %n new event(s).", nullptr, fresh));
    showEmpty();
}

void EventsPage::showEmpty()
{
    m_stack->setCurrentWidget(m_shown.eventCount() == 0 ? static_cast<QWidget *>(m_empty) : m_table);
    m_empty->setText(m_shown.isFiltered() && m_events.rowCount() > 0
            ? tr("No event is taken by this filter. Press Esc to take the filter away.")
            : m_node.isReached()
            ? tr("No event is known of this node yet. They are shown here as they come.")
            : tr("This node could not be reached, and nothing of it is known. Its events are shown here once it is."));
}

QString EventsPage::countText() const
{
    const int all = int(m_node.events.size());
    if (!m_shown.isFiltered())
        return tr("%n event(s)", nullptr, all);
    //: %1: how many are shown, %n: how many there are
    return tr("%1 of %n event(s)", nullptr, all).arg(m_shown.eventCount());
}

QString EventsPage::rangeText() const
{
    if (!m_shown.range())
        return {};
    //: A stretch of time. %1, %2: from and to, such as "+0.80 ms"; the cross takes it away
    return tr("%1 to %2 ✕").arg(offsetText(m_shown.range()->fromNs), offsetText(m_shown.range()->toNs));
}

} // namespace firstwatch::ui
