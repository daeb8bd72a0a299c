// SPDX-License-Identifier: Apache-2.0
#include "ui/fleet/forwardconnection.h"

#include "ui/fleet/forwardline.h"

namespace firstwatch::fleet {
namespace {

constexpr qsizetype longestLine = 4096;

} // namespace

ForwardConnection::ForwardConnection(const Cluster &cluster, const QString &node)
    : PodConnection(cluster, node)
    , m_lines(longestLine)
{
    connect(&child(), &QProcess::readyReadStandardOutput, this, &ForwardConnection::readOutput);
    connect(&m_socket, &QTcpSocket::connected, this, &Connection::opened);
    connect(&m_socket, &QTcpSocket::disconnected, this, [this] { fail(childsWords()); });
    connect(&m_socket, &QTcpSocket::errorOccurred, this, [this](QAbstractSocket::SocketError error) {
        if (error != QAbstractSocket::RemoteHostClosedError)
            fail({ 0, m_socket.errorString() });
    });
}

ForwardConnection::~ForwardConnection()
{
    m_socket.disconnect(this);
}

QStringList ForwardConnection::verb(const Pod &pod) const
{
    return { QStringLiteral("port-forward"), QStringLiteral("--address"), QStringLiteral("127.0.0.1"),
        QStringLiteral("pod/") + pod.name, u':' + QString::number(cluster().port) };
}

void ForwardConnection::readOutput()
{
    if (!m_lines.append(child().readAllStandardOutput()))
        return fail({ 0, QStringLiteral("kubectl printed something else than a forwarded port") });
    while (const std::optional<QByteArray> line = m_lines.next()) {
        const std::optional<quint16> port = forwardedPort(*line);
        if (port && m_socket.state() == QAbstractSocket::UnconnectedState)
            m_socket.connectToHost(QStringLiteral("127.0.0.1"), *port);
    }
}

} // namespace firstwatch::fleet
