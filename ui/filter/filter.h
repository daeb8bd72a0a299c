// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

#include <optional>

// What is shown of a list, as a person writes it: kind:patch -file:10-* since:1h "two words".
//
//   terms      stand apart by spaces, and all of them have to hold
//   key:a,b    one of the values; so do several terms with the same key. Keys: kind (patch.applied, or the area patch),
//              file and node (a glob), state (a word), code (FW1101, or a glob), since (a span of time)
//   word       stands somewhere in the text, in any case
//   -term      does not hold; not:term is the same
//   "a b"      a word or a value with spaces, commas or quotes in it; \" and \\ inside
namespace firstwatch::ui {

// What is known of one row. What it does not have is empty, and then no term about it holds.
struct Facts {
    QString kind;
    QString file;
    QString node;
    QString state;
    QString code; // "FW1101"
    QString text; // all that can be read of it
    qint64 wallUs = 0; // when, in microseconds since the epoch
};

class Filter {
public:
    enum class Key { Kind, File, Node, State, Code, Since, Word };
    struct Term {
        Key key = Key::Word;
        bool isNegated = false;
        QStringList values; // never empty; of Since one span as spanFromText() takes it
        friend bool operator==(const Term &, const Term &) = default;
    };
    struct Error {
        qsizetype column = 0; // where in the text, from 1
        QString text; // in words, with the way out
    };
    // Nothing with an `error` when it is none.
    [[nodiscard]] static std::optional<Filter> parse(const QString &text, Error &error);

    void add(const Term &term);
    void add(const Filter &other);
    [[nodiscard]] bool isEmpty() const { return m_terms.isEmpty(); }
    [[nodiscard]] bool has(Key key) const;
    [[nodiscard]] const QList<Term> &terms() const { return m_terms; } // all of them have to hold
    // As parse() takes it, in one way for each meaning: terms by key, values once each.
    [[nodiscard]] QString text() const;
    // "state" and so on: keys that are used, and not among these. Words may always be.
    [[nodiscard]] QStringList keysBut(const QList<Key> &known) const;
    // `nowUs`: what spans are counted back from. Of a long list a Matcher is quicker.
    [[nodiscard]] bool takes(const Facts &facts, qint64 nowUs) const;

    friend bool operator==(const Filter &, const Filter &) = default;

private:
    QList<Term> m_terms; // in the order of text(): one for each key and sign, but a word each
};

[[nodiscard]] QLatin1String filterKeyName(Filter::Key key); // "kind"; empty for a word

} // namespace firstwatch::ui
