// SPDX-License-Identifier: Apache-2.0
#include "crowd.h"

#include <unistd.h>

namespace firstwatch::bench {

namespace {
constexpr int settleUs = 300'000;
}

Crowd::Crowd(const Scenario &scenario, const std::string &socketPath)
{
    if (scenario.readers > 0)
        m_readers.emplace(socketPath, scenario.readers);
    if (scenario.hasDeaf)
        m_deaf.emplace(socketPath);
    if (scenario.hasStorm)
        m_storm.emplace(socketPath);
    if (scenario.hasSlowLoris)
        m_slowLoris.emplace(socketPath);
    ::usleep(settleUs);
}

} // namespace firstwatch::bench
