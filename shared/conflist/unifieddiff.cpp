// SPDX-License-Identifier: Apache-2.0
#include "conflist/unifieddiff.h"

#include <QStringBuilder>

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

namespace firstwatch::conflist {
namespace {

// Lines removed and added together. Time grows with its product with the number of lines, memory with its square.
constexpr int mostEdits = 256;

using Lines = std::vector<QByteArrayView>; // each with its end
using Ids = std::vector<int>; // the same number for the same line

Lines linesOf(QByteArrayView text)
{
    Lines lines;
    while (!text.isEmpty()) {
        const qsizetype end = text.indexOf('\n');
        const qsizetype size = end < 0 ? text.size() : end + 1;
        lines.push_back(text.first(size));
        text = text.sliced(size);
    }
    return lines;
}

// Lines [begin, end) of one side against those of the other.
struct Change {
    int removedBegin = 0;
    int removedEnd = 0;
    int addedBegin = 0;
    int addedEnd = 0;
};

// What goes and what comes, line by line.
struct Marks {
    std::vector<bool> removed;
    std::vector<bool> added;
};

// E. W. Myers, "An O(ND) Difference Algorithm and Its Variations" (1986): how far along each diagonal x - y one comes
// with so many edits.
class Shortest {
public:
    Shortest(const Ids &before, const Ids &after)
        : m_before(before)
        , m_after(after)
        , m_limit(int(std::min<size_t>(before.size() + after.size(), mostEdits)))
        , m_furthest(size_t(m_limit) * 2 + 3, 0)
    {
    }

    // False when it takes more edits than are tried.
    bool find(Marks &marks)
    {
        for (int edits = 0; edits <= m_limit; ++edits) {
            m_trace.push_back(m_furthest);
            if (reachesEnd(edits)) {
                mark(edits, marks);
                return true;
            }
        }
        return false;
    }

private:
    [[nodiscard]] size_t at(int diagonal) const { return size_t(diagonal + m_limit + 1); }

    [[nodiscard]] bool comesFromAbove(const Ids &furthest, int diagonal, int edits) const
    {
        return diagonal == -edits || (diagonal != edits && furthest[at(diagonal - 1)] < furthest[at(diagonal + 1)]);
    }

    bool reachesEnd(int edits)
    {
        for (int diagonal = -edits; diagonal <= edits; diagonal += 2) {
            int x = comesFromAbove(m_furthest, diagonal, edits) ? m_furthest[at(diagonal + 1)]
                                                                : m_furthest[at(diagonal - 1)] + 1;
            while (isSame(x, x - diagonal))
                ++x;
            m_furthest[at(diagonal)] = x;
            if (x >= int(m_before.size()) && x - diagonal >= int(m_after.size()))
                return true;
        }
        return false;
    }

    [[nodiscard]] bool isSame(int x, int y) const
    {
        return x < int(m_before.size()) && y < int(m_after.size()) && m_before[size_t(x)] == m_after[size_t(y)];
    }

    void mark(int edits, Marks &marks) const
    {
        int x = int(m_before.size());
        int y = int(m_after.size());
        for (; edits > 0; --edits) {
            const Ids &furthest = m_trace[size_t(edits)];
            const bool isAdded = comesFromAbove(furthest, x - y, edits);
            const int diagonal = x - y + (isAdded ? 1 : -1);
            x = furthest[at(diagonal)];
            y = x - diagonal;
            if (isAdded)
                marks.added[size_t(y)] = true;
            else
                marks.removed[size_t(x)] = true;
        }
    }

    const Ids &m_before;
    const Ids &m_after;
    int m_limit;
    Ids m_furthest;
    std::vector<Ids> m_trace; // m_furthest before each number of edits
};

// Both sides, and what they have in common at either end.
class Comparison {
public:
    Comparison(QByteArrayView textBefore, QByteArrayView textAfter)
        : before(linesOf(textBefore))
        , after(linesOf(textAfter))
    {
        const size_t shorter = std::min(before.size(), after.size());
        while (m_head < shorter && before[m_head] == after[m_head])
            ++m_head;
        while (m_tail < shorter - m_head && before[before.size() - 1 - m_tail] == after[after.size() - 1 - m_tail])
            ++m_tail;
    }

