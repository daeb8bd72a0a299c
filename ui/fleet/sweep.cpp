// SPDX-License-Identifier: Apache-2.0
#include "ui/fleet/sweep.h"

#include "stream/diffrequest.h"

#include "ui/fleet/execconnection.h"
#include "ui/fleet/forwardconnection.h"

#include <QRegularExpression>

namespace firstwatch::fleet {

using stream::Client;

struct Sweep::Visit {
    Visit(const Client::Dial &dial, const Client::Options &options)
        : client(dial, options)
    {
    }
    Client client;
    QList<journal::Event> events;
    std::unique_ptr<stream::DiffRequest> diffs;
    QTimer timer;
};

Client::Dial dialNode(const Cluster &cluster, const QString &node, Carrier carrier)
{
    return [cluster, node, carrier]() -> std::unique_ptr<stream::Connection> {
        if (carrier == Carrier::Exec)
            return std::make_unique<ExecConnection>(cluster, node);
        return std::make_unique<ForwardConnection>(cluster, node);
    };
}

Sweep::Sweep(Cluster cluster, Options options, QObject *parent)
    : QObject(parent)
    , m_cluster(std::move(cluster))
    , m_options(std::move(options))
    , m_pods(m_cluster)
{
    connect(&m_pods, &KubectlCall::finished, this, &Sweep::takePods);
}

Sweep::~Sweep() = default;

void Sweep::start()
{
    m_pods.start(m_cluster.listPods());
}

void Sweep::takePods(const KubectlResult &result)
{
    if (!result.isGood())
        return Q_EMIT finished({}, troubleOf(m_cluster, result));
    const QList<Pod> pods = podsFromJson(result.output).value_or(QList<Pod>());
    const QRegularExpression pattern(QRegularExpression::wildcardToRegularExpression(m_options.nodes));
    m_nodes = nodesOf(pods).filter(pattern);
    m_waiting = m_nodes;
    if (m_nodes.isEmpty())
        return Q_EMIT finished({}, std::nullopt);
    visitMore();
}

void Sweep::visitMore()
{
    while (!m_waiting.isEmpty() && qsizetype(m_visits.size()) < m_options.atATime)
        visit(m_waiting.takeFirst());
}

void Sweep::visit(const QString &node)
{
    Client::Options options = m_options.client;
    options.follow = false;
    options.node = node;
    auto &visit =
        *m_visits.emplace(node, std::make_unique<Visit>(dialNode(m_cluster, node, m_options.carrier), options))
             .first->second;
    connect(
        &visit.client, &Client::happened, this, [&visit](const journal::Event &event) { visit.events.append(event); });
    // Queued: the visit ends, and its client with it.
    connect(
        &visit.client, &Client::done, this, [this, node] { askForDiffs(node); }, Qt::QueuedConnection);
    connect(
        &visit.timer, &QTimer::timeout, this, [this, node] { conclude(node); }, Qt::QueuedConnection);
    visit.timer.setSingleShot(true);
    visit.timer.start(m_options.timeoutMs);
    visit.client.start();
}

void Sweep::askForDiffs(const QString &node)
{
    const auto found = m_visits.find(node);
    if (found == m_visits.end() || !m_options.diffsOf || found->second->client.link() != Client::Link::Live)
        return conclude(node);
    Visit &visit = *found->second;
    visit.diffs = std::make_unique<stream::DiffRequest>(visit.client, m_options.diffsOf(visit.events));
    connect(
        visit.diffs.get(), &stream::DiffRequest::done, this, [this, node] { conclude(node); }, Qt::QueuedConnection);
    visit.diffs->start();
}

void Sweep::conclude(const QString &node)
{
    const auto found = m_visits.find(node);
    if (found == m_visits.end())
        return; // was concluded already
    const Client &client = found->second->client;
    Report report{ node, client.link() == Client::Link::Live, client.troubleCode(), client.trouble(), client.view(),
        client.isShortened(), found->second->events, {}, {} };
    if (found->second->diffs) {
        report.diffs = found->second->diffs->diffs();
        report.diffTrouble = found->second->diffs->trouble();
    }
    if (!report.isReached && report.trouble.isEmpty())
        report.trouble = QStringLiteral("no answer within %1 s").arg(m_options.timeoutMs / 1000);
    m_reports.insert(node, report);
    m_visits.erase(found);
    visitMore();
    Q_EMIT progressed();
    if (m_reports.size() == m_nodes.size())
        Q_EMIT finished(m_reports.values(), std::nullopt);
}

} // namespace firstwatch::fleet
