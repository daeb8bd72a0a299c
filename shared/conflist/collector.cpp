// SPDX-License-Identifier: Apache-2.0
#include "conflist/collector.h"

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

} // namespace

void Collector::key(Span span, QByteArrayView decoded)
{
    if (m_depth != 1 || isFull())
        return;
    m_next.key = moved(span);
    m_next.name = decoded.toByteArray();
}

void Collector::scalar(Kind kind, Span span, QByteArrayView decoded)
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

void Collector::open(Kind kind, qsizetype begin)
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

void Collector::close(qsizetype end)
{
    --m_depth;
    if (m_depth == 0)
        m_scan.value.end = m_base + end;
    else if (m_depth == 1 && !isFull())
        append(m_openKind, { m_openBegin, m_base + end });
}

bool Collector::isFull()
{
    m_scan.truncated = m_scan.truncated || m_scan.items.size() == Scan::maximumItems;
    return m_scan.truncated;
}

void Collector::append(Kind kind, Span value)
{
    m_next.kind = kind;
    m_next.value = value;
    m_scan.items.append(std::exchange(m_next, {}));
}

} // namespace firstwatch::conflist
