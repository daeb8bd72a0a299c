// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "eventually.h"

#include <QByteArrayList>
#include <QtGlobal>

#include <optional>
#include <sys/types.h>

namespace firstwatch::test {

// A child process whose output goes into files. Killed and reaped with the object.
class Process final {
    Q_DISABLE_COPY_MOVE(Process)
public:
    Process() = default;
    ~Process();

    // `command` is looked up in PATH; `environment` holds "NAME=value". The child leads a process group of its own.
    void start(const QByteArrayList &command, const QByteArrayList &environment, const QByteArray &stdoutPath,
        const QByteArray &stderrPath);
    [[nodiscard]] pid_t pid() const { return m_pid; }
    [[nodiscard]] bool isRunning();
    void send(int signal) const;
    // The exit code, or the negative number of the signal that ended it; nothing when it still runs after that time.
    std::optional<int> wait(int ms = patienceMs);

private:
    pid_t m_pid = -1;
    std::optional<int> m_exit;
};

// Runs a command to its end, with the environment of the test and its output thrown away. The exit code as above.
int execute(const QByteArrayList &command);

} // namespace firstwatch::test
