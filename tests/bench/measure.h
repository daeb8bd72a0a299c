// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "figures.h"
#include "installer.h"

namespace firstwatch::bench {

struct Plan {
    std::filesystem::path base; // the file system that is measured
    std::vector<Installer> installers; // the last one is the reference
    int starts = 20;
    int changes = 200;
    int idleSeconds = 20;
};

// Each measures all installers in turn, round by round, so that a machine whose speed drifts is fair to all.
[[nodiscard]] std::vector<Row> measureStart(const Plan &plan);
[[nodiscard]] std::vector<Row> measureLatency(const Plan &plan);
[[nodiscard]] std::vector<Row> measureBurst(const Plan &plan);
[[nodiscard]] std::vector<Row> measureIdle(const Plan &plan);

} // namespace firstwatch::bench
