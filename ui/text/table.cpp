// SPDX-License-Identifier: Apache-2.0
#include "ui/text/table.h"

#include <algorithm>

namespace firstwatch::ui {
namespace {

constexpr int gap = 2; // between two columns
constexpr int narrowest = 24; // of a wrapped last column

QString aligned(const QString &text, int width, Table::Side side)
{
    const QString blank(std::max(width - widthOf(text), 0), u' ');
    return side == Table::Side::Right ? blank + text : text + blank;
}

} // namespace

Table::Table(const Look &look, QList<Column> columns)
    : m_look(look)
    , m_columns(std::move(columns))
{
}

void Table::append(const QList<Cell> &cells)
{
    QList<Cell> row;
    for (const Cell &cell : cells)
        row.append({ shown(m_look, cell.text), cell.role });
    m_rows.append(row);
}

QString Table::text() const
{
    QList<Cell> titles;
    for (const Column &column : m_columns)
        titles.append({ column.title, Role::Muted });
    const QList<int> all = widths();
    QString text = line(titles, all);
    for (const QList<Cell> &row : m_rows)
        text += line(row, all);
    return text;
}

QList<int> Table::widths() const
{
    QList<int> widths;
    for (qsizetype column = 0; column < m_columns.size(); ++column) {
        int width = widthOf(m_columns[column].title);
        for (const QList<Cell> &row : m_rows)
            width = std::max(width, widthOf(row[column].text));
        widths.append(width);
    }
    return widths;
}

QString Table::line(const QList<Cell> &cells, const QList<int> &widths) const
{
    QString text;
    int indent = 0;
    for (qsizetype column = 0; column + 1 < cells.size(); ++column) {
        const Cell &cell = cells[column];
        text +=
            painted(m_look, cell.role, aligned(cell.text, widths[column], m_columns[column].side)) + QString(gap, u' ');
        indent += widths[column] + gap;
    }
    const Side side = m_columns.last().side;
    const QString last = side == Side::Right ? aligned(cells.last().text, widths.last(), side) : cells.last().text;
    QStringList lines = lastCell(last, indent);
    for (QString &each : lines)
        each = painted(m_look, cells.last().role, each);
    text += lines.join(u'\n' + QString(indent, u' '));
    while (text.endsWith(u' '))
        text.chop(1);
    return text + u'\n';
}

QStringList Table::lastCell(const QString &text, int indent) const
{
    const int room = m_look.columns - indent;
    return m_look.columns == 0 || room < narrowest || widthOf(text) <= room ? QStringList{ text } : wrapped(text, room);
}

} // namespace firstwatch::ui
