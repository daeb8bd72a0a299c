// SPDX-License-Identifier: Apache-2.0
#include "stream/loopback.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace firstwatch::stream {

sys::FileDescriptor listenOnLoopback(quint16 port, int backlog)
{
    sys::FileDescriptor listening(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    const int on = 1; // a port of a run that ended a moment ago can be had again
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const void *const raw = &address;
    const bool listens = listening.isValid()
        && ::setsockopt(listening.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0
        && ::bind(listening.get(), static_cast<const sockaddr *>(raw), sizeof address) == 0
        && ::listen(listening.get(), backlog) == 0;
    return listens ? std::move(listening) : sys::FileDescriptor();
}

void tuneConnection(int socket)
{
    const int on = 1;
    const int bytes = 256 * 1024;
    (void)::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    (void)::setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
}

} // namespace firstwatch::stream
