// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/text/look.h"

#include <QList>

namespace firstwatch::ui {

// One row of characters, each with a role.
class Canvas {
public:
    explicit Canvas(int columns);

    [[nodiscard]] int columns() const { return int(m_cells.size()); }
    [[nodiscard]] bool isBlank(int column) const;
    // Beyond the row: nothing.
    void put(int column, char32_t sign, Role role = Role::Plain);
    void put(int column, const QString &text, Role role = Role::Plain);
    void fill(int from, int to, char32_t sign, Role role = Role::Plain); // both included
    // Without blanks at the end.
    [[nodiscard]] QString text(const Look &look) const;

private:
    struct Cell {
        char32_t sign = U' ';
        Role role = Role::Plain;
    };
    QList<Cell> m_cells;
};

} // namespace firstwatch::ui
