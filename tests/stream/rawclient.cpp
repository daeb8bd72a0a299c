// SPDX-License-Identifier: Apache-2.0
#include "rawclient.h"

#include "stream/protocol.h"

#include <QJsonDocument>

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

namespace firstwatch::test {
namespace {

template <typename Address> sys::FileDescriptor connected(const Address &address)
{
    const void *const raw = &address;
    const auto *generic = static_cast<const sockaddr *>(raw);
    sys::FileDescriptor socket(::socket(generic->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (::connect(socket.get(), generic, sizeof address) != 0)
        socket.reset();
    return socket;
}

bool waitFor(int socket, short what, int ms)
{
    pollfd wanted{ socket, what, 0 };
    return ::poll(&wanted, 1, ms) > 0;
}

} // namespace

RawClient::RawClient(const QByteArray &socketPath)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::copy(socketPath.begin(), socketPath.end(), address.sun_path);
    m_socket = connected(address);
}

RawClient::RawClient(quint16 loopbackPort)
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(loopbackPort);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    m_socket = connected(address);
}

RawClient::RawClient(const QByteArray &address, quint16 port)
{
    sockaddr_in v4{};
    sockaddr_in6 v6{};
    v4.sin_family = AF_INET;
    v6.sin6_family = AF_INET6;
    v4.sin_port = v6.sin6_port = htons(port);
    if (::inet_pton(AF_INET, address.constData(), &v4.sin_addr) == 1)
        m_socket = connected(v4);
    else if (::inet_pton(AF_INET6, address.constData(), &v6.sin6_addr) == 1)
        m_socket = connected(v6);
}

bool RawClient::send(const QByteArray &bytes)
{
    qsizetype sent = 0;
    while (sent < bytes.size()) {
        if (!test::waitFor(m_socket.get(), POLLOUT, patienceMs))
            return false;
        const ssize_t taken =
            ::send(m_socket.get(), bytes.constData() + sent, size_t(bytes.size() - sent), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (taken < 0)
            return false;
        sent += taken;
    }
    return true;
}

void RawClient::stopSending()
{
    ::shutdown(m_socket.get(), SHUT_WR);
}

bool RawClient::read(int ms)
{
    if (m_end != End::None || !test::waitFor(m_socket.get(), POLLIN, ms))
        return false;
    char bytes[65536];
    const ssize_t size = ::recv(m_socket.get(), bytes, sizeof bytes, 0);
    if (size <= 0) {
        m_end = size == 0 ? End::Regular : End::Reset;
        return false;
    }
    m_bytes += size;
    m_received.append(bytes, qsizetype(size));
    return true;
}

std::optional<QJsonObject> RawClient::next(int ms)
{
    const QDeadlineTimer deadline(ms);
    qsizetype end = m_received.indexOf('\n');
    while (end < 0 && read(int(deadline.remainingTime())))
        end = m_received.indexOf('\n');
    if (end < 0)
        return {};
    const QByteArray line = m_received.first(end);
    m_received.remove(0, end + 1);
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(line, &error);
    if (error.error != QJsonParseError::NoError)
        qFatal("not JSON: %s", line.left(200).constData());
    return document.object();
}

template <typename Wanted> QJsonObject RawClient::waitUntil(Wanted wanted, int ms)
{
    m_passed.clear();
    const QDeadlineTimer deadline(ms);
    while (const std::optional<QJsonObject> frame = next(int(deadline.remainingTime()))) {
        if (wanted(*frame))
            return *frame;
        m_passed.append(*frame);
    }
    return {};
}

QJsonObject RawClient::waitFor(const QString &method, int ms)
{
    return waitUntil([&](const QJsonObject &frame) { return frame[u"method"] == method; }, ms);
}

QJsonObject RawClient::waitForAnswer(int id, int ms)
{
    return waitUntil([&](const QJsonObject &frame) { return frame.contains(u"id") && frame[u"id"] == id; }, ms);
}

QJsonObject RawClient::hello()
{
    const QJsonObject theirs = waitFor(QStringLiteral("hello"))[u"params"].toObject();
    if (theirs.isEmpty())
        return {};
    const QJsonObject answer = call(QStringLiteral("hello"),
        { { QStringLiteral("major"), 1 }, { QStringLiteral("minor"), 0 },
            { QStringLiteral("client"), QStringLiteral("raw") } });
    return answer.contains(u"result") ? theirs : QJsonObject();
}

QJsonObject RawClient::authorise(const QByteArray &key)
{
    const QJsonObject theirs = waitFor(QStringLiteral("hello"))[u"params"].toObject();
    const QByteArray cnonce(32, 'c');
    const QByteArray code = stream::challengeCode(key, theirs[u"nonce"].toString().toLatin1(), cnonce,
        theirs[u"boot"].toString().toLatin1(), theirs[u"node"].toString().toUtf8());
    return call(QStringLiteral("hello"),
        { { QStringLiteral("major"), 1 }, { QStringLiteral("cnonce"), QString::fromLatin1(cnonce) },
            { QStringLiteral("mac"), QString::fromLatin1(code) } });
}

QJsonObject RawClient::call(const QString &method, const QJsonObject &params)
{
    send(requestOf(++m_lastId, method, params));
    return waitForAnswer(m_lastId);
}

RawClient::End RawClient::waitForEnd(int ms)
{
    const QDeadlineTimer deadline(ms);
    while (read(int(deadline.remainingTime()))) { }
    return m_end;
}

QByteArray requestOf(int id, const QString &method, const QJsonObject &params)
{
    return QJsonDocument(
               QJsonObject{ { QStringLiteral("jsonrpc"), QStringLiteral("2.0") }, { QStringLiteral("id"), id },
                   { QStringLiteral("method"), method }, { QStringLiteral("params"), params } })
               .toJson(QJsonDocument::Compact)
        + '\n';
}

QList<qint64> seqsOf(const QList<QJsonObject> &frames)
{
    QList<qint64> seqs;
    for (const QJsonObject &frame : frames) {
        if (frame[u"method"] == QLatin1String("event"))
            seqs.append(frame[u"params"][u"seq"].toInteger());
    }
    return seqs;
}

} // namespace firstwatch::test
