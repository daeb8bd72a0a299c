// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "journal/event.h"
#include "stream/diff.h"

#include <QByteArray>
#include <QList>
#include <QString>

#include <optional>

// What was recorded of a node: the journal's own lines in a file. A capture (.fwz) is one, packed by gzip(1) and with a
// manifest as its first line, and behind the events what patches have changed; so is a history file, a directory of
// them, and a log of the service.
namespace firstwatch::stream {

// What a capture says of itself.
struct Manifest {
    struct Gap {
        quint64 from = 0;
        quint64 to = 0;
        QString why;
        friend bool operator==(const Gap &, const Gap &) = default;
    };
    QString node;
    QString client; // program and version that wrote it
    qint64 capturedUs = 0; // microseconds since the epoch
    QList<Gap> gaps; // events (seq, both included) that never came
    friend bool operator==(const Manifest &, const Manifest &) = default;
};

struct Capture {
    std::optional<Manifest> manifest;
    QList<journal::Event> events; // in the order of the file
    QList<Diff> diffs; // of patches among them, as far as they are told
    int torn = 0; // lines that are no whole event, or longer than a frame may be
    bool isCut = false; // there is more than is read
    QString trouble; // why it could not be read, or not to its end, in words; what came before it is there
};

// A capture comes from anywhere: however small its file is, no more than this is unpacked of it.
inline constexpr qint64 mostCaptureBytes = 32LL * 1024 * 1024;

// `path` may be "-" for the standard input, and a directory with history files. A line may have other text before its
// object, as log files of a container runtime have.
[[nodiscard]] Capture readCapture(const QByteArray &path, qint64 mostBytes = mostCaptureBytes);
// One line of what readCapture() takes.
[[nodiscard]] std::optional<journal::Event> capturedEvent(const QByteArray &line);

// Creates the file with mode 0600 and never replaces one; "-" is the standard output. False with `error` in words.
[[nodiscard]] bool writeCapture(const QByteArray &path, const Manifest &manifest, const QList<journal::Event> &events,
    const QList<Diff> &diffs, QString &error);

} // namespace firstwatch::stream
