// SPDX-License-Identifier: Apache-2.0
#include "ui/models/eventfiltermodel.h"

#include "ui/filter/matcher.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <unordered_map>

namespace firstwatch::ui {

using Type = EventRow::Type;

namespace {

// The kind stands before it in what there is to read.
constexpr qsizetype detailColumn = 19;

std::string_view detailOf(const QByteArray &folded)
{
    const qsizetype begin = std::min(detailColumn, folded.size());
    return { folded.constData() + begin, size_t(folded.size() - begin) };
}

// The place of each row's key among all keys, in order. Many rows share a key: each is compared once.
template <typename Key, typename KeyOf> std::vector<quint32> ranksOf(int count, KeyOf keyOf)
{
    std::unordered_map<Key, quint32> numbers;
    std::vector<Key> keys;
    std::vector<quint32> ranks;
    ranks.reserve(size_t(count));
    for (int row = 0; row < count; ++row) {
        const auto [place, isNew] = numbers.emplace(keyOf(row), quint32(keys.size()));
        if (isNew)
            keys.push_back(place->first);
        ranks.push_back(place->second);
    }
    std::vector<quint32> order(keys.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](quint32 left, quint32 right) { return keys[left] < keys[right]; });
    std::vector<quint32> rankOf(keys.size());
    for (quint32 rank = 0; rank < order.size(); ++rank)
        rankOf[order[rank]] = rank;
    for (quint32 &rank : ranks)
        rank = rankOf[rank];
    return ranks;
}

bool isByTime(int column)
{
    return column == EventModel::Seq || column == EventModel::Time;
}

} // namespace

EventFilterModel::EventFilterModel(EventModel *events, QObject *parent)
    : QAbstractProxyModel(parent)
    , m_events(events)
{
    setSourceModel(events);
    connect(events, &EventModel::modelAboutToBeReset, this, &EventFilterModel::begin);
    connect(events, &EventModel::modelReset, this, &EventFilterModel::end);
    connect(events, &EventModel::rowsInserted, this,
        [this](const QModelIndex &, int first, int last) { sourceInserted(first, last); });
    connect(events, &EventModel::rowsAboutToBeRemoved, this,
        [this](const QModelIndex &, int, int last) { sourceToRemove(last); });
    connect(events, &EventModel::rowsRemoved, this,
        [this](const QModelIndex &, int, int last) { sourceRemoved(last + 1); });
    begin();
    end();
}

void EventFilterModel::setFilter(const EventFilter &filter)
{
    const bool isSame = filter.terms == m_filter.terms && filter.last == m_filter.last
        && (filter.nowUs == m_filter.nowUs || !filter.terms.has(Filter::Key::Since));
    if (!isSame)
        begin();
    m_filter = filter;
    if (!isSame)
        end();
}

void EventFilterModel::setRange(const std::optional<Range> &range)
{
    if (range == m_range)
        return;
    begin();
    m_range = range;
    end();
}

void EventFilterModel::sort(int column, Qt::SortOrder order)
{
    if (column < 0)
        column = EventModel::Seq;
    if (column == m_column && order == m_order)
        return;
    begin();
    m_column = column;
    m_order = order;
    end();
}

bool EventFilterModel::isInOrder() const
{
    return isByTime(m_column) && m_order == Qt::AscendingOrder;
}

void EventFilterModel::begin()
{
    beginResetModel();
}

void EventFilterModel::end()
{
    m_rows = chosen(0, m_events->rowCount());
    m_eventCount = countEvents(m_rows);
    if (m_filter.last >= 0 && m_eventCount > m_filter.last) {
        int tooMany = m_eventCount - int(m_filter.last);
        std::erase_if(m_rows, [&](int row) { return m_events->row(row).type == Type::Event && tooMany-- > 0; });
        m_eventCount = int(m_filter.last);
    }
    arrange();
    endResetModel();
}

std::vector<int> EventFilterModel::chosen(int from, int to) const
{
    const Matcher matcher(m_filter.terms, m_filter.nowUs);
    const bool hasTerms = !m_filter.terms.isEmpty();
    const auto takes = [&](int row) {
        static const QByteArray none;
        return !hasTerms
            || matcher.takes(m_events->facts(row, m_filter.terms), matcher.hasWords() ? m_events->folded(row) : none);
    };
    std::vector<int> rows;
    for (int row = from; row < to; ++row) {
        const EventRow &each = m_events->row(row);
        if (each.type != Type::Event || (isInRange(each) && takes(row)))
            rows.push_back(row);
    }
    return rows;
}

