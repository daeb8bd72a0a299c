// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "journal/event.h"
#include "stream/capture.h"

#include <QList>
#include <QString>
#include <QStringList>

#include <optional>

// The race of one run: when the watch was proven, when the first pass began, and whether a change fell in between.
namespace firstwatch::ui {

// What happened at one moment. Times are nanoseconds since the run's start (its first event that is known).
struct Mark {
    enum class Kind {
        Start,
        Stop,
        Armed,
        Proven,
        Lost,
        ChangeByEvent,
        ChangeByPass, // no event had told
        ChangeUnseen, // known from elsewhere, and not patched since: the run knows nothing of it
        ChangeOutside, // known from elsewhere, and patched since
        Patched,
        Undone,
        Failed,
        Unreadable,
        Written, // kubeconfig
        Rotated, // token
        Overflow,
        Gap,
    };
    Kind kind = Kind::Start;
    qint64 atNs = 0;
    quint64 seq = 0;
    QString text;
};

// What went on for a while. `isOpen`: still at the end of what is known.
struct Bar {
    enum class Kind { Running, Unwatched, Armed, Watched, Polled, Pass, Drift };
    Kind kind = Kind::Running;
    qint64 fromNs = 0;
    qint64 toNs = 0;
    bool isOpen = false;
    QString text; // "1" of a pass
};

struct Lane {
    QString name;
    QList<Bar> bars;
    QList<Mark> marks;
    QStringList facts; // what there is to read of it, in order
};

// A time in which a change gave no event.
struct BlindBand {
    qint64 fromNs = 0;
    qint64 toNs = 0; // the proof
    bool isProven = false; // else it lasts to the end of what is known, or to a watch that nobody proved
    int changes = 0; // inside, as far as is known
    int neverSeen = 0; // of them, not patched afterwards
    std::optional<qint64> exposedFromNs; // a pass began here, before the proof: what came after it was missed
    QString fact;
};

struct Timeline {
    enum class Verdict { Proven, NotProven, NoPass, NoWatch };

    QString node;
    QByteArray boot;
    qint64 startedUs = 0; // wall time of the start
    qint64 endNs = 0;
    qint64 zeroNs = 0; // what an axis counts from: the start, but where two runs are compared
    Verdict verdict = Verdict::NoPass;
    std::optional<qint64> marginNs; // below zero: the pass began first
    QString sentence;
    QList<BlindBand> blind;
    QList<Lane> lanes; // process, watch, pass, the files, token, stream; without those that are empty
};

// `run`: the events of one boot, in order. Takes any events from outside.
[[nodiscard]] Timeline timelineOf(const QList<journal::Event> &run, const QList<stream::Manifest::Gap> &gaps = {});

// "Ready margin +0.41 ms", and "PROVEN" or "NOT PROVEN".
[[nodiscard]] QString marginTitle(const Timeline &timeline);
[[nodiscard]] QString verdictWord(Timeline::Verdict verdict);

} // namespace firstwatch::ui
