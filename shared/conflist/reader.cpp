// SPDX-License-Identifier: Apache-2.0
#include "conflist/reader.h"

#include "conflist/parsefault.h"

#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <QByteArray>
#include <QLocale>

#include <cmath>

namespace firstwatch::conflist {
namespace {

bool isBetweenTokens(char c)
{
    return c == ' ' || c == '\n' || c == ',' || c == ':' || c == '\t' || c == '\r';
}

// Turns RapidJSON's events into ours. A span's start is the first byte after the previous token that can start one:
// between two tokens stand only white space, ',' and ':'.
class Handler {
public:
    Handler(QByteArrayView text, const rapidjson::MemoryStream &stream, Visitor &visitor)
        : m_text(text)
        , m_stream(stream)
        , m_visitor(visitor)
    {
    }

    [[nodiscard]] const std::optional<Finding> &fault() const { return m_fault; }

    bool Null() { return scalar(Kind::Null, {}); }
    bool Bool(bool) { return scalar(Kind::Bool, {}); }
    bool Int(int) { return false; }
    bool Uint(unsigned) { return false; }
    bool Int64(int64_t) { return false; }
    bool Uint64(uint64_t) { return false; }
    bool Double(double) { return false; }
    bool RawNumber(const char *text, rapidjson::SizeType size, bool)
    {
        const QByteArrayView number(text, qsizetype(size));
        if (isOutOfRange(number)) {
            m_fault = rangeFault(m_text, tokenStart());
            return false;
        }
        return scalar(Kind::Number, number);
    }
    bool String(const char *text, rapidjson::SizeType size, bool)
    {
        return scalar(Kind::String, { text, qsizetype(size) });
    }
    bool Key(const char *text, rapidjson::SizeType size, bool)
    {
        m_visitor.key(take(here()), { text, qsizetype(size) });
        return true;
    }
    bool StartObject() { return open(Kind::Object); }
    bool EndObject(rapidjson::SizeType) { return close(); }
    bool StartArray() { return open(Kind::Array); }
    bool EndArray(rapidjson::SizeType) { return close(); }

private:
    [[nodiscard]] qsizetype here() const { return qsizetype(m_stream.Tell()); }
    [[nodiscard]] qsizetype tokenStart() const
    {
        qsizetype start = m_last;
        while (isBetweenTokens(m_text[start]))
            ++start;
        return start;
    }
    Span take(qsizetype end)
    {
        const Span span{ tokenStart(), end };
        m_last = end;
        return span;
    }
    bool scalar(Kind kind, QByteArrayView decoded)
    {
        m_visitor.scalar(kind, take(here()), decoded);
        return true;
    }
    bool open(Kind kind)
    {
        if (++m_depth > maximumDepth) {
            m_fault = depthFault(m_text, here());
            return false;
        }
        m_visitor.open(kind, here());
        m_last = here() + 1;
        return true;
    }
    // With the iterative flag the bracket is not yet taken when its event comes.
    bool close()
    {
        --m_depth;
        m_last = here() + 1;
        m_visitor.close(m_last);
        return true;
    }
    // strconv.ParseFloat's ErrRange; only an exponent or some 300 digits get there. RapidJSON's own check is coarser,
    // and QByteArrayView::toDouble() answers 0.
    static bool isOutOfRange(QByteArrayView number)
    {
        const bool small = number.size() < 300 && !number.contains('e') && !number.contains('E');
        return !small && std::isinf(QLocale::c().toDouble(QLatin1String(number)));
    }

    QByteArrayView m_text;
    const rapidjson::MemoryStream &m_stream;
    Visitor &m_visitor;
    qsizetype m_last = 0;
    int m_depth = 0;
    std::optional<Finding> m_fault;
};

// The value of the escape \uXXXX at `offset`, or -1.
int unicodeEscape(QByteArrayView text, qsizetype offset)
{
    if (offset + 6 > text.size() || text[offset] != '\\' || text[offset + 1] != 'u')
        return -1;
    int value = 0;
    for (const char c : text.sliced(offset + 2, 4)) {
        const qsizetype digit = QByteArrayView("0123456789abcdefABCDEF").indexOf(c);
        if (digit < 0)
            return -1;
        value = value * 16 + int(digit < 16 ? digit : digit - 6);
    }
    return value;
}

bool isHighSurrogate(int value)
{
    return value >= 0xD800 && value <= 0xDBFF;
}
bool isLowSurrogate(int value)
{
    return value >= 0xDC00 && value <= 0xDFFF;
}

// RapidJSON refuses an unpaired surrogate escape where Go reads U+FFFD. So RapidJSON gets to see that, in a copy of
// equal length so that spans fit. Returns a null array when there is nothing to mask.
QByteArray maskLoneSurrogates(QByteArrayView text)
{
    QByteArray masked;
    qsizetype next = 0;
    for (qsizetype i = text.indexOf('\\'); i >= 0 && i < text.size(); i = text.indexOf('\\', next)) {
        const int value = unicodeEscape(text, i);
        next = i + (value < 0 ? 2 : 6);
        if (isHighSurrogate(value) && isLowSurrogate(unicodeEscape(text, next))) {
            next += 6;
        } else if (isHighSurrogate(value) || isLowSurrogate(value)) {
            if (masked.isNull())
                masked = text.toByteArray();
            masked.replace(i, 6, "\\ufffd");
        }
    }
    return masked;
}

std::optional<Finding> refusedAtSight(QByteArrayView text)
{
    if (std::optional<Finding> fault = bomFault(text))
        return fault;
    if (const qsizetype nul = text.indexOf('\0'); nul >= 0)
        return nulFault(text, nul);
    return text.trimmed().isEmpty() ? std::optional(emptyFault(text)) : std::nullopt;
}

} // namespace

std::optional<Finding> read(QByteArrayView text, Visitor &visitor)
{
    if (const std::optional<Finding> fault = refusedAtSight(text))
        return fault;
    const QByteArray masked = maskLoneSurrogates(text);
    const QByteArrayView shown = masked.isNull() ? text : QByteArrayView(masked);
    rapidjson::MemoryStream stream(shown.data(), size_t(shown.size()));
    Handler handler(text, stream, visitor);
    rapidjson::Reader reader;
    constexpr unsigned flags = rapidjson::kParseIterativeFlag | rapidjson::kParseNumbersAsStringsFlag;
    const rapidjson::ParseResult result = reader.Parse<flags>(stream, handler);
    if (!result.IsError())
        return std::nullopt;
    const qsizetype offset = qsizetype(result.Offset());
    switch (result.Code()) {
    case rapidjson::kParseErrorTermination:
        return handler.fault();
    case rapidjson::kParseErrorNumberTooBig:
        return rangeFault(text, offset);
    case rapidjson::kParseErrorDocumentRootNotSingular:
        return trailingFault(text, offset);
    default:
        return syntaxFault(text, offset);
    }
}

} // namespace firstwatch::conflist
