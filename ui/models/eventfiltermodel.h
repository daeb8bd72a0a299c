// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/eventmodel.h"
#include "ui/text/events.h"

#include <QAbstractProxyModel>

#include <optional>
#include <vector>

namespace firstwatch::ui {

// The events that are shown, in the order in which they came or by a column. Gaps and the beginnings of runs are shown
// whatever the filter is, since they say what is not there. (QSortFilterProxyModel takes rows away one stretch after
// the other, each with a signal: seconds for a filter that takes every other event of 100 000.)
class EventFilterModel final : public QAbstractProxyModel {
    Q_OBJECT
public:
    // A stretch of a run, both ends included, in nanoseconds since its beginning.
    struct Range {
        QByteArray boot;
        qint64 fromNs = 0;
        qint64 toNs = 0;
        friend bool operator==(const Range &, const Range &) = default;
    };
    explicit EventFilterModel(EventModel *events, QObject *parent = nullptr);

    // Each begins anew (modelReset) when it changes what is shown.
    void setFilter(const EventFilter &filter);
    void setRange(const std::optional<Range> &range);
    // By the time for EventModel::Seq and Time; by what is read from the file on for Detail.
    void sort(int column, Qt::SortOrder order) override;

    [[nodiscard]] const EventFilter &filter() const { return m_filter; }
    [[nodiscard]] const std::optional<Range> &range() const { return m_range; }
    [[nodiscard]] bool isFiltered() const { return m_range || !m_filter.terms.isEmpty() || m_filter.last >= 0; }
    [[nodiscard]] bool isInOrder() const; // oldest first
    [[nodiscard]] int eventCount() const { return m_eventCount; } // that are shown
    [[nodiscard]] const EventRow &row(int row) const { return m_events->row(m_rows[size_t(row)]); }
    [[nodiscard]] int rowOf(const QByteArray &boot, quint64 seq) const; // -1: not shown

    QModelIndex mapToSource(const QModelIndex &index) const override;
    QModelIndex mapFromSource(const QModelIndex &index) const override;
    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &child) const override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void begin(); // a reset
    void end(); // of it: chooses and arranges all anew
    [[nodiscard]] std::vector<int> chosen(int from, int to) const; // source rows, in their order
    [[nodiscard]] bool isInRange(const EventRow &row) const;
    void arrange();
    void sortByRank(std::vector<int>::iterator notes); // what stands before it
    [[nodiscard]] std::vector<quint32> ranks() const; // of each source row in the column that it is sorted by
    void sourceInserted(int first, int last);
    void sourceToRemove(int last);
    void sourceRemoved(int count);
    [[nodiscard]] int countEvents(const std::vector<int> &rows) const;

    EventModel *m_events;
    EventFilter m_filter;
    std::optional<Range> m_range;
    int m_column = EventModel::Seq;
    Qt::SortOrder m_order = Qt::AscendingOrder;
    std::vector<int> m_rows; // source rows in the order in which they are shown
    int m_eventCount = 0;
};

} // namespace firstwatch::ui
