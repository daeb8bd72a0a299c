// SPDX-License-Identifier: Apache-2.0
#include "stream/linger.h"

#include <cerrno>
#include <sys/socket.h>

namespace firstwatch::stream {

Linger::Linger(Wire::Released wire, const Limits &limits, QObject *parent)
    : QObject(parent)
    , m_socket(std::move(wire.socket))
    , m_rest(std::move(wire.rest))
    , m_left(limits.lingerBytes)
    , m_readable(m_socket.get(), QSocketNotifier::Read)
    , m_writable(m_socket.get(), QSocketNotifier::Write)
{
    connect(&m_readable, &QSocketNotifier::activated, this, &Linger::discard);
    connect(&m_writable, &QSocketNotifier::activated, this, &Linger::flush);
    connect(&m_limit, &QTimer::timeout, this, [this] { end(false); });
    m_limit.start(limits.lingerMs);
}

void Linger::flush()
{
    if (!sendSome(m_socket.get(), m_rest))
        return end(false);
    if (!m_rest.isEmpty())
        return;
    m_writable.setEnabled(false);
    ::shutdown(m_socket.get(), SHUT_WR);
}

void Linger::discard()
{
    char bytes[Wire::chunkBytes];
    const ssize_t size = ::recv(m_socket.get(), bytes, sizeof bytes, 0);
    if (size < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    m_left -= size;
    if (size < 0 || m_left < 0)
        end(false);
    else if (size == 0 && m_rest.isEmpty())
        end(true);
    else if (size == 0)
        m_readable.setEnabled(false); // it has said all, and still takes the rest
}

void Linger::end(bool whole)
{
    m_readable.setEnabled(false);
    m_writable.setEnabled(false);
    m_limit.stop();
    m_socket.reset();
    Q_EMIT done(whole);
}

} // namespace firstwatch::stream
