// SPDX-License-Identifier: Apache-2.0
#include "ui/filter/filter.h"

#include "ui/filter/filterparser.h"
#include "ui/text/units.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <tuple>

namespace firstwatch::ui {

using Key = Filter::Key;
using Term = Filter::Term;

namespace {

bool isLike(const QString &glob, const QString &text, Qt::CaseSensitivity sensitivity)
{
    return QRegularExpression::fromWildcard(glob, sensitivity).match(text).hasMatch();
}

bool holds(Key key, const QString &value, const Facts &facts, qint64 nowUs)
{
    switch (key) {
    case Key::Kind:
        return facts.kind == value || facts.kind.startsWith(QString(value + u'.'));
    case Key::File:
        return isLike(value, facts.file, Qt::CaseSensitive);
    case Key::Node:
        return isLike(value, facts.node, Qt::CaseSensitive);
    case Key::State:
        return facts.state.compare(value, Qt::CaseInsensitive) == 0;
    case Key::Code:
        return isLike(value, facts.code, Qt::CaseInsensitive);
    case Key::Since:
        return facts.wallUs >= nowUs - spanFromText(value).value_or(0) / 1000;
    case Key::Word:
        break;
    }
    return facts.text.contains(value, Qt::CaseInsensitive);
}

bool holds(const Term &term, const Facts &facts, qint64 nowUs)
{
    const bool isOne = std::any_of(term.values.cbegin(), term.values.cend(),
        [&](const QString &value) { return holds(term.key, value, facts, nowUs); });
    return isOne != term.isNegated;
}

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
    return std::all_of(m_terms.cbegin(), m_terms.cend(), [&](const Term &term) { return holds(term, facts, nowUs); });
}

} // namespace firstwatch::ui
