// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sys/filedescriptor.h"

#include <QByteArray>
#include <QObject>
#include <QSocketNotifier>

namespace firstwatch::stream {

// Bytes in and out of one connected, non-blocking stream socket. On plain sockets, as Qt's own close both directions
// when the peer closes one, which a `printf … | relay` does at once.
class Wire final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Wire)
public:
    explicit Wire(sys::FileDescriptor socket, QObject *parent = nullptr);

    // What the kernel does not take at once is kept and goes out later: who writes looks at pending() first.
    void write(const QByteArray &bytes);
    [[nodiscard]] qsizetype pending() const { return m_rest.size(); }
    [[nodiscard]] qint64 written() const { return m_written; } // bytes that the kernel took, since the start

    // Reads at most this much at a time, and only while it is wanted.
    static constexpr qsizetype chunkBytes = 16LL * 1024;
    void setReading(bool wanted);

    // Ends the life of this object as a wire: the socket, and what it has not taken.
    struct Released {
        sys::FileDescriptor socket;
        QByteArray rest;
    };
    [[nodiscard]] Released release();

Q_SIGNALS:
    void received(const QByteArray &bytes);
    void ended(); // the peer says nothing more; it may still listen
    void moved(); // the kernel took some of what was pending, or all
    void broken(); // neither direction works any more

private:
    void read();
    void flush();
    [[nodiscard]] bool send();
    void breakDown();

    sys::FileDescriptor m_socket;
    QByteArray m_rest;
    qint64 m_written = 0;
    bool m_ended = false;
    QSocketNotifier m_readable;
    QSocketNotifier m_writable;
};

// send(2) of as much as is taken now, cut off the front. False when the peer is gone.
[[nodiscard]] bool sendSome(int socket, QByteArray &bytes);

} // namespace firstwatch::stream
