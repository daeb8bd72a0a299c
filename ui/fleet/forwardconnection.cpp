// SPDX-License-Identifier: Apache-2.0
#include "ui/fleet/forwardconnection.h"

#include "ui/fleet/forwardline.h"

namespace firstwatch::fleet {
namespace {

constexpr qsizetype longestLine = 4096;
constexpr qsizetype mostErrors = 4096;

} // namespace

ForwardConnection::ForwardConnection(Cluster cluster, QString node)
    : m_cluster(std::move(cluster))
    , m_node(std::move(node))
    , m_pods(m_cluster)
    , m_lines(longestLine)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, [this] { fail(childsWords()); });
    connect(&m_pods, &KubectlCall::finished, this, &ForwardConnection::takePods);
    connect(&m_child, &QProcess::readyReadStandardOutput, this, &ForwardConnection::readOutput);
    connect(&m_child, &QProcess::readyReadStandardError, this, [this] { (void)childsWords(); });
    connect(&m_child, &QProcess::finished, this, [this] { fail(childsWords()); });
    connect(&m_child, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            fail(troubleOf(m_cluster, { KubectlResult::End::NotFound, 0, {}, {} }).text);
    });
    connect(&m_socket, &QTcpSocket::connected, this, [this] {
        m_timer.stop();
        Q_EMIT opened();
    });
    connect(&m_socket, &QTcpSocket::disconnected, this, [this] { fail(childsWords()); });
    connect(&m_socket, &QTcpSocket::errorOccurred, this, [this](QAbstractSocket::SocketError error) {
        if (error != QAbstractSocket::RemoteHostClosedError)
            fail(m_socket.errorString());
    });
}

ForwardConnection::~ForwardConnection()
{
    m_socket.disconnect(this);
    m_child.disconnect(this);
    m_child.kill();
    m_child.waitForFinished();
}

void ForwardConnection::open()
{
    m_pods.start({ QStringLiteral("get"), QStringLiteral("pods"), QStringLiteral("--selector"), m_cluster.selector,
        QStringLiteral("--field-selector"), QStringLiteral("spec.nodeName=") + m_node, QStringLiteral("--output"),
        QStringLiteral("json") });
}

void ForwardConnection::takePods(const KubectlResult &result)
{
    if (!result.isGood())
        return fail(troubleOf(m_cluster, result).text);
    const std::optional<QList<Pod>> pods = podsFromJson(result.output);
    if (!pods)
        return fail(QStringLiteral("kubectl did not list pods as JSON"));
    const std::optional<Pod> pod = podOfNode(*pods, m_node);
    if (!pod)
        return fail(QStringLiteral("no Firstwatch pod on %1").arg(m_node));
    forward(*pod);
}

void ForwardConnection::forward(const Pod &pod)
{
    prepareChild(m_child, m_cluster,
        { QStringLiteral("port-forward"), QStringLiteral("--address"), QStringLiteral("127.0.0.1"),
            QStringLiteral("pod/") + pod.name, u':' + QString::number(m_cluster.port) });
    m_timer.start(KubectlCall::patienceMs);
    m_child.start();
}

void ForwardConnection::readOutput()
{
    if (!m_lines.append(m_child.readAllStandardOutput()))
        return fail(QStringLiteral("kubectl printed something else than a forwarded port"));
    while (const std::optional<QByteArray> line = m_lines.next()) {
        const std::optional<quint16> port = forwardedPort(*line);
        if (port && m_socket.state() == QAbstractSocket::UnconnectedState)
            reach(*port);
    }
}

void ForwardConnection::reach(quint16 port)
{
    m_socket.connectToHost(QStringLiteral("127.0.0.1"), port);
}

void ForwardConnection::fail(const QString &why)
{
    if (!std::exchange(m_isClosed, true))
        Q_EMIT closed(why);
}

// What the child said last: why a forward ended is nowhere else.
QString ForwardConnection::childsWords()
{
    m_errors += m_child.readAllStandardError();
    m_errors = m_errors.right(mostErrors);
    if (m_errors.trimmed().isEmpty())
        return QStringLiteral("the port-forward to %1 ended").arg(m_node);
    return troubleOf(m_cluster, { KubectlResult::End::Exited, 1, {}, m_errors }).text;
}

} // namespace firstwatch::fleet
