// SPDX-License-Identifier: Apache-2.0
#include "ui/filter/filter.h"

#include "ui/filter/filterparser.h"
#include "ui/filter/matcher.h"
#include "ui/text/units.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace firstwatch::ui {

using Key = Filter::Key;
using Term = Filter::Term;

namespace {

auto orderOf(const Term &term)
{
    return std::tuple(term.key, term.isNegated);
}

// Of two spans the shorter holds; words have to hold each.
void merge(Term &into, const Term &from)
{
    if (into.key == Key::Since) {
        if (spanFromText(from.values.first()) < spanFromText(into.values.first()))
            into.values = from.values;
        return;
    }
    into.values += from.values;
    into.values.removeDuplicates();
}

QString termText(const Term &term)
{
    QStringList values;
    for (const QString &value : term.values)
        values += quotedForFilter(value, term.key);
    const QString head = term.key == Key::Word ? QString() : QString(filterKeyName(term.key)) + u':';
    return (term.isNegated ? QStringLiteral("-") : QString()) + head + values.join(u',');
}

} // namespace

QLatin1String filterKeyName(Key key)
{
    constexpr std::array names{ QLatin1String("kind"), QLatin1String("file"), QLatin1String("node"),
        QLatin1String("state"), QLatin1String("code"), QLatin1String("since"), QLatin1String("") };
    return names.at(size_t(key));
}

std::optional<Filter> Filter::parse(const QString &text, Error &error)
{
    return parseFilter(text, error);
}

void Filter::add(const Term &term)
{
    const auto same = std::find_if(m_terms.begin(), m_terms.end(),
        [&](const Term &each) { return term.key == Key::Word ? each == term : orderOf(each) == orderOf(term); });
    if (same != m_terms.end())
        return merge(*same, term);
    const auto place = std::upper_bound(m_terms.begin(), m_terms.end(), term,
        [](const Term &left, const Term &right) { return orderOf(left) < orderOf(right); });
    m_terms.insert(place, term);
}

void Filter::add(const Filter &other)
{
    for (const Term &term : other.m_terms)
        add(term);
}

bool Filter::has(Key key) const
{
    return std::any_of(m_terms.cbegin(), m_terms.cend(), [key](const Term &term) { return term.key == key; });
}

QString Filter::text() const
{
    QStringList all;
    for (const Term &term : m_terms)
        all += termText(term);
    return all.join(u' ');
}

QStringList Filter::keysBut(const QList<Key> &known) const
{
    QStringList keys;
    for (const Term &term : m_terms) {
        if (term.key != Key::Word && !known.contains(term.key))
            keys += filterKeyName(term.key);
    }
    keys.removeDuplicates();
    return keys;
}

bool Filter::takes(const Facts &facts, qint64 nowUs) const
{
    return Matcher(*this, nowUs).takes(facts);
}

} // namespace firstwatch::ui
