// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conflist/plan.h"
#include "journal/event.h"
#include "race/schedule.h"

#include <QList>

#include <optional>

// What an installer would make of a schedule. Pure functions: the same schedule gives the same outcome, always.
namespace firstwatch::race {

enum class Installer { ShellBefore, ShellAfter, Firstwatch };
[[nodiscard]] QLatin1String installerName(Installer installer); // "shell_before", for programs
[[nodiscard]] QString installerTitle(Installer installer); // for people

// A content that another writer put there and that should have our plugin.
struct Change {
    enum class Heard {
        Told, // an event of it was read
        BeforeWatch,
        QueueFull,
        OtherDirectory, // than the one that is watched
        Deaf, // the file system gave no event
        NotListed, // the name is not one that the installer heeds
    };
    QByteArray file;
    qint64 atNs = 0; // since the start; below zero: it was there before
    Heard heard = Heard::Told;
    std::optional<qint64> patchedNs;
    bool isOver = false; // its owner has replaced or removed it since
    bool isAwaited = false; // at the end of the simulation somebody is still to look at it

    [[nodiscard]] bool isMissed() const { return !patchedNs && !isOver && !isAwaited; }
};

// What an owner had written, and an installer overwrote with what it had made of an older content.
struct LostUpdate {
    QByteArray file;
    qint64 atNs = 0;
    qint64 overwrittenNs = 0;
};

struct Outcome {
    Installer installer = Installer::Firstwatch;
    QList<journal::Event> events; // one run, as the service would have recorded it; t_ns begins with 1 at the start
    QList<Change> changes; // in the order of time
    QList<LostUpdate> lostUpdates;
    QByteArrayList putBack; // files that an owner had taken away, there again
    std::optional<qint64> armedNs; // the watch existed, for the first time
    std::optional<qint64> provenNs;
    std::optional<qint64> passNs; // the first pass began
    std::optional<qint64> nextPassNs; // after the end of the simulation, without anybody's doing
    qint64 endNs = 0;
    bool isComplete = true; // else there was too much to simulate
    QByteArrayList patched; // files that have the plugin at the end, sorted
};

// How Firstwatch works. A test plants faults by turning one of them off, to show that the model can miss something.
struct FirstwatchRules {
    bool provesFirst = true; // the pass begins after the proof; else before the watch, and is not made again
    bool rescansAfterOverflow = true;
    bool rearms = true; // when another directory stands in place of the one that is watched
    bool looksAtDisplaced = true; // at what came out of the exchange
    std::optional<qint64> periodNs = 30'000'000'000; // of the periodic pass
};

// Texts of the schedule are resolved (fixtures.h).
[[nodiscard]] Outcome simulate(Installer installer, const Schedule &schedule, const conflist::Options &chain);
[[nodiscard]] Outcome simulateFirstwatch(
    const Schedule &schedule, const conflist::Options &chain, const FirstwatchRules &rules);

} // namespace firstwatch::race
