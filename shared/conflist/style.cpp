// SPDX-License-Identifier: Apache-2.0
#include "conflist/style.h"

#include <algorithm>

namespace firstwatch::conflist {
namespace {

// Longer runs of blanks are no style, and would be repeated with each of our lines.
constexpr qsizetype maximumRun = 32;

bool isBlank(char c)
{
    return c == ' ' || c == '\t';
}

qsizetype lineStart(QByteArrayView text, qsizetype offset)
{
    return text.first(offset).lastIndexOf('\n') + 1;
}

QByteArray lineIndentation(QByteArrayView text, qsizetype offset)
{
    const qsizetype start = lineStart(text, offset);
    qsizetype end = start;
    while (end < text.size() && isBlank(text[end]))
        ++end;
    return end - start > maximumRun ? QByteArray() : text.sliced(start, end - start).toByteArray();
}

// What stands between two tokens, when it is on one line.
std::optional<QByteArray> between(QByteArrayView text, qsizetype begin, qsizetype end)
{
    const QByteArrayView gap = text.sliced(begin, end - begin);
    const bool usable = gap.size() <= maximumRun && !gap.contains('\n') && !gap.contains('\r');
    return usable ? std::optional(gap.toByteArray()) : std::nullopt;
}

std::optional<QByteArray> colonOf(QByteArrayView text, const QList<Item> &members)
{
    return members.isEmpty() ? std::nullopt
                             : between(text, members.constFirst().key.end, members.constFirst().value.begin);
}

std::optional<QByteArray> commaOf(QByteArrayView text, const QList<Item> &members)
{
    return members.size() < 2 ? std::nullopt : between(text, members[0].value.end, members[1].key.begin);
}

// Deeper than `base`, or the way in which the outer object is indented, or two blanks.
QByteArray unitOf(QByteArrayView text, const QByteArray &base, const QList<Item> &members, const QList<Item> &around)
{
    if (!members.isEmpty()) {
        const std::optional<QByteArray> inner = indentationAt(text, members.constFirst().key.begin);
        if (inner && inner->size() > base.size() && inner->startsWith(base))
            return inner->sliced(base.size());
    }
    if (!around.isEmpty()) {
        const std::optional<QByteArray> outer = indentationAt(text, around.constFirst().key.begin);
        if (outer && !outer->isEmpty())
            return *outer;
    }
    return "  ";
}

} // namespace

std::optional<QByteArray> indentationAt(QByteArrayView text, qsizetype offset)
{
    const qsizetype start = lineStart(text, offset);
    const QByteArrayView run = text.sliced(start, offset - start);
    if (start == 0 || run.size() > maximumRun || !std::all_of(run.begin(), run.end(), isBlank))
        return std::nullopt;
    return run.toByteArray();
}

QByteArray newlineOf(QByteArrayView text)
{
    const qsizetype end = text.indexOf('\n');
    return end > 0 && text[end - 1] == '\r' ? "\r\n" : "\n";
}

Style styleOf(QByteArrayView text, Span object, const QList<Item> &members, const QList<Item> &around)
{
    Style style;
    style.colon = colonOf(text, members).value_or(colonOf(text, around).value_or(": "));
    const bool spaced = isBlank(style.colon.back());
    style.comma = commaOf(text, members).value_or(commaOf(text, around).value_or(spaced ? ", " : ","));
    if (object.of(text).contains('\n')) {
        style.newline = newlineOf(text);
        style.base = lineIndentation(text, object.end - 1);
        style.unit = unitOf(text, style.base, members, around);
    } else if (!members.isEmpty()) {
        style.padding = between(text, object.begin + 1, members.constFirst().key.begin).value_or("");
    }
    return style;
}

} // namespace firstwatch::conflist
