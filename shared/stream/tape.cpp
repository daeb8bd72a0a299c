// SPDX-License-Identifier: Apache-2.0
#include "stream/tape.h"

namespace firstwatch::stream {

QList<Tape::Evicted> Tape::append(const journal::Event &event, const QByteArray &line)
{
    const bool isPinned = m_ring.first().size() < journal::Ring::pinned;
    m_ring.append(event.seq, line);
    m_view.apply(event);
    if (!isPinned)
        m_kinds.push_back(event.kind);
    QList<Evicted> gone;
    while (m_kinds.size() > m_ring.last().size()) {
        gone.append({ event.seq - m_kinds.size() + 1, m_kinds.front() });
        ++m_evicted[m_kinds.front()];
        m_kinds.pop_front();
    }
    return gone;
}

quint64 Tape::first() const
{
    if (!m_evicted.isEmpty())
        return m_ring.last().empty() ? last() + 1 : m_ring.last().front().seq;
    return m_ring.first().empty() ? 1 : m_ring.first().front().seq;
}

} // namespace firstwatch::stream
