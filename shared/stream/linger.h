// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "stream/limits.h"
#include "stream/wire.h"

#include <QTimer>

namespace firstwatch::stream {

// Closes a socket without a reset, which would throw away what the peer has not read yet and end a whole port-forward
// (kubectl#1169): what is left goes out, then comes our end, and what the peer still says is read and thrown away until
// its own. Bounded in time and bytes; after that it is closed all the same.
class Linger final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Linger)
public:
    Linger(Wire::Released wire, const Limits &limits, QObject *parent = nullptr);

Q_SIGNALS:
    // Once, and never from within the constructor. Not whole: the peer may have got a reset.
    void done(bool whole);

private:
    void flush();
    void discard();
    void end(bool whole);

    sys::FileDescriptor m_socket;
    QByteArray m_rest;
    qint64 m_left; // bytes that may still be thrown away
    QTimer m_limit;
    QSocketNotifier m_readable;
    QSocketNotifier m_writable;
};

} // namespace firstwatch::stream
