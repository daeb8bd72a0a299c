// SPDX-License-Identifier: Apache-2.0
#include "fakenode.h"

namespace firstwatch::test {

journal::Event someEvent(quint64 seq, const QByteArray &boot)
{
    return { seq, boot, qint64(seq) * 1000, qint64(seq), journal::Kind::PassEnd, {}, {} };
}

FakeNode::FakeNode()
{
    connect(&m_server, &QLocalServer::newConnection, this, &FakeNode::accept);
    if (!m_server.listen(m_directory.filePath(QStringLiteral("s"))))
        qFatal("listen");
}

void FakeNode::addEvents(quint64 from, quint64 to)
{
    for (quint64 seq = from; seq <= to; ++seq)
        events.append(someEvent(seq, boot));
}

void FakeNode::say(const QByteArray &bytes)
{
    if (m_socket)
        m_socket->write(bytes);
}

void FakeNode::hangUp()
{
    if (m_socket)
        m_socket->disconnectFromServer();
}

stream::Endpoint FakeNode::endpoint() const
{
    return { stream::Endpoint::Kind::Local, m_server.fullServerName(), {}, 0, {} };
}

QList<stream::Request> FakeNode::requests(const QString &method) const
{
    QList<stream::Request> found = m_requests;
    found.removeIf([&method](const stream::Request &request) { return request.method != method; });
    return found;
}

QList<stream::Notification> FakeNode::notifications(const QString &method) const
{
    QList<stream::Notification> found = m_notifications;
    found.removeIf([&method](const stream::Notification &each) { return each.method != method; });
    return found;
}

void FakeNode::accept()
{
    m_socket = m_server.nextPendingConnection();
    ++m_connections;
    connect(m_socket, &QLocalSocket::readyRead, this,
        [this, socket = m_socket.get(), lines = stream::LineSplitter(stream::longestRequest)]() mutable {
            readAll(*socket, lines);
        });
    connect(m_socket, &QLocalSocket::disconnected, m_socket, &QObject::deleteLater);
    if (isSilent)
        return;
    QJsonObject params{ { QStringLiteral("proto"), QStringLiteral("firstwatch") }, { QStringLiteral("major"), 1 },
        { QStringLiteral("minor"), 0 }, { QStringLiteral("daemon"), QStringLiteral("0.1.0") },
        { QStringLiteral("node"), QStringLiteral("node-17") }, { QStringLiteral("boot"), QString::fromLatin1(boot) } };
    for (auto field = hello.begin(); field != hello.end(); ++field)
        params.insert(field.key(), field.value());
    say(stream::notificationLine(QStringLiteral("hello"), params));
}

void FakeNode::readAll(QLocalSocket &socket, stream::LineSplitter &lines)
{
    lines.append(socket.readAll());
    while (const std::optional<QByteArray> line = lines.next()) {
        const stream::Message message = stream::parseMessage(*line);
        if (const auto *request = std::get_if<stream::Request>(&message)) {
            m_requests.append(*request);
            if (answersRequests)
                answer(socket, *request);
        } else if (const auto *notification = std::get_if<stream::Notification>(&message)) {
            m_notifications.append(*notification);
        }
    }
}

void FakeNode::answer(QLocalSocket &socket, const stream::Request &request) const
{
    if (request.method == QLatin1String("snapshot")) {
        journal::NodeView view;
        for (const journal::Event &event : std::as_const(events))
            view.apply(event);
        view.boot = boot;
        QJsonObject result = snapshotAlso;
        result.insert(QStringLiteral("view"), view.toJson());
        socket.write(stream::resultLine(request.id, result));
    } else if (request.method == QLatin1String("subscribe")) {
        socket.write(stream::resultLine(request.id, {}));
        for (const journal::Event &event : std::as_const(events)) {
            if (qint64(event.seq) > request.params[QLatin1String("since")].toInteger())
                socket.write(stream::eventLine(journal::toLine(event)));
        }
    } else if (request.method == QLatin1String("hello")) {
        socket.write(stream::resultLine(request.id, welcome));
    } else {
        socket.write(
            stream::errorLine(request.id, stream::ErrorCode::MethodNotFound, QStringLiteral("no such method")));
    }
}

} // namespace firstwatch::test
