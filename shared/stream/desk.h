// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "stream/challenge.h"
#include "stream/counters.h"
#include "stream/diffstore.h"
#include "stream/server.h"
#include "stream/snapshot.h"
#include "stream/tape.h"

namespace firstwatch::stream {

// What all clients of one server share. Only the server writes the tape; a session may only read, count, and have the
// diffs made.
struct Desk {
    explicit Desk(ServerOptions with)
        : options(std::move(with))
        , key(options.tcpKey)
        , failures(options.limits)
    {
    }
    const ServerOptions options;
    QByteArray key; // of the challenge, as it is now
    Tape tape;
    DiffStore diffs;
    Snapshots snapshots;
    Counters counters;
    FailureGate failures;
};

} // namespace firstwatch::stream
