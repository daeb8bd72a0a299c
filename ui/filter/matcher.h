// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/filter/filter.h"

#include <QByteArray>
#include <QRegularExpression>

namespace firstwatch::ui {

// Text in which words of a filter are looked for, in any case: folded, in UTF-8. A long list keeps it ready.
[[nodiscard]] QByteArray foldedText(const QString &text);

// A filter made ready for many rows: its globs are compiled once.
class Matcher {
public:
    Matcher(const Filter &filter, qint64 nowUs);

    [[nodiscard]] bool hasWords() const { return m_hasWords; }
    [[nodiscard]] bool takes(const Facts &facts) const;
    // The same where foldedText() of `facts.text` is there already; that text may be left out then.
    [[nodiscard]] bool takes(const Facts &facts, const QByteArray &folded) const;

private:
    struct Value {
        QString text;
        QByteArray folded; // of a word
        QRegularExpression glob;
        qint64 sinceUs = 0;
    };
    struct Test {
        Filter::Key key = Filter::Key::Word;
        bool isNegated = false;
        QList<Value> values;
    };
    [[nodiscard]] static Value valueOf(Filter::Key key, const QString &text, qint64 nowUs);
    [[nodiscard]] static bool holds(Filter::Key key, const Value &value, const Facts &facts, const QByteArray &folded);

    QList<Test> m_tests;
    bool m_hasWords = false;
};

} // namespace firstwatch::ui
