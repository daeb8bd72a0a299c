// SPDX-License-Identifier: Apache-2.0
#include "manyevents.h"
#include "ui/models/eventfiltermodel.h"

#include <QCoreApplication>
#include <QElapsedTimer>

#include <algorithm>
#include <cstdio>
#include <functional>

using namespace firstwatch;
using namespace firstwatch::ui;

namespace {

constexpr int rounds = 9;

// The middle one of several: the first ones fill caches.
void measure(const char *what, const std::function<void()> &work)
{
    std::vector<double> times;
    for (int round = 0; round < rounds; ++round) {
        QElapsedTimer timer;
        timer.start();
        work();
        times.push_back(double(timer.nsecsElapsed()) / 1e6);
    }
    std::sort(times.begin(), times.end());
    std::printf("%-34s %8.2f ms (%.2f to %.2f)\n", what, times[rounds / 2], times.front(), times.back());
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
    measure("set 100 000 events", [&] {
        events.setNode({});
        events.setNode(node);
    });
    measure("make their text ready", [&] {
        events.setNode({});
        events.setNode(node);
        for (int row = 0; row < events.rowCount(); ++row)
            (void)events.folded(row);
    });
    for (const char *text :
        { "kind:patch", "file:10-*", "-file:10-* kind:patch", "since:10m", "state:OK", "repatch", "calico µs" })
        measure(text, [&] {
            shown.setFilter(filterOf(text));
            shown.setFilter({});
        });
    const char *const columns[] = { "", "by time", "by kind", "by file", "by detail", "by via" };
    for (int column = EventModel::Time; column < EventModel::ColumnCount; ++column)
        measure(columns[column], [&] {
            shown.sort(column, Qt::DescendingOrder);
            shown.sort(EventModel::Seq, Qt::AscendingOrder);
        });
    const QList<journal::Event> more = test::manyEvents(200, 100'001);
    measure("append 200", [&] { events.append(more); });
    return 0;
}
