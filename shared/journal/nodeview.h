// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "journal/state.h"

#include <optional>

namespace firstwatch::journal {

// All that is shown of a node besides its events: the state word and the facts behind it, folded over the events of one
// run (boot). An event of another boot begins anew. Takes any event from outside; what misses a field or has one of the
// wrong type is worth nothing there. As JSON it is what a snapshot carries: a view restored from a snapshot goes on
// with the events after it.
struct NodeView {
    struct Process {
        QString node;
        QString version;
        QString netDir;
        qint64 pid = 0;
        qint64 startedNs = 0; // 0: the start is not among the events
        qint64 startedWallUs = 0;
        QString stopSummary; // empty while it runs
        friend bool operator==(const Process &, const Process &) = default;
    };
    struct Watch {
        QString backend; // "inotify"
        QString witness; // of QFileSystemWatcher: "confirmed", "late", "absent", "not_asked"
        QString trouble; // why it is lost or polling, empty when proven
        qint64 armedNs = 0;
        qint64 provenNs = 0;
        qint64 probeUs = 0;
        friend bool operator==(const Watch &, const Watch &) = default;
    };
    struct Pass {
        qint64 number = 0; // 0: none yet
        QString reason;
        QString evidence; // "proof" or "polling"
        qint64 beganNs = 0;
        qint64 endedNs = 0; // 0: under way
        qint64 files = 0;
        qint64 patched = 0;
        qint64 missed = 0;
        std::optional<qint64> marginNs; // from the proof to the begin: only with proof
        friend bool operator==(const Pass &, const Pass &) = default;
    };
    struct Patch {
        QString file; // shown name
        qint64 tNs = 0; // 0: none yet
        qint64 wallUs = 0;
        friend bool operator==(const Patch &, const Patch &) = default;
    };
    struct Counters {
        qint64 passes = 0;
        qint64 missed = 0;
        qint64 changes = 0;
        qint64 patched = 0; // first patches of a file
        qint64 repatched = 0;
        qint64 recovered = 0; // of both: exchanges that brought out newer content, which was patched in turn
        qint64 failed = 0;
        qint64 undone = 0;
        qint64 overflows = 0;
        qint64 lost = 0; // times the watch was lost
        qint64 rotations = 0; // of the token
        friend bool operator==(const Counters &, const Counters &) = default;
    };

    NodeState state;
    QByteArray boot;
    quint64 seq = 0; // of the last event applied
    qint64 tNs = 0;
    qint64 wallUs = 0;
    Process process;
    Watch watch;
    Pass firstPass; // the race of the start
    Pass lastPass;
    Patch lastPatch;
    Counters counters;
    std::optional<qint64> tokenExpires; // seconds since the epoch, 0: never; nothing: no token was read in this run
    qint64 tokenNs = 0; // when it was last rotated

    void apply(const Event &event);
    // The margin of the start: how long the watch had been proven when the first pass began. Nothing without proof.
    [[nodiscard]] std::optional<qint64> readyMarginNs() const { return firstPass.marginNs; }

    [[nodiscard]] QJsonObject toJson() const;
    // The inverse. From outside: what is missing or of the wrong type has its default.
    [[nodiscard]] static NodeView fromJson(const QJsonObject &json);

private:
    void begin(const Event &event);
    void applyProcess(const Event &event);
    void applyWatch(const Event &event);
    void applyPass(const Event &event);
    void count(const Event &event);
};

} // namespace firstwatch::journal
