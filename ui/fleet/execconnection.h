// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/fleet/podconnection.h"

namespace firstwatch::fleet {

// Through "kubectl exec … firstwatchd relay" and its standard streams: needs no port and no key in the pod, and a
// stronger right (pods/exec).
class ExecConnection final : public PodConnection {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(ExecConnection)
public:
    ExecConnection(const Cluster &cluster, const QString &node);

    QIODevice &device() override { return child(); }

protected:
    [[nodiscard]] QStringList verb(const Pod &pod) const override;
};

} // namespace firstwatch::fleet
