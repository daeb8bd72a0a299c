// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/fleet/carrier.h"
#include "ui/fleet/kubectl.h"

namespace firstwatch::fleet {

// What the cluster's rules (RBAC) allow or do not: "create" of "pods/portforward".
struct Right {
    QString verb;
    QString resource;
    // The verb of kubectl that asks whether one has it: "auth can-i create pods/portforward".
    [[nodiscard]] QStringList question() const;
};

// What it takes to reach a node so, besides listing its pods.
[[nodiscard]] Right rightOf(Carrier carrier);
// The right that the API server says is missing: 'User "jane" cannot create resource "pods/portforward" in …'
// (k8s.io/apiserver responsewriters, forbiddenMessage). Listing pods where it does not say.
[[nodiscard]] Right missingRight(const QByteArray &words);
// A command to paste, for the user or for the cluster's admin.
[[nodiscard]] QString askCommand(const Cluster &cluster, const Right &right);

} // namespace firstwatch::fleet
