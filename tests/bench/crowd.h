// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "load.h"

#include <optional>

namespace firstwatch::bench {

// Who else is connected while something is measured.
struct Scenario {
    const char *name;
    int readers = 0;
    bool hasDeaf = false;
    bool hasStorm = false;
    bool hasSlowLoris = false;
};

class Crowd {
public:
    // They are there, and have caught up with what happened before, when it is made.
    Crowd(const Scenario &scenario, const std::string &socketPath);
    [[nodiscard]] uint64_t events() const { return m_readers ? m_readers->events() : 0; }

private:
    std::optional<Readers> m_readers;
    std::optional<DeafClient> m_deaf;
    std::optional<Storm> m_storm;
    std::optional<SlowLoris> m_slowLoris;
};

} // namespace firstwatch::bench
