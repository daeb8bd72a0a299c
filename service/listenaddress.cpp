// SPDX-License-Identifier: Apache-2.0
#include "service/listenaddress.h"

#include <arpa/inet.h>
#include <cerrno>
#include <netinet/in.h>
#include <sys/socket.h>

namespace firstwatch::service {
namespace {

sys::FileDescriptor listenAt(const void *address, socklen_t size, int family, int backlog)
{
    sys::FileDescriptor listening(::socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    const int on = 1; // a port of a run that ended a moment ago can be had again
    const int off = 0; // whatever net.ipv6.bindv6only says
    const bool listens = listening.isValid()
        && ::setsockopt(listening.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0
        && (family != AF_INET6 || ::setsockopt(listening.get(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off) == 0)
        && ::bind(listening.get(), static_cast<const sockaddr *>(address), size) == 0
        && ::listen(listening.get(), backlog) == 0;
    return listens ? std::move(listening) : sys::FileDescriptor();
}

sys::FileDescriptor listenAt(const in_addr &address, quint16 port, int backlog)
{
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_port = htons(port);
    at.sin_addr = address;
    return listenAt(&at, sizeof at, AF_INET, backlog);
}

sys::FileDescriptor listenAt(const in6_addr &address, quint16 port, int backlog)
{
    sockaddr_in6 at{};
    at.sin6_family = AF_INET6;
    at.sin6_port = htons(port);
    at.sin6_addr = address;
    return listenAt(&at, sizeof at, AF_INET6, backlog);
}

} // namespace

ListenAddress::ListenAddress(QByteArray text)
    : m_text(std::move(text))
{
}

std::optional<ListenAddress> ListenAddress::parse(const QByteArray &text)
{
    const bool hasBrackets = text.size() > 2 && text.startsWith('[') && text.endsWith(']');
    const QByteArray inner = hasBrackets ? text.sliced(1, text.size() - 2) : text;
    in_addr v4{};
    in6_addr v6{};
    const bool isAddress = ::inet_pton(AF_INET6, inner.constData(), &v6) == 1
        || (!hasBrackets && ::inet_pton(AF_INET, inner.constData(), &v4) == 1);
    if (!isAddress || inner.contains('\0'))
        return {};
    return ListenAddress(inner);
}

QByteArray ListenAddress::joined(quint16 port) const
{
    const QByteArray host = m_text.contains(':') ? '[' + m_text + ']' : m_text;
    return host + ':' + QByteArray::number(port);
}

sys::FileDescriptor ListenAddress::listen(quint16 port, int backlog) const
{
    in_addr v4{};
    if (::inet_pton(AF_INET, m_text.constData(), &v4) == 1)
        return listenAt(v4, port, backlog);
    in6_addr v6{};
    (void)::inet_pton(AF_INET6, m_text.constData(), &v6);
    sys::FileDescriptor listening = listenAt(v6, port, backlog);
    if (!listening.isValid() && errno == EAFNOSUPPORT && IN6_IS_ADDR_UNSPECIFIED(&v6))
        return listenAt(in_addr{ htonl(INADDR_ANY) }, port, backlog);
    return listening;
}

} // namespace firstwatch::service
