// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStyledItemDelegate>

class QTableView;

namespace firstwatch::ui {

// Draws a cell of the item models in the colour of its role.
class CellDelegate final : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;
};

// A table of the inspector: whole rows, no grid, rows as high as the font asks for.
void setUpTable(QTableView *table);
// Of a column that this text fits into.
[[nodiscard]] int widthFor(const QTableView *table, const QString &text);

} // namespace firstwatch::ui