    [[nodiscard]] std::vector<Change> changes() const
    {
        const Ids removed = middle(before);
        const Ids added = middle(after);
        if (removed.empty() && added.empty())
            return {};
        Marks marks{ std::vector<bool>(removed.size()), std::vector<bool>(added.size()) };
        if (!Shortest(removed, added).find(marks))
            return { { int(m_head), int(m_head + removed.size()), int(m_head), int(m_head + added.size()) } };
        return runs(marks);
    }

    const Lines before;
    const Lines after;

private:
    [[nodiscard]] Ids middle(const Lines &lines) const
    {
        Ids ids;
        for (size_t i = m_head; i < lines.size() - m_tail; ++i) {
            const std::string_view line(lines[i].data(), size_t(lines[i].size()));
            ids.push_back(m_known.emplace(line, int(m_known.size())).first->second);
        }
        return ids;
    }

    // Where nothing is marked, both sides go on together.
    [[nodiscard]] std::vector<Change> runs(const Marks &marks) const
    {
        std::vector<Change> changes;
        size_t x = 0;
        size_t y = 0;
        while (x < marks.removed.size() || y < marks.added.size()) {
            const size_t fromX = x;
            const size_t fromY = y;
            while (x < marks.removed.size() && marks.removed[x])
                ++x;
            while (y < marks.added.size() && marks.added[y])
                ++y;
            if (x > fromX || y > fromY)
                changes.push_back({ int(m_head + fromX), int(m_head + x), int(m_head + fromY), int(m_head + y) });
            else
                ++x, ++y;
        }
        return changes;
    }

    size_t m_head = 0; // lines
    size_t m_tail = 0;
    mutable std::map<std::string_view, int> m_known;
};

QByteArray row(char sign, QByteArrayView line)
{
    const QByteArray text = sign + line.toByteArray();
    return line.endsWith('\n') ? text : text + "\n\\ No newline at end of file\n";
}

// "12,5", or "12" for one line. Where there is none, the line before it is meant.
QByteArray range(int begin, int end)
{
    const int count = end - begin;
    const QByteArray first = QByteArray::number(count == 0 ? begin : begin + 1);
    return count == 1 ? first : first + ',' + QByteArray::number(count);
}

// Changes [from, to), near each other, with the lines between and around them.
QByteArray hunk(const Comparison &texts, const Change *from, const Change *to, int context)
{
    const Change &last = *(to - 1);
    const int lead = std::min(context, from->removedBegin);
    const int trail = std::min(context, int(texts.before.size()) - last.removedEnd);
    QByteArray text = "@@ -" + range(from->removedBegin - lead, last.removedEnd + trail) + " +"
        + range(from->addedBegin - lead, last.addedEnd + trail) + " @@\n";
    int line = from->removedBegin - lead; // of the text before
    const auto keep = [&](int end) {
        for (; line < end; ++line)
            text += row(' ', texts.before[size_t(line)]);
    };
    for (const Change *change = from; change != to; ++change) {
        keep(change->removedBegin);
        for (; line < change->removedEnd; ++line)
            text += row('-', texts.before[size_t(line)]);
        for (int added = change->addedBegin; added < change->addedEnd; ++added)
            text += row('+', texts.after[size_t(added)]);
    }
    keep(last.removedEnd + trail);
    return text;
}

} // namespace

QByteArray unifiedDiff(QByteArrayView before, QByteArrayView after, const DiffLabels &labels, int context)
{
    const Comparison texts(before, after);
    const std::vector<Change> changes = texts.changes();
    if (changes.empty())
        return {};
    QByteArray text = "--- " + labels.before + "\n+++ " + labels.after + '\n';
    const Change *const end = changes.data() + changes.size();
    for (const Change *from = changes.data(); from != end;) {
        const Change *to = from + 1;
        while (to != end && to->removedBegin - (to - 1)->removedEnd <= 2 * context)
            ++to;
        text += hunk(texts, from, to, context);
        from = to;
    }
    return text;
}

} // namespace firstwatch::conflist
