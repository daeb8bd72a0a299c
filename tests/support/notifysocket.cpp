// SPDX-License-Identifier: Apache-2.0
#include "notifysocket.h"

#include <algorithm>
#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>

namespace firstwatch::test {

NotifySocket::NotifySocket(const QByteArray &path)
    : m_socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0))
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= qsizetype(sizeof address.sun_path))
        qFatal("%s is too long for a socket", path.constData());
    std::memcpy(address.sun_path, path.constData(), size_t(path.size()));
    const void *const raw = &address;
    if (::bind(m_socket.get(), static_cast<const sockaddr *>(raw), sizeof address) != 0)
        qFatal("%s cannot be bound", path.constData());
}

const QByteArrayList &NotifySocket::told()
{
    char datagram[4096];
    for (ssize_t size = 0; (size = ::recv(m_socket.get(), datagram, sizeof datagram, 0)) > 0;)
        m_told.append(QByteArray(datagram, qsizetype(size)));
    return m_told;
}

bool NotifySocket::wasTold(const QByteArray &line)
{
    const QByteArrayList &all = told();
    return std::any_of(
        all.begin(), all.end(), [&](const QByteArray &datagram) { return datagram.split('\n').contains(line); });
}

} // namespace firstwatch::test
