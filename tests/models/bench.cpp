// SPDX-License-Identifier: Apache-2.0
#include "manyevents.h"
#include "ui/models/eventfiltermodel.h"

#include <QCoreApplication>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>

using namespace firstwatch;
using namespace firstwatch::ui;

namespace {

constexpr int rounds = 9;

// Processor time, since others may be at work. The middle one of several rounds: the first ones fill caches.
void measure(const char *what, const std::function<void()> &before, const std::function<void()> &work)
{
    std::vector<double> times;
    for (int round = 0; round < rounds; ++round) {
        before();
        const std::clock_t began = std::clock();
        work();
        times.push_back(double(std::clock() - began) * 1000 / CLOCKS_PER_SEC);
    }
    std::sort(times.begin(), times.end());
    std::printf("%-24s %7.2f ms (%.2f to %.2f)\n", what, times[rounds / 2], times.front(), times.back());
}

EventFilter filterOf(const char *text)
{
    Filter::Error error;
    return { Filter::parse(QString::fromUtf8(text), error).value_or(Filter()), -1, 0 };
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    Node node;
    node.events = test::manyEvents(100'000);
    EventModel events;
    EventFilterModel shown(&events);
    measure(
        "100 000 events", [&] { events.setNode({}); }, [&] { events.setNode(node); });
    measure(
        "their texts, when idle", [&] { events.setNode({}), events.setNode(node); },
        [&] {
            for (int row = 0; row < events.rowCount(); ++row)
                (void)events.folded(row);
        });
    const auto showAll = [&] { shown.setFilter({}); };
    for (const char *text :
        { "kind:patch", "file:10-*", "-file:10-* kind:patch", "since:10m", "state:OK", "repatch", "calico µs" })
        measure(text, showAll, [&] { shown.setFilter(filterOf(text)); });
    showAll();
    const auto inOrder = [&] { shown.sort(EventModel::Seq, Qt::AscendingOrder); };
    const char *const columns[] = { "", "by time", "by kind", "by file", "by detail", "by via" };
    for (int column = EventModel::Time; column < EventModel::ColumnCount; ++column)
        measure(columns[column], inOrder, [&] { shown.sort(column, Qt::DescendingOrder); });
    inOrder();
    const QList<journal::Event> more = test::manyEvents(200, 100'001);
    measure(
        "200 more", [] {}, [&] { events.append(more); });
    return 0;
}
