// SPDX-License-Identifier: Apache-2.0
#include "ui/text/sidebyside.h"

#include <QRegularExpression>

#include <algorithm>

namespace firstwatch::ui {

using Kind = SideLine::Kind;

namespace {

class Columns {
public:
    void take(const QString &line)
    {
        if (line.startsWith(QLatin1String("@@")))
            return beginPlace(line);
        if (!m_isInside)
            return;
        const QString text = line.mid(1);
        if (line.startsWith(u'-'))
            m_out.append({ text, ++m_left, 0, text.size() });
        else if (line.startsWith(u'+'))
            m_in.append({ text, ++m_right, 0, text.size() });
        else if (line.startsWith(u' '))
            takeSame(text);
    }

    QList<SideLine> lines()
    {
        pair();
        return m_lines;
    }

private:
    void beginPlace(const QString &line)
    {
        static const QRegularExpression place(QStringLiteral("^@@ -(\\d{1,9})(?:,\\d+)? \\+(\\d{1,9})"));
        pair();
        const QRegularExpressionMatch match = place.match(line);
        m_left = std::max(match.captured(1).toInt() - 1, 0);
        m_right = std::max(match.captured(2).toInt() - 1, 0);
        m_isInside = true;
        m_lines.append({ Kind::Place, { line, 0, 0, 0 }, { line, 0, 0, 0 } });
    }

    void takeSame(const QString &text)
    {
        pair();
        ++m_left;
        ++m_right;
        m_lines.append({ Kind::Same, { text, m_left, 0, 0 }, { text, m_right, 0, 0 } });
    }

    void pair()
    {
        for (qsizetype line = 0; line < std::max(m_out.size(), m_in.size()); ++line) {
            SideLine both{ Kind::Changed, m_out.value(line), m_in.value(line) };
            if (line < m_out.size() && line < m_in.size())
                narrow(both);
            m_lines.append(both);
        }
        m_out.clear();
        m_in.clear();
    }

    // To what stands between that which both begin and end with; where they share little, all of it is another line.
    static void narrow(SideLine &both)
    {
        const QString &left = both.left.text;
        const QString &right = both.right.text;
        const qsizetype shorter = std::min(left.size(), right.size());
        const auto from = std::mismatch(left.cbegin(), left.cbegin() + shorter, right.cbegin()).first - left.cbegin();
        qsizetype end = 0;
        while (end < shorter - from && left[left.size() - 1 - end] == right[right.size() - 1 - end])
            ++end;
        if (2 * (from + end) < shorter)
            return;
        both.left.from = both.right.from = from;
        both.left.size = left.size() - from - end;
        both.right.size = right.size() - from - end;
    }

    QList<SideLine> m_lines;
    QList<SideLine::Side> m_out;
    QList<SideLine::Side> m_in;
    int m_left = 0;
    int m_right = 0;
    bool m_isInside = false;
};

} // namespace

QList<SideLine> sideBySide(const QString &unifiedDiff)
{
    Columns columns;
    for (const QString &line : unifiedDiff.split(u'\n'))
        columns.take(line.endsWith(u'\r') ? line.chopped(1) : line);
    return columns.lines();
}

} // namespace firstwatch::ui
