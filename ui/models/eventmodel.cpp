// SPDX-License-Identifier: Apache-2.0
#include "ui/models/eventmodel.h"

#include "journal/humanline.h"
#include "ui/filter/matcher.h"
#include "ui/models/tip.h"
#include "ui/text/events.h"
#include "ui/text/findings.h"
#include "ui/text/units.h"

#include <QTimerEvent>

#include <algorithm>

namespace firstwatch::ui {

using journal::Event;
using Type = EventRow::Type;

namespace {

constexpr int foldedAtOnce = 500; // about a millisecond

QByteArray lastBootOf(const QList<Event> &events)
{
    const auto last = std::find_if(events.crbegin(), events.crend(), [](const Event &event) { return event.seq != 0; });
    return last == events.crend() ? QByteArray() : last->boot;
}

// The kind says what it is, also by its colour; the rest is text to be read.
Role lookOf(const EventRow &row, int column)
{
    switch (row.type) {
    case Type::Gap:
        return Role::Warning;
    case Type::Run:
        return Role::Strong;
    case Type::Event:
        break;
    }
    switch (column) {
    case EventModel::Kind:
        return roleOf(row.event);
    case EventModel::Seq:
    case EventModel::Via:
        return Role::Muted;
    default:
        return Role::Plain;
    }
}

QVariant severityOf(const EventRow &row)
{
    switch (lookOf(row, EventModel::Kind)) {
    case Role::Error:
        return int(journal::Severity::Error);
    case Role::Warning:
    case Role::Odd:
        return int(journal::Severity::Warning);
    default:
        return {};
    }
}

QString keyOf(const EventRow &row)
{
    const QString key = QString::fromUtf8(row.event.boot) + u'/' + QString::number(row.event.seq);
    return row.type == Type::Event ? key : key + (row.type == Type::Gap ? u'g' : u'r');
}

} // namespace

EventModel::EventModel(QObject *parent)
    : QAbstractTableModel(parent)
{
}

void EventModel::setNode(const Node &node)
{
    const int first = node.events.isEmpty() ? -1 : m_rows.find(node.events.first());
    const int known = first < 0 ? 0 : m_rows.eventsFrom(first);
    const bool goesOn = first >= 0 && known <= node.events.size()
        && m_rows.find(node.events[known - 1]) == m_rows.size() - 1 && m_rows.setGaps(node.gaps);
    if (!goesOn)
        return reset(node);
    if (first > 0) {
        beginRemoveRows({}, 0, first - 1);
        m_rows.removeFirst(first);
        m_foldedTo = std::max(m_foldedTo - first, 0);
        endRemoveRows();
    }
    append(node.events.mid(known));
}

void EventModel::reset(const Node &node)
{
    if (m_rows.size() == 0 && node.events.isEmpty())
        return;
    beginResetModel();
    m_rows.clear();
    m_foldedTo = 0;
    m_lastBoot = lastBootOf(node.events);
    (void)m_rows.setGaps(node.gaps);
    m_rows.append(m_rows.made(node.events, m_lastBoot));
    m_idle.start(0, this);
    endResetModel();
}

void EventModel::append(const QList<Event> &events)
{
    if (events.isEmpty())
        return;
    if (const QByteArray boot = lastBootOf(events); !boot.isEmpty())
        m_lastBoot = boot;
    std::vector<EventRow> rows = m_rows.made(events, m_lastBoot);
    beginInsertRows({}, m_rows.size(), m_rows.size() + int(rows.size()) - 1);
    m_rows.append(std::move(rows));
    m_idle.start(0, this);
    endInsertRows();
}

void EventModel::timerEvent(QTimerEvent *timer)
{
    if (timer->timerId() != m_idle.timerId())
        return QAbstractTableModel::timerEvent(timer);
    for (int count = 0; count < foldedAtOnce && m_foldedTo < m_rows.size(); ++count)
        (void)folded(m_foldedTo++);
    if (m_foldedTo == m_rows.size())
        m_idle.stop();
}

const QByteArray &EventModel::folded(int row) const
{
    EventRow &each = m_rows.at(row);
    if (each.folded.isEmpty())
        each.folded = foldedText(journal::humanText(each.event));
    return each.folded;
}

int EventModel::rowOf(const QByteArray &boot, quint64 seq) const
{
    for (int row = 0; row < m_rows.size(); ++row) {
        const EventRow &each = m_rows.at(row);
        if (each.event.seq == seq && each.type == Type::Event && each.event.boot == boot)
            return row;
    }
    return -1;
}

Facts EventModel::facts(int row, const Filter &filter) const
{
    const EventRow &each = m_rows.at(row);
    Facts facts;
    facts.file = m_rows.file(each);
    facts.wallUs = each.event.wallUs;
    if (filter.has(Filter::Key::Kind))
        facts.kind = kindText(each.event);
    if (filter.has(Filter::Key::State))
        facts.state = each.event.fields[QLatin1String("state")].toString();
    if (const int code = filter.has(Filter::Key::Code) ? each.event.fields[QLatin1String("code")].toInt() : 0;
        code != 0)
        facts.code = codeName(code);
    return facts;
}

int EventModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : m_rows.size();
}

int EventModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant EventModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const EventRow &each = m_rows.at(index.row());
    switch (role) {
    case Qt::DisplayRole:
    case CopyRole:
        return cellText(each, index.column());
    case Qt::ToolTipRole:
        return tipText(tip(each, index.column()));
    case Qt::TextAlignmentRole:
        return int(Qt::AlignVCenter | (index.column() <= Time ? Qt::AlignRight : Qt::AlignLeft));
    case LookRole:
        return int(lookOf(each, index.column()));
    case SeverityRole:
        return severityOf(each);
    case SortRole:
        return index.column() <= Time ? QVariant(index.row()) : cellText(each, index.column());
    case KeyRole:
        return keyOf(each);
    default:
        return {};
    }
}

QString EventModel::cellText(const EventRow &row, int column) const
{
    if (row.type != Type::Event)
        return noteText(row, column);
    switch (column) {
    case Seq:
        return row.event.seq == 0 ? QString() : QString::number(row.event.seq);
    case Time:
        return offsetText(m_rows.offsetNs(row));
    case Kind:
        return journal::shownText(kindText(row.event));
    case File:
        return journal::shownText(m_rows.file(row));
    case Detail:
        return journal::humanDetail(row.event);
    case Via:
        return journal::shownText(m_rows.via(row));
    default:
        return {};
    }
}

QString EventModel::noteText(const EventRow &row, int column) const
{
    if (column == Kind)
        return row.type == Type::Gap ? tr("gap") : tr("new run");
    if (column != Detail)
        return {};
    if (row.type == Type::Run)
        return tr("Firstwatch began anew at %1, boot %2. Times below count from there.")
            .arg(momentText(row.event.wallUs), QString::fromUtf8(row.event.boot));
    const stream::Manifest::Gap &gap = m_rows.gap(row);
    const quint64 count = gap.to < gap.from ? 0 : gap.to - gap.from + 1;
    return tr("%n event(s) were not received, %1 to %2: %3.", nullptr, int(std::min<quint64>(count, INT_MAX)))
        .arg(QString::number(gap.from), QString::number(gap.to), journal::shownText(gap.why));
}

QString EventModel::tip(const EventRow &row, int column) const
{
    if (row.type != Type::Event)
        return noteText(row, Detail);
    return column == Time ? timeTip(row) : column == Detail ? cellText(row, column) : QString();
}

QString EventModel::timeTip(const EventRow &row) const
{
    const QString wall = QString::fromLatin1(journal::wallText(row.event.wallUs));
    const EventRows::Run &run = m_rows.run(row);
    const QString sinceStart = tr("%1 since the run began").arg(offsetText(m_rows.offsetNs(row)));
    if (run.provenNs == 0)
        return wall + u'\n' + sinceStart;
    return wall + u'\n' + sinceStart + u'\n'
        + tr("%1 since the watch was proven").arg(offsetText(row.event.tNs - run.provenNs));
}

QVariant EventModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter | (section <= Time ? Qt::AlignRight : Qt::AlignLeft));
    const QString titles[] = { tr("Seq"), tr("Time"), tr("Kind"), tr("File"), tr("Detail"), tr("Via") };
    return role == Qt::DisplayRole ? titles[section] : QVariant();
}

} // namespace firstwatch::ui
