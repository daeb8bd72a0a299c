// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "stream/connection.h"
#include "ui/fleet/kubectl.h"
#include "ui/fleet/pods.h"

#include <QProcess>

namespace firstwatch::fleet {

// The stream of one node through a child of kubectl. Each try finds the node's pod anew: a roll-out replaces it, and a
// forward goes on listening for one that is gone (kubernetes#67059).
class PodConnection : public stream::Connection {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(PodConnection)
public:
    ~PodConnection() override;
    void open() override;

protected:
    PodConnection(Cluster cluster, QString node);

    // What kubectl is to do with the pod.
    [[nodiscard]] virtual QStringList verb(const Pod &pod) const = 0;
    [[nodiscard]] const Cluster &cluster() const { return m_cluster; }
    [[nodiscard]] QProcess &child() { return m_child; }
    void fail(const KubectlTrouble &why); // closed(), once
    // What the child said last: why it ended is nowhere else.
    [[nodiscard]] KubectlTrouble childsWords();

private:
    void takePods(const KubectlResult &result);

    Cluster m_cluster;
    QString m_node;
    KubectlCall m_pods;
    QProcess m_child;
    QByteArray m_errors;
    bool m_isClosed = false;
};

} // namespace firstwatch::fleet
