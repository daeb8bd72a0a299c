// SPDX-License-Identifier: Apache-2.0
#include "stream.h"

#include <QCoreApplication>

#include <algorithm>
#include <cstdio>

using namespace firstwatch::bench;

namespace {

const char usage[] = R"(firstwatch_streambench [option…] [delivery] [news] [patching]

Measures the stream of firstwatchd over its UNIX socket: how many events it
delivers and what each costs, how soon a client knows, and whether clients are
felt by patching. The last column is the reference of the ratios in brackets.

  --dir DIR       the file system to measure on (default /dev/shm: tmpfs)
  --changes N     of each column (1000)
  --replays N     of the kept events to each client (20)
  --quiet MS      without changes, for each column (5000)

Examples:
  firstwatch_streambench                        everything, in three minutes
  firstwatch_streambench --changes 100 news
)";

struct Arguments {
    StreamPlan plan{ "/dev/shm", { "firstwatchd", { BENCH_FIRSTWATCHD } } };
    std::vector<std::string> wanted;
    bool good = true;
};

Arguments parse(int argc, char **argv)
{
    Arguments all;
    for (int i = 1; i < argc && all.good; ++i) {
        const std::string word = argv[i];
        const bool option = word.starts_with("--");
        const char *value = option && i + 1 < argc ? argv[++i] : nullptr;
        if (!option)
            all.wanted.push_back(word);
        else if (value == nullptr)
            all.good = false;
        else if (word == "--dir")
            all.plan.base = value;
        else if (word == "--changes")
            all.plan.changes = std::stoi(value);
        else if (word == "--replays")
            all.plan.replays = std::stoi(value);
        else if (word == "--quiet")
            all.plan.quietMs = std::stoi(value);
        else
            all.good = false;
    }
    return all;
}

} // namespace

int main(int argc, char **argv)
{
    qputenv("QT_NO_GLIB", "1");
    const QCoreApplication application(argc, argv);
    const Arguments arguments = parse(argc, argv);
    if (!arguments.good) {
        std::fputs(usage, stderr);
        return 2;
    }
    const std::vector<std::pair<std::string, StreamTable (*)(const StreamPlan &)>> all{ { "delivery", measureDelivery },
        { "news", measureNews }, { "patching", measurePatching } };
    for (const auto &[name, measure] : all) {
        const auto &wanted = arguments.wanted;
        if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), name) == wanted.end())
            continue;
        const StreamTable table = measure(arguments.plan);
        printTable(name + " on " + arguments.plan.base.string(), table.columns, table.rows);
    }
    return 0;
}
