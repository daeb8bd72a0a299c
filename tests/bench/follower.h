// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "stream/client.h"

#include <cstdint>
#include <string>

namespace firstwatch::bench {

// A client as the desk has it, and when it knew of a change.
class Follower {
    Q_DISABLE_COPY_MOVE(Follower)
public:
    explicit Follower(const std::string &socketPath); // live when it is made
    ~Follower() = default;

    // Milliseconds; NaN for what never came.
    struct Heard {
        double change; // from then to its parsed file.change
        double patch; // and its patch.applied
        double carried; // from the latter's own time
    };
    // Of the first change that was recorded after then.
    [[nodiscard]] Heard hear(int64_t sinceNs);
    void rest(int us); // takes what still comes

private:
    void take(const journal::Event &event);

    stream::Client m_client;
    Heard m_heard{};
    int64_t m_sinceNs = 0;
};

} // namespace firstwatch::bench
