// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/eventrows.h"
#include "ui/models/roles.h"
#include "ui/text/node.h"

#include <QAbstractTableModel>
#include <QBasicTimer>

namespace firstwatch::ui {

// Events of a node as they came, of every run that is known. Between them stand a line for each gap, and one where
// another run begins. Up to 100 000 of them are meant: what a cell shows is made when it is asked for.
class EventModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Seq, Time, Kind, File, Detail, Via, ColumnCount };
    explicit EventModel(QObject *parent = nullptr);

    // Appends what is new where the node's events go on from those that are listed, and begins anew otherwise.
    void setNode(const Node &node);
    // Of the last run, or of one after it.
    void append(const QList<journal::Event> &events);

    [[nodiscard]] const EventRow &row(int row) const { return m_rows.at(row); }
    [[nodiscard]] const EventRows &rows() const { return m_rows; }
    [[nodiscard]] int rowOf(const QByteArray &boot, quint64 seq) const; // -1: not listed
    // What a filter is told of an event, without its text; what the filter does not ask for may be left out.
    [[nodiscard]] Facts facts(int row, const Filter &filter) const;
    // foldedText() of what there is to read of an event. It is made when nothing else is to be done, so that a filter
    // does not have to wait for it.
    [[nodiscard]] const QByteArray &folded(int row) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

protected:
    void timerEvent(QTimerEvent *timer) override;

private:
    void reset(const Node &node);
    [[nodiscard]] QString cellText(const EventRow &row, int column) const;
    [[nodiscard]] QString noteText(const EventRow &row, int column) const;
    [[nodiscard]] QString tip(const EventRow &row, int column) const;
    [[nodiscard]] QString timeTip(const EventRow &row) const;

    mutable EventRows m_rows; // their folded text is a cache
    QByteArray m_lastBoot;
    QBasicTimer m_idle;
    int m_foldedTo = 0; // rows before it have their text ready
};

} // namespace firstwatch::ui
