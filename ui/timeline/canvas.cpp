// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/canvas.h"

#include <algorithm>

namespace firstwatch::ui {

Canvas::Canvas(int columns)
    : m_cells(std::max(columns, 0))
{
}

bool Canvas::isBlank(int column) const
{
    return column >= 0 && column < columns() && m_cells[column].sign == U' ';
}

void Canvas::put(int column, char32_t sign, Role role)
{
    if (column >= 0 && column < columns())
        m_cells[column] = { sign, role };
}

void Canvas::put(int column, const QString &text, Role role)
{
    for (const char32_t point : text.toUcs4())
        put(column++, point, role);
}

void Canvas::fill(int from, int to, char32_t sign, Role role)
{
    for (int column = std::max(from, 0); column <= std::min(to, columns() - 1); ++column)
        put(column, sign, role);
}

QString Canvas::text(const Look &look) const
{
    qsizetype end = m_cells.size();
    while (end > 0 && m_cells[end - 1].sign == U' ')
        --end;
    QString text;
    for (qsizetype begin = 0; begin < end;) {
        const Role role = m_cells[begin].role;
        QString run;
        qsizetype at = begin;
        for (; at < end && m_cells[at].role == role; ++at)
            run += QString::fromUcs4(&m_cells[at].sign, 1);
        text += painted(look, role, run);
        begin = at;
    }
    return text;
}

} // namespace firstwatch::ui
