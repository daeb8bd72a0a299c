// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "journal/nodeview.h"
#include "journal/ring.h"

#include <QMap>

#include <deque>

namespace firstwatch::stream {

// How many events of each kind.
using KindCounts = QMap<journal::Kind, quint64>;

// What a server keeps of the journal: the ring that all clients read from, each at its own place, and the fold.
class Tape {
public:
    struct Evicted {
        quint64 seq = 0;
        journal::Kind kind = journal::Kind::Note;
    };
    // Gives back what fell out of the ring to make room.
    QList<Evicted> append(const journal::Event &event, const QByteArray &line);

    [[nodiscard]] const journal::Ring &ring() const { return m_ring; }
    [[nodiscard]] const journal::NodeView &view() const { return m_view; }
    [[nodiscard]] quint64 last() const { return m_view.seq; } // seq, 0 while there is none
    // From this seq on nothing is missing.
    [[nodiscard]] quint64 first() const;
    // All that fell out so far; always one range, that after the pinned events.
    [[nodiscard]] const KindCounts &evicted() const { return m_evicted; }

private:
    journal::Ring m_ring;
    std::deque<journal::Kind> m_kinds; // of m_ring.last()
    journal::NodeView m_view;
    KindCounts m_evicted;
};

} // namespace firstwatch::stream
