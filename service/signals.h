// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sys/filedescriptor.h"

#include <QObject>
#include <QSocketNotifier>

#include <memory>

namespace firstwatch::service {

// First thing in main, before any thread starts, since threads inherit the mask: SIGTERM and SIGINT are blocked, to be
// read by SignalFd; SIGPIPE and SIGIO are ignored (a reader of our log may go away; leases announce themselves).
void prepareSignals();
// For a command that SIGTERM and SIGINT end at once.
void letSignalsEnd();

// SIGTERM and SIGINT as a Qt signal, by signalfd(2).
class SignalFd final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(SignalFd)
public:
    explicit SignalFd(QObject *parent = nullptr);
    [[nodiscard]] bool isValid() const { return m_fd.isValid(); }

Q_SIGNALS:
    void terminated(int signalNumber);

private:
    void read();

    sys::FileDescriptor m_fd;
    std::unique_ptr<QSocketNotifier> m_notifier;
};

} // namespace firstwatch::service
