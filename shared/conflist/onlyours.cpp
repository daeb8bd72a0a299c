// SPDX-License-Identifier: Apache-2.0
#include "conflist/onlyours.h"

#include "conflist/plan.h"

// The check before each write. It shares the scanner with what it checks, and nothing of the splice.
namespace firstwatch::conflist {
namespace {

// A text without our elements: what must not change, cut at the elements of others.
struct Remainder {
    QByteArray before; // up to the first element, of whomever
    QList<QByteArray> elements; // those of others
    QList<QByteArray> separators; // before each of them but the first; null where ours stood between
    QByteArray after; // from the end of the last element, of whomever
};

std::optional<Remainder> remainderOf(const ReadText &read, const QByteArrayList &types)
{
    const auto &[text, config] = read;
    if (config.fault() || config.tooManyParts || config.plugins.isEmpty())
        return std::nullopt;
    Remainder remainder;
    remainder.before = text.first(config.plugins.constFirst().span.begin).toByteArray();
    remainder.after = text.sliced(config.plugins.constLast().span.end).toByteArray();
    qsizetype neighbour = -1; // the end of the element before, when it is not ours
    for (const Plugin &plugin : config.plugins) {
        if (types.contains(plugin.type)) {
            neighbour = -1;
            continue;
        }
        if (!remainder.elements.isEmpty())
            remainder.separators.append(
                neighbour < 0 ? QByteArray() : Span{ neighbour, plugin.span.begin }.of(text).toByteArray());
        remainder.elements.append(plugin.span.of(text).toByteArray());
        neighbour = plugin.span.end;
    }
    return remainder;
}

bool sameSeparators(const Remainder &a, const Remainder &b)
{
    for (qsizetype i = 0; i < a.separators.size(); ++i) {
        const bool oursBetween = a.separators[i].isNull() || b.separators[i].isNull();
        if (!oursBetween && a.separators[i] != b.separators[i])
            return false;
    }
    return true;
}

// The tokens of a text, white space between them dropped.
QByteArray tokens(QByteArrayView text)
{
    QByteArray result;
    bool inString = false;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (!inString && QByteArrayView(" \t\r\n").contains(c))
            continue;
        result += c;
        if (c == '"')
            inString = !inString;
        else if (c == '\\' && inString && i + 1 < text.size())
            result += text[++i];
    }
    return result;
}

// A conversion: the only element of others is the whole plugin that the file was.
bool wrapsOnly(const ReadText &before, const Remainder &after)
{
    const auto &[text, config] = before;
    return !config.fault() && !config.pluginsMember && config.root.kind == Kind::Object && after.elements.size() == 1
        && tokens(after.elements.constFirst()) == tokens(config.root.value.of(text));
}

} // namespace

bool changesOnlyOurs(const ReadText &before, const ReadText &after, const QByteArrayList &types)
{
    const std::optional<Remainder> is = remainderOf(after, types);
    if (!is)
        return false;
    const std::optional<Remainder> was = remainderOf(before, types);
    if (!was)
        return wrapsOnly(before, *is);
    return was->before == is->before && was->after == is->after && was->elements == is->elements
        && sameSeparators(*was, *is);
}

bool changesOnlyOurs(const QByteArray &before, const QByteArray &after, const QByteArrayList &types)
{
    const Config was = readConfig(before);
    const Config is = readConfig(after);
    return changesOnlyOurs({ before, was }, { after, is }, types);
}

} // namespace firstwatch::conflist
