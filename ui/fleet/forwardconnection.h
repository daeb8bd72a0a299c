// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "stream/linesplitter.h"
#include "ui/fleet/podconnection.h"

#include <QTcpSocket>

namespace firstwatch::fleet {

// Through "kubectl port-forward" and its port on the loopback, another one for each try.
class ForwardConnection final : public PodConnection {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(ForwardConnection)
public:
    ForwardConnection(const Cluster &cluster, const QString &node);
    ~ForwardConnection() override;

    QIODevice &device() override { return m_socket; }

protected:
    [[nodiscard]] QStringList verb(const Pod &pod) const override;

private:
    void readOutput();

    stream::LineSplitter m_lines;
    QTcpSocket m_socket;
};

} // namespace firstwatch::fleet
