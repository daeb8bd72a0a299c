// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/qnamespace.h>

namespace firstwatch::ui {

// What the item models of this room tell besides the text and the tooltip of a cell.
enum ItemRole {
    CopyRole = Qt::UserRole, // QString: whole where the text of the cell is shortened
    SortRole, // what the column is sorted by; of one type in each column, and the smaller is the worse
    LookRole, // int, a ui::Role: how the cell is coloured
    StateRole, // int, a journal::State; invalid where the row is no node
    SeverityRole, // int, a journal::Severity; invalid where the row has none
    KeyRole, // QString: what the row is, in whatever order and for how long it is listed
};

} // namespace firstwatch::ui
