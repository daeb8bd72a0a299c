// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sys/syscalls.h"

#include <QByteArray>

#include <optional>

namespace firstwatch::patch {

inline constexpr qsizetype largestConfig = 1024LL * 1024; // bytes

enum class ReadStatus {
    Ok,
    Missing,
    NotRegular, // FIFO, device, directory: never read
    TooLarge,
    LinkOutside, // a symbolic link that leaves the net dir, dangles or loops
    Failed, // errno in `error`
};

// A content that is known already, with its contentHash(): what turns out to be the same need not be hashed anew. The
// text may be missing.
struct Known {
    QByteArray text;
    QByteArray hash;
};

// One version of a config file: what was read, and an open descriptor that tells later who still writes to it.
struct ConfigFile {
    ReadStatus status = ReadStatus::Failed;
    int error = 0;
    QByteArray name; // the directory entry that holds the content, or would: a link's target, else the file itself
    QByteArray text;
    QByteArray hash; // contentHash() of the text
    struct stat info { };
    sys::FileDescriptor fd;
};

// As readConfig(), but for the content, which readText() reads.
[[nodiscard]] ConfigFile openConfig(int directory, const QByteArray &name, const QByteArray &hostDir);
// Reads its content, or reads it anew. False with errno when that failed.
[[nodiscard]] bool readText(ConfigFile &file, const Known &known = {});
// Reads `name` below `directory`. A symbolic link is followed only to another entry of the same directory: `hostDir` is
// that directory as the host names it, for absolute targets.
[[nodiscard]] ConfigFile readConfig(
    int directory, const QByteArray &name, const QByteArray &hostDir, const Known &known = {});

// True when nobody has changed the content for a second: a writer that keeps the file open for ever is not waited for.
[[nodiscard]] bool isQuiet(const ConfigFile &file);

// Where a link leads within the directory, be it there or not; nothing when it leaves it or loops.
[[nodiscard]] std::optional<QByteArray> resolveLink(int directory, const QByteArray &name, const QByteArray &hostDir);

} // namespace firstwatch::patch
