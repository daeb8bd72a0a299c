// SPDX-License-Identifier: Apache-2.0
#include "stream/wire.h"

#include <cerrno>
#include <sys/socket.h>

namespace firstwatch::stream {

bool sendSome(int socket, QByteArray &bytes)
{
    qsizetype sent = 0;
    while (sent < bytes.size()) {
        const ssize_t taken = ::send(socket, bytes.constData() + sent, size_t(bytes.size() - sent), MSG_NOSIGNAL);
        if (taken > 0)
            sent += taken;
        else if (errno != EINTR)
            break;
    }
    const bool isThere = sent == bytes.size() || errno == EAGAIN;
    bytes.remove(0, sent);
    return isThere;
}

Wire::Wire(sys::FileDescriptor socket, QObject *parent)
    : QObject(parent)
    , m_socket(std::move(socket))
    , m_readable(m_socket.get(), QSocketNotifier::Read)
    , m_writable(m_socket.get(), QSocketNotifier::Write)
{
    m_writable.setEnabled(false);
    connect(&m_readable, &QSocketNotifier::activated, this, &Wire::read);
    connect(&m_writable, &QSocketNotifier::activated, this, &Wire::flush);
}

void Wire::write(const QByteArray &bytes)
{
    if (!m_socket.isValid() || bytes.isEmpty())
        return;
    m_rest += bytes;
    if (!m_writable.isEnabled() && !send())
        breakDown();
}

void Wire::setReading(bool wanted)
{
    m_readable.setEnabled(wanted && !m_ended && m_socket.isValid());
}

Wire::Released Wire::release()
{
    m_readable.setEnabled(false);
    m_writable.setEnabled(false);
    return { std::move(m_socket), std::move(m_rest) };
}

void Wire::read()
{
    QByteArray bytes(chunkBytes, Qt::Uninitialized);
    const ssize_t size = ::recv(m_socket.get(), bytes.data(), size_t(bytes.size()), 0);
    if (size < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (size < 0)
        return breakDown();
    if (size == 0) {
        m_ended = true;
        m_readable.setEnabled(false);
        Q_EMIT ended();
        return;
    }
    bytes.truncate(size);
    Q_EMIT received(bytes);
}

void Wire::flush()
{
    if (!send())
        return breakDown();
    Q_EMIT moved();
}

bool Wire::send()
{
    const qsizetype before = m_rest.size();
    const bool isThere = sendSome(m_socket.get(), m_rest);
    m_written += before - m_rest.size();
    m_writable.setEnabled(isThere && !m_rest.isEmpty());
    return isThere;
}

void Wire::breakDown()
{
    m_readable.setEnabled(false);
    m_writable.setEnabled(false);
    m_socket.reset();
    Q_EMIT broken();
}

} // namespace firstwatch::stream
