// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtGlobal>

#include <algorithm>
#include <sys/inotify.h>

// How long things take in Firstwatch: its own constants, and what docs/performance.md measured on a disk.
namespace firstwatch::race {

inline constexpr qint64 us = 1'000;
inline constexpr qint64 ms = 1'000'000;
inline constexpr qint64 s = 1'000'000'000;

inline constexpr qint64 openNs = 100 * us; // from its start, or from another directory, until it asks for the watch
inline constexpr qint64 probeNs = 50 * us; // until the probe is back
inline constexpr qint64 readyNs = 400 * us; // from the first proof to the first pass
inline constexpr qint64 eventNs = 50 * us; // until an event is read
inline constexpr qint64 lookNs = 50 * us; // at a file that is as it should be
inline constexpr qint64 patchNs = 600 * us; // the write recipe, from the look to the exchange
inline constexpr qint64 deadlineNs = 250 * ms; // of one probe; there are three (watch/prover.h)
inline constexpr int probes = 3;
inline constexpr qint64 pollNs = 2 * s; // reads of the directory and looks at its identity (watch/directorywatch.h)
inline constexpr qint64 modifiedNs =
    1020 * ms; // a writer that keeps the file open: once it is quiet (patch/reconciler.cpp)
inline constexpr qint64 createdNs = 20 * ms;
inline constexpr qint64 firstRetryNs = 20 * ms; // doubled after the second (patch/filepatcher.cpp)
inline constexpr qint64 longestRetryNs = 2 * s;
inline constexpr qint64 incompleteNs = 5 * s; // then only an event or the periodic pass looks again

inline constexpr quint32 complete = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE;

inline qint64 nextRetryNs(qint64 lastNs)
{
    if (lastNs == 0)
        return firstRetryNs;
    return lastNs == firstRetryNs ? 50 * ms : std::min(2 * lastNs, longestRetryNs);
}

} // namespace firstwatch::race
