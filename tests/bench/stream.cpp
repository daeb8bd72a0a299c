// SPDX-License-Identifier: Apache-2.0
#include "stream.h"

#include "follower.h"
#include "runtimeseye.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <optional>
#include <unistd.h>

namespace firstwatch::bench {
namespace {

constexpr int turns = 10; // of each scenario
constexpr int pauseUs = 3000; // between two changes
constexpr int ringLines = 4352; // that a service keeps
const std::string firstFile = "10-base.conflist";

// The service at work in a world of its own, with its first config patched.
struct Served {
    explicit Served(const StreamPlan &plan)
        : world(plan.base)
        , eye(world)
    {
        world.writeByRename(firstFile, 0);
        running.emplace(plan.service, world);
        if (std::isnan(eye.untilPatched(firstFile, 0, running->startedNs()))) {
            std::fputs("firstwatch_streambench: firstwatchd does not patch\n", stderr);
            std::exit(1);
        }
        (void)connectTo(world.streamSocket()); // it is there soon after the first pass
    }
    // Milliseconds; NaN when it never came.
    double change()
    {
        world.prepare(firstFile, ++sequence);
        const int64_t beganNs = nowNs();
        world.rename(firstFile);
        return eye.untilPatched(firstFile, sequence, beganNs);
    }
    World world;
    RuntimesEye eye;
    std::optional<Running> running;
    int sequence = 0;
};

// What was sampled of one figure, for each scenario.
using Figure = std::vector<Samples>;

void add(Samples &samples, double value)
{
    if (std::isnan(value))
        ++samples.failed;
    else
        samples.values.push_back(value);
}

void addRows(std::vector<Row> &rows, const std::string &label, const Figure &figure)
{
    Row middle{ label + ", p50 (ms)", {} };
    Row late{ label + ", p99 (ms)", {} };
    Row never{ label + ", never", {} };
    double failed = 0;
    for (const Samples &samples : figure) {
        middle.values.push_back(samples.quantile(0.5));
        late.values.push_back(samples.quantile(0.99));
        never.values.push_back(samples.failed);
        failed += samples.failed;
    }
    rows.push_back(middle);
    rows.push_back(late);
    if (failed > 0)
        rows.push_back(never);
}

std::vector<std::string> namesOf(const std::vector<Scenario> &scenarios)
{
    std::vector<std::string> names;
    for (const Scenario &scenario : scenarios)
        names.emplace_back(scenario.name);
    return names;
}

// ---- delivery ----------------------------------------------------------------------------------------------------

void fillRing(Served &served)
{
    for (int i = 0; 2 * i < ringLines; ++i) // each change is two events
        (void)served.change();
}

struct Delivery {
    double perSecond = 0;
    double cpuUs = 0;
    double liveCpuUs = 0;
};

Delivery deliver(const StreamPlan &plan, Served &served, int clients)
{
    Readers readers(served.world.streamSocket(), clients);
    Delivery delivery;
    readers.catchUp();
    const Running::Usage before = served.running->usage();
    const int64_t beganNs = nowNs();
    double events = 0;
    for (int i = 0; i < plan.replays; ++i)
        events += double(readers.replay());
    delivery.perSecond = events / (double(nowNs() - beganNs) / 1e9);
    delivery.cpuUs = (served.running->usage().cpuMs - before.cpuMs) * 1000 / events;

    const uint64_t eventsBefore = readers.events();
    const Running::Usage then = served.running->usage();
    for (int i = 0; i < plan.changes; ++i)
        (void)served.change();
    readers.catchUp();
    delivery.liveCpuUs =
        (served.running->usage().streamCpuMs - then.streamCpuMs) * 1000 / double(readers.events() - eventsBefore);
    return delivery;
}

// ---- news --------------------------------------------------------------------------------------------------------

struct News {
    Figure change; // rename → file.change
    Figure patch; // rename → patch.applied
    Figure carried; // recorded → at the client
};

void hearChange(Served &served, Follower &follower, News &news, size_t scenario)
{
    served.world.prepare(firstFile, ++served.sequence);
    const int64_t beganNs = nowNs();
    served.world.rename(firstFile);
    const Follower::Heard heard = follower.hear(beganNs);
    add(news.change[scenario], heard.change);
    add(news.patch[scenario], heard.patch);
    add(news.carried[scenario], heard.carried);
    follower.rest(pauseUs);
}

} // namespace

StreamTable measureDelivery(const StreamPlan &plan)
{
    Served served(plan);
    fillRing(served);
    StreamTable table{ {},
        { { "kept events, delivered per second in all", {} },
            { "kept events, CPU of the service for each delivered (µs)", {} },
            { "new events, CPU of the stream's thread for each delivered (µs)", {} } } };
    for (const int clients : { 16, 4, 1 }) {
        const Delivery delivery = deliver(plan, served, clients);
        table.columns.push_back(std::to_string(clients) + (clients == 1 ? " client" : " clients"));
        table.rows[0].values.push_back(delivery.perSecond);
        table.rows[1].values.push_back(delivery.cpuUs);
        table.rows[2].values.push_back(delivery.liveCpuUs);
    }
    return table;
}

StreamTable measureNews(const StreamPlan &plan)
{
    const std::vector<Scenario> scenarios{ { "and a storm of connections", 6, false, true },
        { "and 7 slow helloes", 6, false, false, true }, { "and 15, of which one never reads", 14, true },
        { "and 15 that read", 15 }, { "1 client" } };
    Served served(plan);
    Follower follower(served.world.streamSocket());
    News news{ Figure(scenarios.size()), Figure(scenarios.size()), Figure(scenarios.size()) };
    for (int turn = 0; turn < turns; ++turn) {
        for (size_t i = 0; i < scenarios.size(); ++i) {
            const Crowd crowd(scenarios[i], served.world.streamSocket());
            for (int change = 0; change < plan.changes / turns; ++change)
                hearChange(served, follower, news, i);
        }
    }
    StreamTable table{ namesOf(scenarios), {} };
    addRows(table.rows, "rename → client has file.change", news.change);
    addRows(table.rows, "rename → client has patch.applied", news.patch);
    addRows(table.rows, "recorded → client has it", news.carried);
    return table;
}

StreamTable measurePatching(const StreamPlan &plan)
{
    const std::vector<Scenario> scenarios{ { "storm of connections", 7, false, true },
        { "8 slow helloes", 7, false, false, true }, { "16 clients, one never reads", 15, true }, { "16 clients", 16 },
        { "no client" } };
    Served served(plan);
    Figure patched(scenarios.size());
    Row quiet{ "CPU of the service while nothing changes (% of a core)", std::vector<double>(scenarios.size()) };
    for (int turn = 0; turn < turns; ++turn) {
        for (size_t i = 0; i < scenarios.size(); ++i) {
            const Crowd crowd(scenarios[i], served.world.streamSocket());
            const double before = served.running->usage().cpuMs;
            ::usleep(useconds_t(plan.quietMs) * 1000 / turns);
            quiet.values[i] += (served.running->usage().cpuMs - before) * 100 / plan.quietMs;
            for (int change = 0; change < plan.changes / turns; ++change) {
                add(patched[i], served.change());
                ::usleep(pauseUs);
            }
        }
    }
    StreamTable table{ namesOf(scenarios), {} };
    addRows(table.rows, "rename → patched visible", patched);
    table.rows.push_back(quiet);
    return table;
}

} // namespace firstwatch::bench
