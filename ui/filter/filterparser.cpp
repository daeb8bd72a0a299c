// SPDX-License-Identifier: Apache-2.0
#include "ui/filter/filterparser.h"

#include "journal/state.h"
#include "ui/text/units.h"

#include <QRegularExpression>

#include <algorithm>

namespace firstwatch::ui {

using Key = Filter::Key;
using Term = Filter::Term;

namespace {

constexpr Key keys[] = { Key::Kind, Key::File, Key::Node, Key::State, Key::Code, Key::Since };
constexpr QLatin1String negation("not:");

std::optional<Key> keyNamed(const QString &name)
{
    if (name == QLatin1String("type")) // as the option is called
        return Key::Kind;
    const auto found =
        std::find_if(std::begin(keys), std::end(keys), [&](Key key) { return filterKeyName(key) == name; });
    return found == std::end(keys) ? std::nullopt : std::optional(*found);
}

QString keyList()
{
    QStringList names;
    for (const Key key : keys)
        names += filterKeyName(key);
    return names.join(QStringLiteral(", "));
}

// Words of nodes in capitals, and of files.
QStringList stateWords()
{
    QStringList words;
    for (int state = 0; state <= int(journal::State::Ok); ++state)
        words += journal::stateWord(journal::State(state));
    for (int word = 0; word <= int(journal::FileWord::Gone); ++word)
        words += journal::fileWordName(journal::FileWord(word));
    return words;
}

// One way to write each span: "1h30m" of "90m".
QString spanValue(qint64 ns)
{
    struct Unit {
        const char *name;
        qint64 ns;
    };
    constexpr Unit units[] = { { "d", 86'400'000'000'000 }, { "h", 3'600'000'000'000 }, { "m", 60'000'000'000 },
        { "s", 1'000'000'000 }, { "ms", 1'000'000 } };
    QString text;
    for (const Unit &unit : units) {
        if (const qint64 count = ns / unit.ns; count > 0)
            text += QString::number(count) + QLatin1String(unit.name);
        ns %= unit.ns;
    }
    return text;
}

// What is wrong with a value; empty when nothing is. `value` becomes what is meant.
QString completeValue(Key key, QString &value)
{
    static const QRegularExpression code(
        QStringLiteral("^(?:FW)?([0-9*?]{1,6})$"), QRegularExpression::CaseInsensitiveOption);
    if (value.isEmpty())
        return QStringLiteral("there is nothing between the quotes");
    if (key == Key::Since) {
        const std::optional<qint64> span = spanFromText(value);
        if (!span)
            return QStringLiteral("'%1' is no span of time, such as 90s, 10m or 1h30m").arg(value);
        value = spanValue(*span);
    }
    if (key == Key::State) {
        const QStringList words = stateWords();
        const auto known = std::find_if(words.cbegin(), words.cend(),
            [&](const QString &word) { return word.compare(value, Qt::CaseInsensitive) == 0; });
        if (known == words.cend())
            return QStringLiteral("'%1' is no state: it is one of %2").arg(value, words.join(QStringLiteral(", ")));
        value = *known;
    }
    if (key == Key::Code) {
        const QRegularExpressionMatch match = code.match(value);
        if (!match.hasMatch())
            return QStringLiteral("'%1' is no code, such as FW1101, 1101 or FW11*").arg(value);
        value = QStringLiteral("FW") + match.captured(1);
    }
    return {};
}

// Of letters and the colon behind them at the start of a text; 0 when it starts otherwise. By hand, as a regular
// expression matches nothing in a text with half a surrogate pair.
qsizetype keySize(QStringView text)
{
    const auto isLetter = [](QChar c) { return (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z'); };
    const auto end = std::find_if_not(text.begin(), text.end(), isLetter);
    return end == text.begin() || end == text.end() || *end != u':' ? 0 : end - text.begin() + 1;
}

bool isSeparator(QChar c)
{
    return c.isSpace() || c == u'"' || c == u',';
}

class Parser {
public:
    Parser(const QString &text, Filter::Error &error)
        : m_text(text)
        , m_error(error)
    {
    }

    std::optional<Filter> filter()
    {
        Filter filter;
        for (skipSpace(); !isAtEnd(); skipSpace()) {
            const std::optional<Term> next = term();
            if (!next)
                return {};
            filter.add(*next);
        }
        return filter;
    }

private:
    [[nodiscard]] bool isAtEnd() const { return m_at == m_text.size(); }
    [[nodiscard]] bool isAt(QChar c) const { return !isAtEnd() && m_text[m_at] == c; }
    [[nodiscard]] bool isAtTermEnd() const { return isAtEnd() || m_text[m_at].isSpace(); }

    void skipSpace()
    {
        while (!isAtEnd() && m_text[m_at].isSpace())
            ++m_at;
    }

    std::nullopt_t fail(qsizetype at, const QString &text)
    {
        m_error = { at + 1, text };
        return std::nullopt;
    }

    std::optional<Term> term()
    {
        Term term;
        const qsizetype begin = m_at;
        if (isAt(u'-'))
            ++m_at;
        else if (QStringView(m_text).sliced(m_at).startsWith(negation))
            m_at += negation.size();
        term.isNegated = m_at > begin;
        if (isAtTermEnd())
            return fail(begin, QStringLiteral("nothing follows the negation"));
        if (isAt(u'"'))
            return values(term);
        if (!key(term))
            return {};
        return values(term);
    }

    // "key:", or nothing where a word stands.
    bool key(Term &term)
    {
        const qsizetype size = keySize(QStringView(m_text).sliced(m_at));
        if (size == 0)
            return true;
        const QString name = m_text.mid(m_at, size - 1);
        const std::optional<Key> known = keyNamed(name.toLower());
        if (!known) {
            (void)fail(m_at,
                QStringLiteral("'%1' is no key: it is one of %2; a word with a colon stands in quotes")
                    .arg(name, keyList()));
            return false;
        }
        term.key = *known;
        m_at += size;
        return true;
    }

    std::optional<Term> values(Term term)
    {
        do {
            const qsizetype begin = m_at;
            std::optional<QString> value = isAt(u'"') ? quoted() : bare(term.key);
            if (!value)
                return {};
            if (const QString wrong = completeValue(term.key, *value); !wrong.isEmpty())
                return fail(begin, wrong);
            term.values += *value;
        } while (term.key != Key::Word && isAt(u',') && ++m_at > 0);
        if (!isAtTermEnd())
            return fail(m_at, QStringLiteral("a space is missing here"));
        if (term.key == Key::Since && term.values.size() > 1)
            return fail(m_at - 1, QStringLiteral("since: takes one span of time"));
        return term;
    }

    std::optional<QString> bare(Key key)
    {
        const qsizetype begin = m_at;
        while (!isAtTermEnd() && !isAt(u'"') && (key == Key::Word || !isAt(u',')))
            ++m_at;
        if (m_at == begin)
            return fail(begin, QStringLiteral("%1: needs a value").arg(filterKeyName(key)));
        return m_text.mid(begin, m_at - begin);
    }

    std::optional<QString> quoted()
    {
        const qsizetype begin = m_at++;
        QString value;
        for (; !isAtEnd(); ++m_at) {
            if (isAt(u'"')) {
                ++m_at;
                return value;
            }
            if (isAt(u'\\') && m_at + 1 < m_text.size())
                ++m_at;
            value += m_text[m_at];
        }
        return fail(begin, QStringLiteral("these quotes are not closed"));
    }

    const QString &m_text;
    Filter::Error &m_error;
    qsizetype m_at = 0;
};

} // namespace

std::optional<Filter> parseFilter(const QString &text, Filter::Error &error)
{
    return Parser(text, error).filter();
}

QString quotedForFilter(const QString &value, Key key)
{
    const bool isOdd = std::any_of(value.begin(), value.end(), isSeparator)
        || (key == Key::Word && (value.startsWith(u'-') || keySize(value) > 0));
    QString escaped = value;
    escaped.replace(u'\\', QLatin1String("\\\\")).replace(u'"', QLatin1String("\\\""));
    return isOdd ? u'"' + escaped + u'"' : value;
}

} // namespace firstwatch::ui
