// SPDX-License-Identifier: Apache-2.0
#include "conflist/canonical.h"

#include "conflist/reader.h"

#include <QCryptographicHash>
#include <QList>
#include <QMap>

#include <algorithm>

namespace firstwatch::conflist {
namespace {

// "12.50e3" as -?digits 'e' power, with no zero at either end of the digits.
QByteArray canonicalNumber(QByteArrayView number)
{
    const bool negative = number.startsWith('-');
    const qsizetype mark =
        std::find_if(number.begin(), number.end(), [](char c) { return c == 'e' || c == 'E'; }) - number.begin();
    QByteArray digits = number.first(mark).sliced(negative ? 1 : 0).toByteArray();
    qint64 power = mark < number.size() ? number.sliced(mark + 1).toLongLong() : 0;
    if (const qsizetype point = digits.indexOf('.'); point >= 0) {
        power -= digits.size() - point - 1;
        digits.remove(point, 1);
    }
    const auto isZero = [](char c) { return c == '0'; };
    digits.remove(0, std::find_if_not(digits.cbegin(), digits.cend(), isZero) - digits.cbegin());
    const qsizetype zeros = std::find_if_not(digits.crbegin(), digits.crend(), isZero) - digits.crbegin();
    digits.chop(zeros);
    if (digits.isEmpty())
        return "0";
    return (negative ? "-" : "") + digits + 'e' + QByteArray::number(power + zeros);
}

// Length first, so that no string can look like what follows it.
QByteArray canonicalString(QByteArrayView decoded)
{
    return 's' + QByteArray::number(decoded.size()) + ':' + decoded.toByteArray();
}

class Canonicalizer final : public Visitor {
public:
    explicit Canonicalizer(QByteArrayView text)
        : m_text(text)
    {
        m_levels.append(Level{});
    }
    [[nodiscard]] QByteArray result() const { return m_levels.constFirst().elements; }

    void key(Span, QByteArrayView decoded) override { m_levels.last().key = canonicalString(decoded); }
    void scalar(Kind kind, Span span, QByteArrayView decoded) override
    {
        switch (kind) {
        case Kind::String:
            return add(canonicalString(decoded));
        case Kind::Number:
            return add(canonicalNumber(decoded));
        default:
            return add(span.of(m_text).toByteArray());
        }
    }
    void open(Kind kind, qsizetype) override
    {
        m_levels.append(Level{});
        m_levels.last().kind = kind;
    }
    // Folded into a digest, so that what is nested ten thousand deep is not copied ten thousand times.
    void close(qsizetype) override
    {
        const Level level = m_levels.takeLast();
        QByteArray content = level.elements;
        for (auto member = level.members.cbegin(); member != level.members.cend(); ++member)
            content += member.key() + member.value();
        const char bracket = level.kind == Kind::Array ? '[' : '{';
        add(bracket + QCryptographicHash::hash(content, QCryptographicHash::Sha256));
    }

private:
    struct Level {
        Kind kind = Kind::Array;
        QByteArray key;
        QByteArray elements;
        QMap<QByteArray, QByteArray> members;
    };
    void add(const QByteArray &value)
    {
        Level &level = m_levels.last();
        if (level.kind == Kind::Object)
            level.members.insert(level.key, value);
        else
            level.elements += value + ',';
    }

    QByteArrayView m_text;
    QList<Level> m_levels;
};

} // namespace

QByteArray canonical(QByteArrayView json)
{
    Canonicalizer canonicalizer(json);
    return read(json, canonicalizer) ? QByteArray() : canonicalizer.result();
}

} // namespace firstwatch::conflist
