// SPDX-License-Identifier: Apache-2.0
#include "servednode.h"

#include "eventually.h"
#include "sys/clock.h"
#include "sys/filedescriptor.h"

#include <QFile>

#include <atomic>
#include <netinet/in.h>
#include <sys/socket.h>

namespace firstwatch::test {

using journal::Event;
using journal::Kind;

ServedNode::ServedNode(stream::ServerOptions options)
    : m_options(std::move(options))
{
    qputenv("QT_NO_GLIB", "1"); // as the service does
    if (m_options.socketPath.isEmpty())
        m_options.socketPath = QFile::encodeName(m_root.filePath(QStringLiteral("stream.sock")));
    m_options.node = QStringLiteral("node-17");
    m_options.version = QStringLiteral("0.1.0");
    m_server = std::make_unique<stream::Server>(m_options);
    QObject::connect(
        m_server.get(), &stream::Server::problem, m_server.get(),
        [this](int, const QString &text) { m_problems.append(text); }, Qt::DirectConnection);
    m_server->moveToThread(&m_thread);
    m_thread.start();
    inThread([](stream::Server &server) { server.start(); });
}

ServedNode::~ServedNode()
{
    inThread([this](stream::Server &) { m_server.reset(); });
    m_thread.quit();
    m_thread.wait();
}

void ServedNode::inThread(const std::function<void(stream::Server &)> &work)
{
    QMetaObject::invokeMethod(
        m_server.get(), [&] { work(*m_server); }, Qt::BlockingQueuedConnection);
}

void ServedNode::append(stream::Server &server, Kind kind, const QJsonObject &fields)
{
    const Event event{ ++m_seq, m_boot, sys::bootTimeNs(), journal::wallNowUs(), kind, {}, fields };
    server.append(event, journal::toLine(event));
}

quint64 ServedNode::record(Kind kind, const QJsonObject &fields)
{
    inThread([&](stream::Server &server) { append(server, kind, fields); });
    return m_seq;
}

quint64 ServedNode::happen(int count, int bytes)
{
    const QJsonObject fields{ { QStringLiteral("text"), QString(bytes, QLatin1Char('x')) } };
    inThread([&](stream::Server &server) {
        for (int i = 0; i < count; ++i)
            append(server, i % 2 == 0 ? Kind::Note : Kind::FileChange, fields);
    });
    return m_seq;
}

quint64 ServedNode::fill(int files, const QString &name)
{
    inThread([&](stream::Server &server) {
        for (int i = 0; i < files; ++i)
            append(server, Kind::FileState,
                { { QStringLiteral("file"), QStringLiteral("%1-%2.conflist").arg(name).arg(i) },
                    { QStringLiteral("state"), QStringLiteral("patched") } });
    });
    return m_seq;
}

void ServedNode::stop()
{
    std::atomic<bool> stopped = false;
    inThread([&](stream::Server &server) {
        QObject::connect(
            &server, &stream::Server::stopped, &server, [&] { stopped = true; }, Qt::DirectConnection);
        server.stop();
    });
    if (!eventually([&] { return stopped.load(); }))
        qFatal("the server does not stop");
}

quint16 freePort()
{
    const sys::FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    void *const raw = &address;
    auto *generic = static_cast<sockaddr *>(raw);
    if (::bind(socket.get(), generic, size) != 0 || ::getsockname(socket.get(), generic, &size) != 0)
        qFatal("no free port");
    return ntohs(address.sin_port);
}

} // namespace firstwatch::test
