// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "journal/event.h"

#include <deque>

namespace firstwatch::journal {

// The last events in memory: at most 4 096 lines or 4 MiB, and the first 256 of the boot pinned for ever, so that the
// race of a pod up for weeks can still be shown.
class Ring {
public:
    static constexpr size_t maxLines = 4096;
    static constexpr qsizetype maxBytes = 4LL * 1024 * 1024;
    static constexpr size_t pinned = 256;

    void append(quint64 seq, const QByteArray &line);

    struct Entry {
        quint64 seq = 0;
        QByteArray line;
    };
    [[nodiscard]] const std::deque<Entry> &first() const { return m_pinned; } // seq 1 … 256
    [[nodiscard]] const std::deque<Entry> &last() const { return m_recent; } // the rest that is still there
    // Everything held with seq > since, in order. A hole between the pinned part and the rest is the evicted range.
    [[nodiscard]] QList<Entry> since(quint64 seq) const;

private:
    std::deque<Entry> m_pinned;
    std::deque<Entry> m_recent;
    qsizetype m_bytes = 0;
};

} // namespace firstwatch::journal
