// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "stream/protocol.h"
#include "stream/tape.h"

#include <QJsonArray>

#include <list>
#include <memory>

namespace firstwatch::stream {

// A node at one moment, as "snapshot" tells it: its state, and apart the two lists in it that may be long.
struct Frozen {
    quint64 seq = 0;
    QJsonObject result; // all but the lists
    QJsonArray files;
    QJsonArray findings;
};

// How many of both lists were told.
struct Place {
    qsizetype files = 0;
    qsizetype findings = 0;
};

// The result of "snapshot" from there on, at most a frame: all of it with the first of both lists, or, from anywhere
// else, {boot, seq, files, findings}. With "next" when there is more, and the first then says "truncated".
[[nodiscard]] QJsonObject snapshotPart(const Frozen &frozen, Place from);

// The snapshots that were told in part, each of which belongs to the clients that hold it.
class Snapshots {
public:
    static constexpr size_t mostKept = 4; // thousands of files are a few MiB

    // The node as it is.
    [[nodiscard]] std::shared_ptr<const Frozen> freeze(const Tape &tape);
    // Whether the rest of it may be asked for: false when too many others are held.
    [[nodiscard]] bool keep(const std::shared_ptr<const Frozen> &frozen);

private:
    std::list<std::weak_ptr<const Frozen>> m_kept;
};

} // namespace firstwatch::stream
