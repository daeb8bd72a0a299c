// SPDX-License-Identifier: Apache-2.0
#include "stream/cursor.h"

#include "stream/protocol.h"

#include <QJsonObject>

#include <utility>

namespace firstwatch::stream {

// Of what fell out before, the kinds are known in sum only: for one that missed all of it, or nothing.
Cursor::Cursor(const Tape &tape, quint64 since)
    : m_last(since)
    , m_evictedBefore(tape.evicted().isEmpty() ? 0 : tape.first() - 1)
    , m_kindsKnown(since <= journal::Ring::pinned || since >= m_evictedBefore)
{
    if (since <= journal::Ring::pinned)
        m_lost = tape.evicted();
}

void Cursor::noteEvicted(const Tape::Evicted &event)
{
    if (event.seq > m_last)
        ++m_lost[event.kind];
}

QByteArray Cursor::take(const Tape &tape, qsizetype room)
{
    QByteArray frames;
    const QList<journal::Ring::Entry> entries = tape.ring().since(m_last);
    for (const journal::Ring::Entry &entry : entries) {
        const QByteArray frame = eventLine(entry.line);
        if (!frames.isEmpty() && frames.size() + frame.size() > room)
            break;
        if (entry.seq != m_last + 1)
            frames += gapFrame(entry.seq - 1);
        frames += frame;
        m_last = entry.seq;
    }
    return frames;
}

QByteArray Cursor::gapFrame(quint64 to)
{
    const quint64 from = m_last + 1;
    ++m_gaps;
    m_missed += to - m_last;
    QJsonObject gap{ { QStringLiteral("from"), qint64(from) }, { QStringLiteral("to"), qint64(to) },
        { QStringLiteral("why"),
            to <= m_evictedBefore ? QStringLiteral("evicted") : QStringLiteral("slow_consumer") } };
    QJsonObject kinds;
    const KindCounts lost = std::exchange(m_lost, {});
    for (auto kind = lost.cbegin(); kind != lost.cend(); ++kind)
        kinds.insert(journal::kindName(kind.key()), qint64(kind.value()));
    if (std::exchange(m_kindsKnown, true))
        gap.insert(QStringLiteral("kinds"), kinds);
    return notificationLine(QStringLiteral("gap"), gap);
}

} // namespace firstwatch::stream
