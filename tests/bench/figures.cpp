// SPDX-License-Identifier: Apache-2.0
#include "figures.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <limits>

namespace firstwatch::bench {

int64_t nowNs()
{
    timespec now{};
    ::clock_gettime(CLOCK_BOOTTIME, &now);
    return int64_t(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

double Samples::quantile(double q) const
{
    if (values.empty())
        return std::numeric_limits<double>::quiet_NaN();
    std::vector<double> sorted = values;
    std::sort(sorted.begin(), sorted.end());
    return sorted[std::min(sorted.size() - 1, size_t(q * double(sorted.size())))];
}

namespace {

// The reference is the last installer of the list.
std::string cell(double value, double reference)
{
    char text[64];
    if (std::isnan(value))
        return "–";
    if (std::isnan(reference) || reference <= 0)
        std::snprintf(text, sizeof text, "%.2f", value);
    else
        std::snprintf(text, sizeof text, "%.2f (%.2f×)", value, value / reference);
    return text;
}

} // namespace

void printTable(const std::string &title, const std::vector<std::string> &installers, const std::vector<Row> &rows)
{
    std::printf("\n### %s\n\n| figure |", title.c_str());
    for (const std::string &name : installers)
        std::printf(" %s |", name.c_str());
    std::printf("\n|---|");
    for (size_t i = 0; i < installers.size(); ++i)
        std::printf("---|");
    std::printf("\n");
    for (const Row &row : rows) {
        std::printf("| %s |", row.figure.c_str());
        for (const double value : row.values)
            std::printf(" %s |", cell(value, row.values.back()).c_str());
        std::printf("\n");
    }
    std::fflush(stdout);
}

} // namespace firstwatch::bench
