// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace firstwatch::bench {

[[nodiscard]] int64_t nowNs(); // CLOCK_BOOTTIME, the clock of the service's events

// Samples of one figure of one installer, in milliseconds unless the label says otherwise.
struct Samples {
    std::vector<double> values;
    int failed = 0; // rounds that never came to the end state
    [[nodiscard]] double quantile(double q) const; // NaN when empty
};

// One line of the table: the figure for each installer, and its ratio to the reference.
struct Row {
    std::string figure;
    std::vector<double> values; // by installer, NaN: not measured
};

void printTable(const std::string &title, const std::vector<std::string> &installers, const std::vector<Row> &rows);

} // namespace firstwatch::bench
