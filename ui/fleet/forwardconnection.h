// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "stream/connection.h"
#include "stream/linesplitter.h"
#include "ui/fleet/kubectl.h"
#include "ui/fleet/pods.h"

#include <QTcpSocket>

namespace firstwatch::fleet {

// The stream of one node through "kubectl port-forward". Each try finds the node's pod anew, since a forward goes on
// listening for a pod that is gone (kubernetes#67059), and has a child and a port of its own.
class ForwardConnection final : public stream::Connection {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(ForwardConnection)
public:
    ForwardConnection(Cluster cluster, QString node);
    ~ForwardConnection() override;

    void open() override;
    QIODevice &device() override { return m_socket; }

private:
    void takePods(const KubectlResult &result);
    void forward(const Pod &pod);
    void readOutput();
    void reach(quint16 port);
    void fail(const QString &why);
    [[nodiscard]] QString childsWords();

    Cluster m_cluster;
    QString m_node;
    KubectlCall m_pods;
    QProcess m_child;
    stream::LineSplitter m_lines;
    QByteArray m_errors;
    QTcpSocket m_socket;
    QTimer m_timer;
    bool m_isClosed = false;
};

} // namespace firstwatch::fleet
