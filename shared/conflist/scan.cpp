// SPDX-License-Identifier: Apache-2.0
#include "conflist/scan.h"

#include <algorithm>
#include <utility>

namespace firstwatch::conflist {
namespace {

constexpr quint64 largestExactInteger = quint64(1) << 53;

// jq 1.6, JavaScript and Go's interface{} hold numbers as float64.
bool isCorruptible(QByteArrayView number)
{
    const QByteArrayView digits = number.startsWith('-') ? number.sliced(1) : number;
    for (const char c : digits) {
        if (c < '0' || c > '9')
            return false;
    }
    return digits.size() > 16 || (digits.size() == 16 && digits.toULongLong() > largestExactInteger);
}

class Collector final : public Visitor {
public:
    Collector(Scan &scan, qsizetype base)
        : m_scan(scan)
        , m_base(base)
    {
    }

    void key(Span span, QByteArrayView decoded) override
    {
        if (m_depth != 1 || isFull())
            return;
        m_next.key = moved(span);
        m_next.name = decoded.toByteArray();
    }
    void scalar(Kind kind, Span span, QByteArrayView decoded) override
    {
        if (kind == Kind::Number && m_scan.corruptibleNumber < 0 && isCorruptible(decoded))
            m_scan.corruptibleNumber = m_base + span.begin;
        if (m_depth == 0) {
            m_scan.kind = kind;
            m_scan.value = moved(span);
        } else if (m_depth == 1 && !isFull()) {
            if (kind == Kind::String)
                m_next.string = decoded.toByteArray();
            append(kind, moved(span));
        }
    }
    void open(Kind kind, qsizetype begin) override
    {
        if (m_depth == 0) {
            m_scan.kind = kind;
            m_scan.value.begin = m_base + begin;
        } else if (m_depth == 1) {
            m_openKind = kind;
            m_openBegin = m_base + begin;
        }
        m_scan.depth = std::max(m_scan.depth, ++m_depth);
    }
    void close(qsizetype end) override
    {
        --m_depth;
        if (m_depth == 0)
            m_scan.value.end = m_base + end;
        else if (m_depth == 1 && !isFull())
            append(m_openKind, { m_openBegin, m_base + end });
    }

private:
    [[nodiscard]] Span moved(Span span) const { return { m_base + span.begin, m_base + span.end }; }
    bool isFull()
    {
        m_scan.truncated = m_scan.truncated || m_scan.items.size() == Scan::maximumItems;
        return m_scan.truncated;
    }
    void append(Kind kind, Span value)
    {
        m_next.kind = kind;
        m_next.value = value;
        m_scan.items.append(std::exchange(m_next, {}));
    }

    Scan &m_scan;
    qsizetype m_base;
    int m_depth = 0;
    Kind m_openKind = Kind::Null;
    qsizetype m_openBegin = 0;
    Item m_next;
};

} // namespace

Scan scan(QByteArrayView text, Span part)
{
    Scan result;
    Collector collector(result, part.begin);
    result.fault = read(part.of(text), collector);
    return result;
}

Scan scan(QByteArrayView text)
{
    return scan(text, { 0, text.size() });
}

} // namespace firstwatch::conflist
