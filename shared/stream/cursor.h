// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "stream/tape.h"

namespace firstwatch::stream {

// How far one client has come. It holds no events, so that a slow one costs nothing: when the ring laps it, what it
// missed is told in one gap.
class Cursor {
public:
    // Next are the events after `since`, at most tape.last().
    Cursor(const Tape &tape, quint64 since);

    // To be told of each event that falls out of the ring.
    void noteEvicted(const Tape::Evicted &event);
    // The next frames, gaps among them, of at most `room` bytes together, or one that is larger; empty when it has all.
    // Goes on behind them.
    [[nodiscard]] QByteArray take(const Tape &tape, qsizetype room);
    [[nodiscard]] quint64 last() const { return m_last; } // seq handed out so far
    [[nodiscard]] quint64 gaps() const { return m_gaps; }
    [[nodiscard]] quint64 missed() const { return m_missed; } // events in them

private:
    [[nodiscard]] QByteArray gapFrame(quint64 to);

    quint64 m_last;
    quint64 m_evictedBefore; // up to this seq it was gone before the client came
    bool m_kindsKnown;
    KindCounts m_lost; // by kind, of the next gap
    quint64 m_gaps = 0;
    quint64 m_missed = 0;
};

} // namespace firstwatch::stream
