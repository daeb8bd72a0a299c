// SPDX-License-Identifier: Apache-2.0
#include "measure.h"

#include <algorithm>
#include <cstdio>
#include <sstream>

using namespace firstwatch::bench;

namespace {

const char usage[] = R"(firstwatch_bench [option…] [start] [latency] [burst] [idle]

Measures firstwatchd beside a bare C program that does the least possible with the
same fsyncs, round by round in one run. The figure in brackets is the ratio to it.
"careful" is that program with the system calls of the write recipe, and no more.

  --dir DIR        the file system to measure on (default /dev/shm: tmpfs)
  --cmd COMMAND    one more installer that takes the same environment (repeatable)
  --starts N       rounds of start (20)
  --changes N      rounds of latency (200)
  --idle SECONDS   length of idle (20)

Examples:
  firstwatch_bench                       everything, on tmpfs
  firstwatch_bench --dir /var/tmp latency burst
  firstwatch_bench --cmd "/opt/other/install-cni" start
)";

Installer other(const std::string &command)
{
    std::istringstream words(command);
    Installer installer;
    for (std::string word; words >> word;)
        installer.command.push_back(word);
    installer.name =
        installer.command.empty() ? command : std::filesystem::path(installer.command[0]).filename().string();
    return installer;
}

struct Arguments {
    Plan plan{ "/dev/shm", { { "firstwatchd", { BENCH_FIRSTWATCHD } } } };
    std::vector<std::string> wanted;
    bool good = true;
};

// False when there is no such option.
bool take(Plan &plan, const std::string &option, const char *value)
{
    if (option == "--dir")
        plan.base = value;
    else if (option == "--cmd")
        plan.installers.push_back(other(value));
    else if (option == "--starts")
        plan.starts = std::stoi(value);
    else if (option == "--changes")
        plan.changes = std::stoi(value);
    else if (option == "--idle")
        plan.idleSeconds = std::stoi(value);
    else
        return false;
    return true;
}

Arguments parse(int argc, char **argv)
{
    Arguments all;
    for (int i = 1; i < argc && all.good; ++i) {
        const std::string word = argv[i];
        if (!word.starts_with("--"))
            all.wanted.push_back(word);
        else
            all.good = i + 1 < argc && take(all.plan, word, argv[++i]);
    }
    all.plan.installers.push_back({ "bare C, careful", { BENCH_BARE, "--careful" } });
    all.plan.installers.push_back({ "bare C", { BENCH_BARE } }); // the reference comes last
    return all;
}

} // namespace

int main(int argc, char **argv)
{
    const Arguments arguments = parse(argc, argv);
    if (!arguments.good) {
        std::fputs(usage, stderr);
        return 2;
    }
    std::vector<std::string> names;
    for (const Installer &installer : arguments.plan.installers)
        names.push_back(installer.name);
    const std::vector<std::pair<std::string, std::vector<Row> (*)(const Plan &)>> all{ { "start", measureStart },
        { "latency", measureLatency }, { "burst", measureBurst }, { "idle", measureIdle } };
    for (const auto &[name, measure] : all) {
        const auto &wanted = arguments.wanted;
        if (wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end())
            printTable(name + " on " + arguments.plan.base.string(), names, measure(arguments.plan));
    }
    return 0;
}
