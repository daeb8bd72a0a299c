// SPDX-License-Identifier: Apache-2.0
#include "stream/loopback.h"

#include <cerrno>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace firstwatch::stream {
namespace {

template <typename Address> sys::FileDescriptor listenAt(const Address &address, int family, int backlog)
{
    sys::FileDescriptor listening(::socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    const int on = 1; // a port of a run that ended a moment ago can be had again
    const void *const raw = &address;
    const bool listens = listening.isValid()
        && ::setsockopt(listening.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0
        && ::bind(listening.get(), static_cast<const sockaddr *>(raw), sizeof address) == 0
        && ::listen(listening.get(), backlog) == 0;
    return listens ? std::move(listening) : sys::FileDescriptor();
}

} // namespace

sys::FileDescriptor listenOnLoopback(Loopback address, quint16 port, int backlog)
{
    if (address == Loopback::V4) {
        sockaddr_in v4{};
        v4.sin_family = AF_INET;
        v4.sin_port = htons(port);
        v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        return listenAt(v4, AF_INET, backlog);
    }
    sockaddr_in6 v6{};
    v6.sin6_family = AF_INET6;
    v6.sin6_port = htons(port);
    v6.sin6_addr = IN6ADDR_LOOPBACK_INIT;
    return listenAt(v6, AF_INET6, backlog);
}

bool isWithoutAddress(int error)
{
    return error == EAFNOSUPPORT || error == EADDRNOTAVAIL;
}

QString loopbackName(Loopback address, quint16 port)
{
    return (address == Loopback::V4 ? QStringLiteral("127.0.0.1:%1") : QStringLiteral("[::1]:%1")).arg(port);
}

void tuneConnection(int socket)
{
    const int on = 1;
    const int bytes = 256 * 1024;
    (void)::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    (void)::setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
}

} // namespace firstwatch::stream
