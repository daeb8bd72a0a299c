// SPDX-License-Identifier: Apache-2.0
#include "ui/fleet/execconnection.h"

namespace firstwatch::fleet {

ExecConnection::ExecConnection(const Cluster &cluster, const QString &node)
    : PodConnection(cluster, node)
{
    connect(&child(), &QProcess::started, this, &Connection::opened);
}

QStringList ExecConnection::verb(const Pod &pod) const
{
    return { QStringLiteral("exec"), QStringLiteral("--stdin"), QStringLiteral("pod/") + pod.name,
        QStringLiteral("--container"), QStringLiteral("firstwatchd"), QStringLiteral("--"),
        QStringLiteral("firstwatchd"), QStringLiteral("relay") };
}

} // namespace firstwatch::fleet
