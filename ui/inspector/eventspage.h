// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/eventfiltermodel.h"
#include "ui/text/copyas.h"

#include <QWidget>

class QCheckBox;
class QLabel;
class QMenu;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace firstwatch::ui {

class FilterField;
class TableKeeper;

// What happened on a node, in a table that follows it. Choosing a row stops it from moving away; how much has come
// meanwhile is said below.
class EventsPage final : public QWidget {
    Q_OBJECT
public:
    explicit EventsPage(QWidget *parent = nullptr);

    // Keeps filter, selection and place.
    void setNode(const Node &node);
    [[nodiscard]] bool isFollowing() const { return m_isFollowing; }
    [[nodiscard]] QList<journal::Event> selectedEvents() const; // in the order of the table; empty: none
    [[nodiscard]] QString copied(CopyForm form) const; // of what is selected, or else of all that is shown

public Q_SLOTS:
    // Of the run that is shown. A row that the filter hides is not shown for it.
    void selectEvent(quint64 seq);
    // Only what happened in this stretch of the run that is shown, in nanoseconds since its start.
    void setRange(qint64 fromNs, qint64 toNs);
    void clearRange();
    void setFilterText(const QString &text);
    void setFollowing(bool isOn);

Q_SIGNALS:
    void eventSelected(quint64 seq); // by a person; of the run that is shown
    void rangeCleared(); // by a person

private:
    void buildTable();
    void buildCopyMenu();
    void addKeys();
    void arrange();
    void addColumns();
    void useFilter();
    void choose(const QModelIndex &current);
    [[nodiscard]] int countNew() const;
    void escape();
    void showNewest();
    void copy(CopyForm form) const;
    void showState();
    void showEmpty();
    [[nodiscard]] QString countText() const;
    [[nodiscard]] QString rangeText() const;

    Node m_node;
    EventModel m_events;
    EventFilterModel m_shown{ &m_events };
    bool m_isFollowing = true;
    journal::Event m_lastSeen; // when it was paused

    FilterField *m_filter;
    QToolButton *m_range;
    QLabel *m_count;
    QTableView *m_table;
    QLabel *m_empty;
    QStackedWidget *m_stack;
    QCheckBox *m_follow;
    QLabel *m_state;
    QToolButton *m_copyAs;
    QMenu *m_copyMenu;
    TableKeeper *m_keeper;
};

} // namespace firstwatch::ui
