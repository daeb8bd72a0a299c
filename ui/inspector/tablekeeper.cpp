// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/tablekeeper.h"

#include "ui/models/roles.h"

#include <QItemSelectionModel>
#include <QScrollBar>
#include <QTableView>

namespace firstwatch::ui {

TableKeeper::TableKeeper(QTableView *table)
    : QObject(table)
    , m_table(table)
{
    connect(table->model(), &QAbstractItemModel::modelAboutToBeReset, this, &TableKeeper::remember);
    connect(table->model(), &QAbstractItemModel::modelReset, this, &TableKeeper::restore);
}

QString TableKeeper::keyAt(int row) const
{
    return m_table->model()->index(row, 0).data(KeyRole).toString();
}

void TableKeeper::remember()
{
    m_isAtWork = true;
    m_selected.clear();
    for (const QModelIndex &row : m_table->selectionModel()->selectedRows())
        m_selected.insert(keyAt(row.row()));
    m_current = keyAt(m_table->currentIndex().row());
    m_top = keyAt(m_table->rowAt(0)); // empty where there is no row
}

void TableKeeper::restore()
{
    QItemSelection selection;
    int current = m_current.isEmpty() ? 0 : -1;
    int top = m_top.isEmpty() ? 0 : -1;
    for (int row = 0; row < m_table->model()->rowCount(); ++row) {
        if (current >= 0 && top >= 0 && selection.size() == m_selected.size())
            break;
        const QString key = keyAt(row);
        if (m_selected.contains(key))
            selection.append(QItemSelectionRange(
                m_table->model()->index(row, 0), m_table->model()->index(row, m_table->model()->columnCount() - 1)));
        current = key == m_current ? row : current;
        top = key == m_top ? row : top;
    }
    QItemSelectionModel *const model = m_table->selectionModel();
    model->select(selection, QItemSelectionModel::ClearAndSelect);
    if (current >= 0 && !m_current.isEmpty())
        model->setCurrentIndex(m_table->model()->index(current, 0), QItemSelectionModel::NoUpdate);
    if (top >= 0 && !m_top.isEmpty())
        m_table->scrollTo(m_table->model()->index(top, 0), QAbstractItemView::PositionAtTop);
    m_isAtWork = false;
}

} // namespace firstwatch::ui
