// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

#include <optional>

namespace firstwatch::fleet {

// A pod of the service, as "kubectl get pods -o json" lists it (core/v1 Pod).
struct Pod {
    QString name;
    QString nameSpace;
    QString node; // empty: not placed yet
    QString started; // status.startTime, RFC 3339: sorts as text
    bool isRunning = false; // phase Running, and not being deleted
};

// Nothing when it is no list of pods. What is no pod in it is left out.
[[nodiscard]] std::optional<QList<Pod>> podsFromJson(const QByteArray &json);
// The one that speaks for the node: running before not, then the youngest. In a roll-out a node has two.
[[nodiscard]] std::optional<Pod> podOfNode(const QList<Pod> &pods, const QString &node);
// The names of all nodes with a pod, sorted.
[[nodiscard]] QStringList nodesOf(const QList<Pod> &pods);

} // namespace firstwatch::fleet
