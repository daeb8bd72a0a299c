// SPDX-License-Identifier: Apache-2.0
#include "ui/fleet/podconnection.h"

namespace firstwatch::fleet {
namespace {

constexpr qsizetype mostErrors = 4096;

} // namespace

PodConnection::PodConnection(Cluster cluster, QString node)
    : m_cluster(std::move(cluster))
    , m_node(std::move(node))
    , m_pods(m_cluster)
{
    connect(&m_pods, &KubectlCall::finished, this, &PodConnection::takePods);
    connect(&m_child, &QProcess::readyReadStandardError, this, [this] { (void)childsWords(); });
    connect(&m_child, &QProcess::finished, this, [this] { fail(childsWords()); });
    connect(&m_child, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            fail(troubleOf(m_cluster, { KubectlResult::End::NotFound, 0, {}, {} }).text);
    });
}

PodConnection::~PodConnection()
{
    m_child.disconnect(this);
    m_child.kill();
    m_child.waitForFinished();
}

void PodConnection::open()
{
    m_pods.start(m_cluster.listPods(m_node));
}

void PodConnection::takePods(const KubectlResult &result)
{
    if (!result.isGood())
        return fail(troubleOf(m_cluster, result).text);
    const std::optional<QList<Pod>> pods = podsFromJson(result.output);
    if (!pods)
        return fail(QStringLiteral("kubectl did not list pods as JSON"));
    const std::optional<Pod> pod = podOfNode(*pods, m_node);
    if (!pod)
        return fail(QStringLiteral("no Firstwatch pod on %1").arg(m_node));
    prepareChild(m_child, m_cluster, verb(*pod));
    m_child.start();
}

void PodConnection::fail(const QString &why)
{
    if (!std::exchange(m_isClosed, true))
        Q_EMIT closed(why);
}

QString PodConnection::childsWords()
{
    m_errors += m_child.readAllStandardError();
    m_errors = m_errors.right(mostErrors);
    if (m_errors.trimmed().isEmpty())
        return QStringLiteral("kubectl's connection to %1 ended").arg(m_node);
    return troubleOf(m_cluster, { KubectlResult::End::Exited, 1, {}, m_errors }).text;
}

} // namespace firstwatch::fleet