bool EventFilterModel::isInRange(const EventRow &row) const
{
    if (!m_range)
        return true;
    const qint64 offsetNs = m_events->rows().offsetNs(row);
    return offsetNs >= m_range->fromNs && offsetNs <= m_range->toNs && row.event.boot == m_range->boot;
}

int EventFilterModel::countEvents(const std::vector<int> &rows) const
{
    return int(
        std::count_if(rows.cbegin(), rows.cend(), [this](int row) { return m_events->row(row).type == Type::Event; }));
}

// Where it is not by the time, what is no event stands below.
void EventFilterModel::arrange()
{
    if (isByTime(m_column)) {
        if (m_order == Qt::DescendingOrder)
            std::reverse(m_rows.begin(), m_rows.end());
        return;
    }
    const auto notes = std::stable_partition(
        m_rows.begin(), m_rows.end(), [this](int row) { return m_events->row(row).type == Type::Event; });
    sortByRank(notes);
    if (m_order == Qt::DescendingOrder)
        std::reverse(m_rows.begin(), notes);
}

// (The comparison is copied with each step of the sort: it holds no ranks of its own.)
void EventFilterModel::sortByRank(std::vector<int>::iterator notes)
{
    const std::vector<quint32> rank = ranks();
    std::stable_sort(
        m_rows.begin(), notes, [&rank](int left, int right) { return rank[size_t(left)] < rank[size_t(right)]; });
}

std::vector<quint32> EventFilterModel::ranks() const
{
    const int count = m_events->rowCount();
    const EventRows &rows = m_events->rows();
    switch (m_column) {
    case EventModel::Kind:
        return ranksOf<QString>(count, [&](int row) { return kindText(rows.at(row).event); });
    case EventModel::File:
        return ranksOf<QString>(count, [&](int row) { return rows.file(rows.at(row)); });
    case EventModel::Via:
        return ranksOf<QString>(count, [&](int row) { return rows.via(rows.at(row)); });
    default:
        return ranksOf<std::string_view>(count, [&](int row) { return detailOf(m_events->folded(row)); });
    }
}

void EventFilterModel::sourceInserted(int first, int last)
{
    if (!isInOrder() || m_filter.last >= 0) {
        begin();
        return end();
    }
    const std::vector<int> rows = chosen(first, last + 1);
    if (rows.empty())
        return;
    beginInsertRows({}, int(m_rows.size()), int(m_rows.size() + rows.size()) - 1);
    m_rows.insert(m_rows.end(), rows.cbegin(), rows.cend());
    m_eventCount += countEvents(rows);
    endInsertRows();
}

// Only the oldest are ever taken away.
void EventFilterModel::sourceToRemove(int last)
{
    if (!isInOrder() || m_filter.last >= 0)
        return begin();
    const auto end = std::upper_bound(m_rows.cbegin(), m_rows.cend(), last);
    if (end != m_rows.cbegin())
        beginRemoveRows({}, 0, int(end - m_rows.cbegin()) - 1);
}

void EventFilterModel::sourceRemoved(int count)
{
    if (!isInOrder() || m_filter.last >= 0)
        return end();
    const auto last = std::lower_bound(m_rows.cbegin(), m_rows.cend(), count);
    const bool isAny = last != m_rows.cbegin();
    m_rows.erase(m_rows.cbegin(), last);
    for (int &row : m_rows)
        row -= count;
    m_eventCount = countEvents(m_rows);
    if (isAny)
        endRemoveRows();
}

int EventFilterModel::rowOf(const QByteArray &boot, quint64 seq) const
{
    const int source = m_events->rowOf(boot, seq);
    return source < 0 ? -1 : mapFromSource(m_events->index(source, 0)).row();
}

QModelIndex EventFilterModel::mapToSource(const QModelIndex &index) const
{
    if (!index.isValid() || index.row() >= int(m_rows.size()))
        return {};
    return m_events->index(m_rows[size_t(index.row())], index.column());
}

QModelIndex EventFilterModel::mapFromSource(const QModelIndex &index) const
{
    const auto found = std::find(m_rows.cbegin(), m_rows.cend(), index.isValid() ? index.row() : -1);
    return found == m_rows.cend() ? QModelIndex() : createIndex(int(found - m_rows.cbegin()), index.column());
}

QModelIndex EventFilterModel::index(int row, int column, const QModelIndex &parent) const
{
    return hasIndex(row, column, parent) ? createIndex(row, column) : QModelIndex();
}

QModelIndex EventFilterModel::parent(const QModelIndex &) const
{
    return {};
}

int EventFilterModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int EventFilterModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : EventModel::ColumnCount;
}

QVariant EventFilterModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    return m_events->headerData(section, orientation, role);
}

} // namespace firstwatch::ui
