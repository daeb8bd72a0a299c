// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/celldelegate.h"

#include "ui/inspector/theme.h"
#include "ui/models/roles.h"

#include <QHeaderView>
#include <QPainter>
#include <QStyle>
#include <QTableView>

namespace firstwatch::ui {

void CellDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    const auto role = Role(index.data(LookRole).toInt());
    if (role == Role::Strong)
        option->font.setBold(true);
    else if (role != Role::Plain)
        option->palette.setColor(QPalette::Text, colourOf(role, option->palette));
}

// With room behind the text, so that a number does not run into the column beside it.
void CellDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QStyleOptionViewItem cell(option);
    initStyleOption(&cell, index);
    const QStyle *const style = option.widget->style();
    style->drawPrimitive(QStyle::PE_PanelItemViewItem, &cell, painter, option.widget);
    cell.rect.adjust(0, 0, -grid, 0);
    style->drawControl(QStyle::CE_ItemViewItem, &cell, painter, option.widget);
}

void setUpTable(QTableView *table)
{
    table->setItemDelegate(new CellDelegate(table));
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setShowGrid(false);
    table->setAlternatingRowColors(true);
    table->setWordWrap(false);
    table->setTabKeyNavigation(false);
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->setFrameShape(QFrame::NoFrame);
    table->verticalHeader()->hide();
    table->verticalHeader()->setMinimumSectionSize(0);
    table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 2 * grid);
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setStretchLastSection(true);
}

int widthFor(const QTableView *table, const QString &text)
{
    return table->fontMetrics().horizontalAdvance(text) + 6 * grid;
}

} // namespace firstwatch::ui
