// SPDX-License-Identifier: Apache-2.0
#include "ui/models/cellmodel.h"

#include "ui/models/tip.h"

#include <algorithm>
#include <set>

namespace firstwatch::ui {

CellModel::CellModel(QStringList titles, QObject *parent)
    : QAbstractTableModel(parent)
    , m_titles(std::move(titles))
{
}

int CellModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int CellModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_titles.size());
}

QVariant CellModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row &row = m_rows[index.row()];
    return cellData(row, row.cells[index.column()], role);
}

QVariant CellModel::cellData(const Row &row, const Cell &cell, int role) const
{
    switch (role) {
    case Qt::DisplayRole:
        return cell.text;
    case Qt::ToolTipRole:
        return cell.tip.isEmpty() ? QVariant() : tipText(cell.tip);
    case Qt::TextAlignmentRole:
        return int(Qt::AlignVCenter | (cell.isNumber ? Qt::AlignRight : Qt::AlignLeft));
    case CopyRole:
        return cell.copy.isEmpty() ? cell.text : cell.copy;
    case SortRole:
        return cell.sort.isValid() ? cell.sort : cell.text;
    case LookRole:
        return int(cell.look);
    case StateRole:
        return row.state ? QVariant(int(*row.state)) : QVariant();
    case SeverityRole:
        return row.severity ? QVariant(int(*row.severity)) : QVariant();
    case KeyRole:
        return row.key;
    default:
        return {};
    }
}

QVariant CellModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= m_titles.size())
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter | Qt::AlignLeft);
    return role == Qt::DisplayRole ? m_titles[section] : QVariant();
}

int CellModel::rowOf(const QString &key) const
{
    const auto found = std::find_if(m_rows.cbegin(), m_rows.cend(), [&](const Row &each) { return each.key == key; });
    return found == m_rows.cend() ? -1 : int(found - m_rows.cbegin());
}

// What is listed comes from outside, and may name one thing twice.
void CellModel::setRows(QList<Row> rows)
{
    Places places;
    for (int row = 0; row < rows.size(); ++row) {
        while (!places.emplace(rows[row].key, row).second)
            rows[row].key += u'+';
    }
    removeMissing(places);
    appendNew(rows);
    arrange(places);
    update(rows);
}

void CellModel::removeMissing(const Places &places)
{
    for (int last = int(m_rows.size()) - 1, first = last; last >= 0; last = --first) {
        if (places.contains(m_rows[last].key))
            continue;
        while (first > 0 && !places.contains(m_rows[first - 1].key))
            --first;
        beginRemoveRows({}, first, last);
        m_rows.remove(first, last - first + 1);
        endRemoveRows();
    }
}

void CellModel::appendNew(const QList<Row> &rows)
{
    std::set<QString> known;
    for (const Row &row : std::as_const(m_rows))
        known.insert(row.key);
    QList<Row> fresh = rows;
    fresh.removeIf([&](const Row &row) { return known.contains(row.key); });
    if (fresh.isEmpty())
        return;
    beginInsertRows({}, int(m_rows.size()), int(m_rows.size() + fresh.size()) - 1);
    m_rows += fresh;
    endInsertRows();
}

// The rows are those of `places` now, in whatever order.
void CellModel::arrange(const Places &places)
{
    const auto isBefore = [&](const Row &left, const Row &right) { return places.at(left.key) < places.at(right.key); };
    if (std::is_sorted(m_rows.cbegin(), m_rows.cend(), isBefore))
        return;
    Q_EMIT layoutAboutToBeChanged();
    const QList<Row> before = m_rows;
    std::sort(m_rows.begin(), m_rows.end(), isBefore);
    for (const QModelIndex &old : persistentIndexList())
        changePersistentIndex(old, index(places.at(before[old.row()].key), old.column()));
    Q_EMIT layoutChanged();
}

void CellModel::update(const QList<Row> &rows)
{
    for (int row = 0; row < m_rows.size(); ++row) {
        if (m_rows[row] == rows[row])
            continue;
        m_rows[row] = rows[row];
        Q_EMIT dataChanged(index(row, 0), index(row, columnCount() - 1));
    }
}

} // namespace firstwatch::ui
