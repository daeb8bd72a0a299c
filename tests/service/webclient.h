// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "eventually.h"
#include "sys/filedescriptor.h"

#include <QByteArray>

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <optional>
#include <poll.h>
#include <sys/socket.h>

namespace firstwatch::test {

// A client of an HTTP server on a plain socket, as rude as a test wants it. Waits in poll(2), so the server runs in
// another thread or process.
class WebClient {
public:
    explicit WebClient(quint16 port, const char *address = "127.0.0.1")
    {
        addrinfo hints{};
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
        hints.ai_socktype = SOCK_STREAM;
        addrinfo *found = nullptr;
        if (::getaddrinfo(address, QByteArray::number(port).constData(), &hints, &found) != 0)
            return;
        m_socket = sys::FileDescriptor(::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
        if (::connect(m_socket.get(), found->ai_addr, found->ai_addrlen) != 0)
            m_socket.reset();
        ::freeaddrinfo(found);
    }

    [[nodiscard]] bool isConnected() const { return m_socket.isValid(); }
    // As much as the server takes.
    void send(const QByteArray &bytes)
    {
        for (qsizetype sent = 0; sent < bytes.size();) {
            const ssize_t taken =
                ::send(m_socket.get(), bytes.constData() + sent, size_t(bytes.size() - sent), MSG_NOSIGNAL);
            if (taken <= 0)
                return;
            sent += taken;
        }
    }
    // All bytes up to the end of the connection; nothing when it does not end, or by a reset.
    [[nodiscard]] std::optional<QByteArray> readAll(int ms = patienceMs)
    {
        QByteArray all;
        char bytes[65536];
        pollfd wanted{ m_socket.get(), POLLIN, 0 };
        while (::poll(&wanted, 1, ms) > 0) {
            const ssize_t size = ::recv(m_socket.get(), bytes, sizeof bytes, 0);
            m_hasEnded = size <= 0;
            if (m_hasEnded)
                return size == 0 ? std::optional(all) : std::nullopt;
            all.append(bytes, size);
        }
        return {};
    }

    [[nodiscard]] bool hasEnded() const { return m_hasEnded; } // as readAll() found

private:
    sys::FileDescriptor m_socket;
    bool m_hasEnded = false;
};

struct WebAnswer {
    int status = 0; // 0: none
    QByteArray head; // without the empty line
    QByteArray text;
};

[[nodiscard]] inline WebAnswer asAnswer(const std::optional<QByteArray> &bytes)
{
    const qsizetype end = bytes ? bytes->indexOf("\r\n\r\n") : -1;
    if (end < 0 || !bytes->startsWith("HTTP/1.1 "))
        return {};
    return { bytes->mid(9, 3).toInt(), bytes->first(end), bytes->sliced(end + 4) };
}

[[nodiscard]] inline WebAnswer ask(quint16 port, const QByteArray &request, const char *address = "127.0.0.1")
{
    WebClient client(port, address);
    if (!client.isConnected())
        return {};
    client.send(request);
    return asAnswer(client.readAll());
}

[[nodiscard]] inline WebAnswer get(quint16 port, const QByteArray &path, const char *address = "127.0.0.1")
{
    return ask(port, "GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n", address);
}

} // namespace firstwatch::test
