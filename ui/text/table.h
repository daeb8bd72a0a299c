// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/text/look.h"

#include <QList>

namespace firstwatch::ui {

// Columns of text for people: each as wide as its widest cell, the last one wrapped where the screen ends.
class Table {
public:
    enum class Side { Left, Right };
    struct Cell {
        QString text;
        Role role = Role::Plain;
    };
    struct Column {
        QString title;
        Side side = Side::Left;
    };

    Table(const Look &look, QList<Column> columns);
    // As many cells as columns; text from anywhere.
    void append(const QList<Cell> &cells);
    // With the titles first; every line ends with "\n". Only the titles when there is no row.
    [[nodiscard]] QString text() const;

private:
    [[nodiscard]] QList<int> widths() const;
    [[nodiscard]] QString line(const QList<Cell> &cells, const QList<int> &widths) const;
    [[nodiscard]] QStringList lastCell(const QString &text, int indent) const;

    Look m_look;
    QList<Column> m_columns;
    QList<QList<Cell>> m_rows;
};

} // namespace firstwatch::ui
