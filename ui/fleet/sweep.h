// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "stream/client.h"
#include "stream/diff.h"
#include "ui/fleet/carrier.h"
#include "ui/fleet/kubectl.h"
#include "ui/fleet/pods.h"

#include <QObject>

#include <map>
#include <memory>

namespace firstwatch::fleet {

// How a client reaches a node of the cluster.
[[nodiscard]] stream::Client::Dial dialNode(const Cluster &cluster, const QString &node, Carrier carrier);

// One look at every node: its view, and its events when they are wanted. A few nodes at a time, since each is a child
// of kubectl and a connection to the API server.
class Sweep final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Sweep)
public:
    struct Options {
        Carrier carrier = Carrier::Forward;
        QString nodes = QStringLiteral("*"); // shell pattern of their names
        stream::Client::Options client; // `follow` and `node` are set by the sweep
        // Of which patches among a node's events what they changed is asked for; none: of no patch.
        std::function<QList<quint64>(const QList<journal::Event> &events)> diffsOf;
        int atATime = 8;
        int timeoutMs = 30'000; // for one node
    };
    struct Report {
        QString node;
        bool isReached = false;
        int troubleCode = 0; // why not, as a finding
        QString trouble; // and in words
        journal::NodeView view;
        bool isShortened = false; // the view lacks some of its files or findings
        QList<journal::Event> events;
        QList<stream::Diff> diffs;
        QString diffTrouble; // why some are missing
    };

    Sweep(Cluster cluster, Options options, QObject *parent = nullptr);
    ~Sweep() override;
    void start();
    // Nodes looked at so far, of all.
    [[nodiscard]] qsizetype done() const { return m_reports.size(); }
    [[nodiscard]] qsizetype all() const { return m_nodes.size(); }

Q_SIGNALS:
    void progressed();
    // In the order of the nodes' names. `trouble` when the pods could not even be listed.
    void finished(const QList<firstwatch::fleet::Sweep::Report> &reports,
        const std::optional<firstwatch::fleet::KubectlTrouble> &trouble);

private:
    struct Visit;
    void takePods(const KubectlResult &result);
    void visitMore();
    void visit(const QString &node);
    void askForDiffs(const QString &node);
    void conclude(const QString &node);

    Cluster m_cluster;
    Options m_options;
    KubectlCall m_pods;
    QStringList m_nodes; // all that were found
    QStringList m_waiting;
    std::map<QString, std::unique_ptr<Visit>> m_visits;
    QMap<QString, Report> m_reports;
};

} // namespace firstwatch::fleet
