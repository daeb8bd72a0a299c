// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "journal/shownname.h"

#include <QByteArray>
#include <QJsonObject>
#include <QString>

#include <optional>

// What happened, once and for all sinks: the log line, the history row, the streamed frame and the line of a capture
// are the same event.
namespace firstwatch::journal {

enum class Kind {
    ProcessStart, // version, pid, node, net_dir, settings
    ProcessStop, // clean, summary
    WatchArmed, // backend ("inotify"|"qt"), dir, watch
    WatchProven, // probe ("chmod"|"open"), probe_us, witness ("confirmed"|"late"|"absent"|"not_asked")
    WatchLost, // reason, errno
    WatchPolling, // reason, interval_ms
    WatchWitness, // witness: the second backend's word changed
    PassBegin, // pass, reason ("start"|"event"|"overflow"|"periodic"|"token"|"rearm"|"takeover"), evidence, margin_ns
    PassEnd, // pass, files, patched, missed, us, clean (absent: true; false: not everything could be looked at)
    // file, via ("event"|"pass"), mask (of inotify(7), 0 when a pass found it), seen_ns (when it was found). Another
    // `via` is an outside observer's, in recordings only: a change that the service never saw.
    FileChange,
    FileState, // file, state (a word of FileState below), active
    FileUnreadable, // file, why, retry_ms
    PatchApplied, // file, sha_before, sha_after, us, repatch, recovered (a displaced newer content)
    PatchFailed, // file, step, errno, retry_ms
    PatchUndone, // file, sha_before, sha_after
    Overflow, // count
    TokenRotated, // age_s, expires (seconds since the epoch, 0: never)
    KubeconfigWritten, // file, mode
    BinaryInstalled, // file, sha
    LockWaiting, // holder
    LockTaken, // waited_ms
    CleanupStep, // step, file, ok
    FindingOpen, // code, file, text, line, column
    FindingClose, // code, file
    Note, // text: anything said for people only
    Unknown, // of a newer version, only ever read; Event::unknownKind has its name
};
// "watch.proven" and so on, empty for Unknown; the inverse returns nothing for a kind of a newer version.
[[nodiscard]] QLatin1String kindName(Kind kind);
[[nodiscard]] std::optional<Kind> kindFromName(QAnyStringView name);

struct Event {
    quint64 seq = 0; // from 1, +1 each, within one boot; 0: said in the log only, never part of a journal
    QByteArray boot; // 16 hex digits, one run of the service
    qint64 tNs = 0; // CLOCK_BOOTTIME nanoseconds, never negative
    qint64 wallUs = 0; // microseconds since the epoch, a label only
    Kind kind = Kind::Note;
    QString unknownKind; // the name of the kind, when this version does not know it
    QJsonObject fields; // already redacted

    friend bool operator==(const Event &, const Event &) = default;
};

// One line of compact JSON with a newline: {"schema":"firstwatch/v1","seq":…,"boot":…,"t_ns":…,"wall":…,"kind":…,…}.
// The fields lie flat beside the head; the six head names are reserved and dropped from the fields. `seq` and `t_ns`
// are exact 64-bit integers; `wall` is RFC 3339 in UTC with microseconds.
[[nodiscard]] QByteArray toLine(const Event &event);
// The inverse, with or without the newline; nothing when it is not a whole event line. Unknown fields and unknown
// kinds are kept, so that a capture of a newer version passes through unharmed.
[[nodiscard]] std::optional<Event> fromLine(const QByteArray &line);

// "2026-08-23T09:05:27.123456Z" of microseconds since the epoch.
[[nodiscard]] QByteArray wallText(qint64 wallUs);
[[nodiscard]] qint64 wallNowUs();

} // namespace firstwatch::journal
