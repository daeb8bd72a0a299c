// SPDX-License-Identifier: Apache-2.0
#include "ui/fleet/podconnection.h"

#include "journal/findingcodes.h"

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
            fail(troubleOf(m_cluster, { KubectlResult::End::NotFound, 0, {}, {} }));
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
        return fail(troubleOf(m_cluster, result));
    const std::optional<QList<Pod>> pods = podsFromJson(result.output);
    if (!pods)
        return fail({ journal::code::kubectlFailed, QStringLiteral("kubectl did not list pods as JSON") });
    const std::optional<Pod> pod = podOfNode(*pods, m_node);
    if (!pod)
        return fail({ journal::code::noPods, QStringLiteral("no Firstwatch pod on %1").arg(m_node) });
    prepareChild(m_child, m_cluster, verb(*pod));
    m_child.start();
}

void PodConnection::fail(const KubectlTrouble &why)
{
    if (!std::exchange(m_isClosed, true))
        Q_EMIT closed(why.text, why.code);
}

// What kubectl says of a connection that ends by itself is no fault of kubectl's.
KubectlTrouble PodConnection::childsWords()
{
    m_errors += m_child.readAllStandardError();
    m_errors = m_errors.right(mostErrors);
    if (m_errors.trimmed().isEmpty())
        return { 0, QStringLiteral("kubectl's connection to %1 ended").arg(m_node) };
    KubectlTrouble trouble = troubleOf(m_cluster, { KubectlResult::End::Exited, 1, {}, m_errors });
    if (trouble.code == journal::code::kubectlFailed)
        trouble.code = 0;
    return trouble;
}

} // namespace firstwatch::fleet
