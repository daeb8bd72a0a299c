// SPDX-License-Identifier: Apache-2.0
#include "ui/filter/matcher.h"

#include "ui/text/units.h"

#include <algorithm>

namespace firstwatch::ui {

using Key = Filter::Key;

namespace {

QRegularExpression globOf(Key key, const QString &text)
{
    const bool isCode = key == Key::Code;
    if (!isCode && key != Key::File && key != Key::Node)
        return {};
    return QRegularExpression::fromWildcard(text, isCode ? Qt::CaseInsensitive : Qt::CaseSensitive);
}

} // namespace

QByteArray foldedText(const QString &text)
{
    QByteArray folded = text.toCaseFolded().toUtf8();
    folded.squeeze(); // toUtf8() leaves room for three times as much
    return folded;
}

Matcher::Value Matcher::valueOf(Key key, const QString &text, qint64 nowUs)
{
    return { text, key == Key::Word ? foldedText(text) : QByteArray(), globOf(key, text),
        key == Key::Since ? nowUs - spanFromText(text).value_or(0) / 1000 : 0 };
}

Matcher::Matcher(const Filter &filter, qint64 nowUs)
    : m_hasWords(filter.has(Key::Word))
{
    for (const Filter::Term &term : filter.terms()) {
        Test test{ term.key, term.isNegated, {} };
        for (const QString &value : term.values)
            test.values.append(valueOf(term.key, value, nowUs));
        m_tests.append(test);
    }
}

bool Matcher::holds(Key key, const Value &value, const Facts &facts, const QByteArray &folded)
{
    switch (key) {
    case Key::Kind:
        return facts.kind.startsWith(value.text)
            && (facts.kind.size() == value.text.size() || facts.kind.at(value.text.size()) == u'.');
    case Key::File:
        return value.glob.match(facts.file).hasMatch();
    case Key::Node:
        return value.glob.match(facts.node).hasMatch();
    case Key::State:
        return facts.state.compare(value.text, Qt::CaseInsensitive) == 0;
    case Key::Code:
        return value.glob.match(facts.code).hasMatch();
    case Key::Since:
        return facts.wallUs >= value.sinceUs;
    case Key::Word:
        break;
    }
    return folded.contains(value.folded);
}

bool Matcher::takes(const Facts &facts) const
{
    return takes(facts, m_hasWords ? foldedText(facts.text) : QByteArray());
}

bool Matcher::takes(const Facts &facts, const QByteArray &folded) const
{
    return std::all_of(m_tests.cbegin(), m_tests.cend(), [&](const Test &test) {
        const bool isOne = std::any_of(test.values.cbegin(), test.values.cend(),
            [&](const Value &value) { return holds(test.key, value, facts, folded); });
        return isOne != test.isNegated;
    });
}

} // namespace firstwatch::ui
