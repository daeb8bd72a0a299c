// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

#include <optional>

// A race written down: what others do to a net dir, and when. docs/race.md is the format's page.
namespace firstwatch::race {

inline constexpr qint64 longestNs = 3'600'000'000'000; // of any time in a schedule: an hour
inline constexpr int mostTimes = 10'000; // that one step is repeated; also the most things that happen in all

// The content of a file, or where it comes from.
struct Text {
    enum class From { Literal, Fixture, File };
    From from = From::Literal;
    QByteArray value; // the bytes; the fixture's name; the file's path
    bool isPatched = false; // with the plugin in it, as a patch would have put it there

    friend bool operator==(const Text &, const Text &) = default;
};

// One thing that another writer does, maybe again and again.
struct Step {
    enum class What {
        Write, // in place: open(2) with O_TRUNC, the text in pieces, close(2)
        Create, // the same under a new inode; a file of that name is removed first
        Rename, // written beside it, then rename(2) over it
        Move, // rename(2) of the file itself to another name in the directory
        Delete,
        MakeDir,
        RemoveDir, // with all that is in it
        ReplaceDir, // renamed away; a new, empty one stands in its place
        Overflow, // the queue of the watch is full for `spanNs`: the kernel drops every event (inotify(7),
                  // IN_Q_OVERFLOW)
    };
    What what = What::Write;
    bool isAnswer = false; // else at a time of the schedule
    qint64 atNs = 0; // since the start, below zero before it; of an answer: since each patch of `file`
    QByteArray file;
    QByteArray to; // Move
    Text text; // Write, Create, Rename
    int pieces = 1; // Write, Create
    qint64 gapNs = 0; // between pieces
    qint64 spanNs = 0; // Overflow
    int times = 1;
    qint64 everyNs = 0; // between repetitions; of an answer: 0, each patch is one

    friend bool operator==(const Step &, const Step &) = default;
};

// Time zero is the moment at which an installer turns to its net dir. All times in nanoseconds.
struct Schedule {
    QByteArray title; // one line, may be empty
    QByteArray source; // "linkerd/linkerd2#14725"
    qint64 forkDelayNs = 0; // the process that watches comes into being so late
    qint64 watchDelayNs = 0; // inotify_add_watch(2) takes so long in it
    bool isDeaf = false; // the file system takes a watch and gives no events
    std::optional<qint64> untilNs; // else one second after the last step
    QList<Step> steps; // in the order of the text

    friend bool operator==(const Schedule &, const Schedule &) = default;
};

// Where a schedule could not be understood, and what would be right there.
struct ScheduleError {
    int line = 1;
    int column = 1; // in bytes
    QString text; // one sentence that names the way out
};

// Takes any bytes. Nothing is guessed: what is not understood is an error.
[[nodiscard]] std::optional<Schedule> parseSchedule(const QByteArray &text, ScheduleError &error);
// The inverse, without comments: parseSchedule() of it gives an equal schedule.
[[nodiscard]] QByteArray scheduleText(const Schedule &schedule);

// "write" and so on, as they stand in a schedule: "replace dir" is two words.
[[nodiscard]] QByteArray stepName(Step::What what);
[[nodiscard]] qint64 endOf(const Schedule &schedule); // when the simulation ends

} // namespace firstwatch::race
