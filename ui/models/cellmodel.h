// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "journal/codes.h"
#include "journal/state.h"
#include "ui/models/roles.h"
#include "ui/text/look.h"

#include <QAbstractTableModel>
#include <QVariant>

#include <map>
#include <optional>

namespace firstwatch::ui {

// A short list of which every row is made anew when something has changed. Rows are told apart by their key, so that a
// selection stays where it was, and only what has changed is drawn again.
class CellModel : public QAbstractTableModel {
    Q_OBJECT
public:
    int rowCount(const QModelIndex &parent = {}) const final;
    int columnCount(const QModelIndex &parent = {}) const final;
    QVariant data(const QModelIndex &index, int role) const final;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const final;

    [[nodiscard]] int rowOf(const QString &key) const; // -1: not listed

protected:
    struct Cell {
        QString text;
        QString tip = {}; // empty: none
        QVariant sort = {}; // invalid: the text
        QString copy = {}; // empty: the text
        Role look = Role::Plain;
        bool isNumber = false; // stands at the right
        friend bool operator==(const Cell &, const Cell &) = default;
    };
    struct Row {
        QString key; // of this row only
        QList<Cell> cells; // one a column
        std::optional<journal::State> state = {};
        std::optional<journal::Severity> severity = {};
        friend bool operator==(const Row &, const Row &) = default;
    };

    CellModel(QStringList titles, QObject *parent);
    void setRows(QList<Row> rows);

private:
    using Places = std::map<QString, int>; // by key

    void removeMissing(const Places &places);
    void appendNew(const QList<Row> &rows);
    void arrange(const Places &places);
    void update(const QList<Row> &rows);
    [[nodiscard]] QVariant cellData(const Row &row, const Cell &cell, int role) const;

    QStringList m_titles;
    QList<Row> m_rows;
};

} // namespace firstwatch::ui
