// SPDX-License-Identifier: Apache-2.0
#include "measure.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <unistd.h>

namespace firstwatch::bench {
namespace {

constexpr int64_t patience = 20'000'000'000; // ns, after which a round has failed
const std::string firstFile = "10-base.conflist";

// Milliseconds from `since` until the patched form can be read; NaN when it never comes.
double untilPatched(const World &world, const std::string &name, int sequence, int64_t since)
{
    while (!world.isPatched(name, sequence)) {
        if (nowNs() - since > patience)
            return std::numeric_limits<double>::quiet_NaN();
    }
    return double(nowNs() - since) / 1e6;
}

void add(Samples &samples, double value)
{
    if (std::isnan(value))
        ++samples.failed;
    else
        samples.values.push_back(value);
}

std::vector<double> quantiles(const std::vector<Samples> &samples, double q)
{
    std::vector<double> values;
    values.reserve(samples.size());
    for (const Samples &each : samples)
        values.push_back(each.quantile(q));
    return values;
}

// A quantile says nothing of what never came.
void addFailures(std::vector<Row> &rows, const std::string &label, const std::vector<Samples> &samples)
{
    Row row{ label + " → never patched", {} };
    for (const Samples &each : samples)
        row.values.push_back(each.failed);
    if (std::any_of(row.values.begin(), row.values.end(), [](double failed) { return failed > 0; }))
        rows.push_back(row);
}

// One world and one running installer each, settled on a first config.
struct Bench {
    explicit Bench(const Plan &plan, const Installer &installer)
        : world(plan.base)
    {
        world.writeByRename(firstFile, 0);
        running = std::make_unique<Running>(installer, world);
        (void)untilPatched(world, firstFile, 0, running->startedNs());
        ::usleep(300'000);
    }
    World world;
    std::unique_ptr<Running> running;
};

std::vector<std::unique_ptr<Bench>> startAll(const Plan &plan)
{
    std::vector<std::unique_ptr<Bench>> all;
    for (const Installer &installer : plan.installers)
        all.push_back(std::make_unique<Bench>(plan, installer));
    return all;
}

using Write = void (World::*)(const std::string &, int) const;

void measureChanges(const Plan &plan, const std::string &label, Write write, std::vector<Row> &rows)
{
    const std::vector<std::unique_ptr<Bench>> all = startAll(plan);
    std::vector<Samples> samples(all.size());
    for (int round = 1; round <= plan.changes; ++round) {
        for (size_t i = 0; i < all.size(); ++i) {
            (all[i]->world.*write)(firstFile, round);
            add(samples[i], untilPatched(all[i]->world, firstFile, round, nowNs()));
            ::usleep(3000);
        }
    }
    rows.push_back({ label + " → patched visible, p50 (ms)", quantiles(samples, 0.5) });
    rows.push_back({ label + " → patched visible, p99 (ms)", quantiles(samples, 0.99) });
    addFailures(rows, label, samples);
}

double burst(const World &world, int files, int sequence)
{
    const int64_t began = nowNs();
    for (int i = 0; i < files; ++i)
        world.writeByRename("20-burst-" + std::to_string(i) + ".conflist", sequence);
    double last = 0;
    for (int i = 0; i < files; ++i)
        last = untilPatched(world, "20-burst-" + std::to_string(i) + ".conflist", sequence, began);
    return last;
}

} // namespace

std::vector<Row> measureStart(const Plan &plan)
{
    std::vector<Samples> samples(plan.installers.size());
    for (int round = 0; round < plan.starts; ++round) {
        for (size_t i = 0; i < plan.installers.size(); ++i) {
            const World world(plan.base);
            world.writeByRename(firstFile, round);
            const Running running(plan.installers[i], world);
            add(samples[i], untilPatched(world, firstFile, round, running.startedNs()));
        }
    }
    std::vector<Row> rows{ { "exec → first config patched, p50 (ms)", quantiles(samples, 0.5) },
        { "exec → first config patched, p90 (ms)", quantiles(samples, 0.9) } };
    addFailures(rows, "exec → first config", samples);
    return rows;
}

std::vector<Row> measureLatency(const Plan &plan)
{
    std::vector<Row> rows;
    measureChanges(plan, "rename", &World::writeByRename, rows);
    measureChanges(plan, "in-place write", &World::writeInPlace, rows);
    return rows;
}

std::vector<Row> measureBurst(const Plan &plan)
{
    std::vector<Row> rows;
    for (const int files : { 1, 10, 100, 1000 }) {
        std::vector<Samples> samples(plan.installers.size());
        const std::vector<std::unique_ptr<Bench>> all = startAll(plan);
        for (int round = 1; round <= (files < 1000 ? 5 : 3); ++round) {
            for (size_t i = 0; i < all.size(); ++i) {
                add(samples[i], burst(all[i]->world, files, round));
                ::usleep(200'000);
            }
        }
        rows.push_back({ std::to_string(files) + " files at once → all patched, p50 (ms)", quantiles(samples, 0.5) });
        addFailures(rows, std::to_string(files) + " files at once", samples);
    }
    return rows;
}

std::vector<Row> measureIdle(const Plan &plan)
{
    const std::vector<std::unique_ptr<Bench>> all = startAll(plan);
    ::sleep(3); // what still settles after the start is not idling
    std::vector<Running::Usage> before;
    before.reserve(all.size());
    for (const auto &each : all)
        before.push_back(each->running->usage());
    ::sleep(unsigned(plan.idleSeconds));
    std::vector<Row> rows{ { "wake-ups per minute", {} }, { "CPU (ms per minute)", {} }, { "RSS (MiB)", {} },
        { "PSS (MiB)", {} } };
    const double perMinute = 60.0 / plan.idleSeconds;
    for (size_t i = 0; i < all.size(); ++i) {
        const Running::Usage now = all[i]->running->usage();
        rows[0].values.push_back((now.wakeUps - before[i].wakeUps) * perMinute);
        rows[1].values.push_back((now.cpuMs - before[i].cpuMs) * perMinute);
        rows[2].values.push_back(now.rssMiB);
        rows[3].values.push_back(now.pssMiB);
    }
    return rows;
}

} // namespace firstwatch::bench
