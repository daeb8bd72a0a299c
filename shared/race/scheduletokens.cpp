// SPDX-License-Identifier: Apache-2.0
#include "race/scheduletokens.h"

#include <algorithm>
#include <array>

namespace firstwatch::race {
namespace {

struct Unit {
    const char *name;
    qint64 ns;
};
constexpr std::array units{ Unit{ "s", 1'000'000'000 }, Unit{ "ms", 1'000'000 }, Unit{ "us", 1'000 }, Unit{ "ns", 1 } };

bool isSpace(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

bool endsWord(char c)
{
    return isSpace(c) || c == '"' || c == '<';
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

// Reads from the quote on; false with the error when it does not end well.
bool readQuoted(const QByteArray &line, qsizetype &at, Token &token, ScheduleError &error)
{
    const auto fail = [&](const QString &text) {
        error.column = int(at) + 1;
        error.text = text;
        return false;
    };
    for (++at; at < line.size(); ++at) {
        if (line[at] == '"') {
            ++at;
            return true;
        }
        if (line[at] != '\\') {
            token.text += line[at];
            continue;
        }
        const char escaped = at + 1 < line.size() ? line[at + 1] : '\0';
        if (escaped == 'x') {
            const QByteArray digits = line.mid(at + 2, 2);
            bool isHex = false;
            const uint value = digits.toUInt(&isHex, 16);
            if (!isHex || digits.size() != 2 || digits.startsWith('+') || digits.startsWith('-') || isSpace(digits[0]))
                return fail(QStringLiteral("\\x needs two hexadecimal digits, such as \\x00"));
            token.text += char(value);
            at += 3;
            continue;
        }
        constexpr std::array known{ std::pair('"', '"'), std::pair('\\', '\\'), std::pair('n', '\n'),
            std::pair('t', '\t') };
        const auto *const found =
            std::find_if(known.cbegin(), known.cend(), [&](const auto &each) { return each.first == escaped; });
        if (found == known.cend())
            return fail(QStringLiteral("after \\ stands one of \", \\, n, t and x: write \\\\ for the sign itself"));
        token.text += found->second;
        ++at;
    }
    return fail(QStringLiteral("the text does not end: close it with \" on the same line"));
}

} // namespace

std::optional<QList<Token>> tokensOf(const QByteArray &line, ScheduleError &error)
{
    QList<Token> tokens;
    for (qsizetype at = 0; at < line.size();) {
        if (isSpace(line[at])) {
            ++at;
            continue;
        }
        if (line[at] == '#')
            break;
        Token token{ Token::Kind::Word, {}, int(at) + 1 };
        if (line[at] == '<') {
            token.kind = Token::Kind::Less;
            token.text = "<";
            ++at;
        } else if (line[at] == '"') {
            token.kind = Token::Kind::Quoted;
            if (!readQuoted(line, at, token, error))
                return std::nullopt;
        } else {
            while (at < line.size() && !endsWord(line[at]))
                token.text += line[at++];
        }
        tokens.append(token);
    }
    return tokens;
}

QByteArray quotedText(const QByteArray &text)
{
    QByteArray all = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            all += QByteArray("\\") + c;
        else if (c == '\n')
            all += "\\n";
        else if (c == '\t')
            all += "\\t";
        else if (uchar(c) < 0x20 || c == 0x7f)
            all += "\\x" + QByteArray::number(uint(uchar(c)), 16).rightJustified(2, '0');
        else
            all += c;
    }
    return all + '"';
}

QByteArray wordText(const QByteArray &text)
{
    const bool isPlain = !text.isEmpty() && text[0] != '#' && std::all_of(text.cbegin(), text.cend(), [](char c) {
        return !endsWord(c) && uchar(c) >= 0x20 && c != 0x7f;
    });
    return isPlain ? text : quotedText(text);
}

std::optional<qint64> spanNs(QByteArrayView text)
{
    qsizetype digits = 0;
    while (digits < text.size() && (isDigit(text[digits]) || text[digits] == '.'))
        ++digits;
    const QByteArrayView number = text.first(digits);
    const QByteArrayView name = text.sliced(digits);
    const auto *const unit =
        std::find_if(units.cbegin(), units.cend(), [&](const Unit &each) { return name == each.name; });
    const qsizetype dot = number.indexOf('.');
    const QByteArrayView whole = dot < 0 ? number : number.first(dot);
    const QByteArrayView fraction = dot < 0 ? QByteArrayView() : number.sliced(dot + 1);
    if (unit == units.cend() || whole.isEmpty() || whole.size() > 13 || fraction.size() > 9 || fraction.contains('.')
        || (dot >= 0 && fraction.isEmpty()))
        return std::nullopt;
    qint64 ns = whole.toLongLong();
    if (ns > longestNs / unit->ns)
        return std::nullopt;
    ns *= unit->ns;
    qint64 part = unit->ns;
    for (const char c : fraction) { // no fraction of a nanosecond
        if (part % 10 != 0 && c != '0')
            return std::nullopt;
        part /= 10;
        ns += part * (c - '0');
    }
    return ns <= longestNs ? std::optional(ns) : std::nullopt;
}

QByteArray spanWord(qint64 ns)
{
    if (ns == 0)
        return "0ms";
    const auto *const unit =
        std::find_if(units.cbegin(), units.cend(), [&](const Unit &each) { return ns % each.ns == 0; });
    return QByteArray::number(ns / unit->ns) + unit->name;
}

std::optional<int> countOf(const QByteArray &text, int most)
{
    if (text.isEmpty() || text.size() > 6 || !std::all_of(text.cbegin(), text.cend(), isDigit))
        return std::nullopt;
    const int count = text.toInt();
    return count >= 1 && count <= most ? std::optional(count) : std::nullopt;
}

} // namespace firstwatch::race
