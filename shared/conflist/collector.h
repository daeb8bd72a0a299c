// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conflist/scan.h"

namespace firstwatch::conflist {

// Fills a Scan with one level of a value from the events of a reading, whose offsets are counted from `base`.
class Collector final : public Visitor {
public:
    explicit Collector(Scan &scan, qsizetype base = 0)
        : m_scan(scan)
        , m_base(base)
    {
    }
    [[nodiscard]] int depth() const { return m_depth; } // brackets that are open; 0: before the value, or after it

    void key(Span span, QByteArrayView decoded) override;
    void scalar(Kind kind, Span span, QByteArrayView decoded) override;
    void open(Kind kind, qsizetype begin) override;
    void close(qsizetype end) override;

private:
    [[nodiscard]] Span moved(Span span) const { return { m_base + span.begin, m_base + span.end }; }
    bool isFull();
    void append(Kind kind, Span value);

    Scan &m_scan;
    qsizetype m_base;
    int m_depth = 0;
    Kind m_openKind = Kind::Null;
    qsizetype m_openBegin = 0;
    Item m_next;
};

} // namespace firstwatch::conflist
