// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "crowd.h"
#include "figures.h"
#include "installer.h"

namespace firstwatch::bench {

struct StreamPlan {
    std::filesystem::path base; // the file system that is measured
    Installer service; // firstwatchd
    int changes = 1000; // of each scenario
    int replays = 20;
    int quietMs = 5000; // of each scenario
};

// A table: who is connected, the reference last, and the figures for each.
struct StreamTable {
    std::vector<std::string> columns;
    std::vector<Row> rows;
};

// How many events the service hands out, and what each costs it.
[[nodiscard]] StreamTable measureDelivery(const StreamPlan &plan);
// From a change of a file to a client that has its parsed events. The crowd changes many times, so that a machine whose
// speed drifts is fair to all.
[[nodiscard]] StreamTable measureNews(const StreamPlan &plan);
// From a change of a file to its patched form, and what the crowd costs the service while nothing changes.
[[nodiscard]] StreamTable measurePatching(const StreamPlan &plan);

} // namespace firstwatch::bench
