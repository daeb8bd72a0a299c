// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sys/filedescriptor.h"

#include <QByteArray>
#include <QString>

#include <atomic>
#include <functional>
#include <mutex>

namespace firstwatch::journal {

// Writes lines to a descriptor that somebody else reads, or does not: never waits for it. A line that finds no room is
// dropped whole and counted, and the count is said before the next line that is written. Thread-safe. A reader that
// went away is EPIPE: the caller ignores SIGPIPE.
class LineWriter {
public:
    // Writes to what `fd` is open on; `fd` stays the caller's. `droppedText` makes the line that says the count.
    LineWriter(int fd, std::function<QByteArray(quint64 count)> droppedText);

    void write(const QByteArray &line); // with its newline
    [[nodiscard]] quint64 dropped() const { return m_dropped; } // since the start

private:
    void drain();
    [[nodiscard]] bool hasRoom() const;

    sys::FileDescriptor m_fd;
    std::function<QByteArray(quint64)> m_droppedText;
    std::mutex m_mutex;
    QByteArray m_rest; // of the line begun: written before anything else
    std::atomic<quint64> m_dropped = 0;
    quint64 m_said = 0; // of m_dropped
};

} // namespace firstwatch::journal
