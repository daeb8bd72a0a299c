// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "stream/limits.h"
#include "stream/tokenbucket.h"
#include "sys/filedescriptor.h"

#include <QObject>
#include <QSocketNotifier>
#include <QTimer>

#include <functional>

namespace firstwatch::stream {

// Accepts connections of one listening socket, which stays the caller's: not faster than the limit, not at all while
// closed, and without spinning when there are no descriptors left (QTcpServer takes a whole core then).
class Acceptor final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Acceptor)
public:
    using Take = std::function<void(sys::FileDescriptor socket)>; // connected and non-blocking
    Acceptor(int listening, const Limits &limits, Take take);

    // Connections wait in the kernel's queue while it is closed.
    void setOpen(bool open);

Q_SIGNALS:
    void refused(); // one was closed at once, for want of descriptors

private:
    void accept();
    void refuseOne();
    void pause(int ms);

    int m_listening;
    Take m_take;
    TokenBucket m_opens;
    sys::FileDescriptor m_reserve; // given up for a moment, so that a connection can be taken and closed
    bool m_open = true;
    QTimer m_pause;
    QSocketNotifier m_ready;
};

} // namespace firstwatch::stream
