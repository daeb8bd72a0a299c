// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QJsonObject>

namespace firstwatch::stream {

// What a server counts of its own work since its start.
struct Counters {
    int clients = 0; // now
    qint64 accepted = 0;
    qint64 refused = 0; // closed before they could say a word: another user, no descriptors, too many failures
    qint64 failures = 0; // of challenges
    qint64 malformed = 0; // lines that were no message, or not ours to speak with
    qint64 limited = 0; // requests beyond the rate
    qint64 gaps = 0; // told to clients
    qint64 dropped = 0; // events in them
    qint64 stalled = 0; // closed, as they took nothing
    qint64 silent = 0; // closed, as they said nothing
    qint64 cutOff = 0; // closed before they had said all they wanted to
    qint64 bytes = 0; // taken by clients that have gone

    [[nodiscard]] QJsonObject toJson() const;
};

} // namespace firstwatch::stream
