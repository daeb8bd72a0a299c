// SPDX-License-Identifier: Apache-2.0
#include "ui/fleet/pods.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStringList>

#include <algorithm>
#include <tuple>

namespace firstwatch::fleet {
namespace {

Pod podOf(const QJsonValue &item)
{
    const QJsonValue metadata = item[QLatin1String("metadata")];
    const QJsonValue status = item[QLatin1String("status")];
    const bool isDeleted = metadata[QLatin1String("deletionTimestamp")].isString();
    return { metadata[QLatin1String("name")].toString(), metadata[QLatin1String("namespace")].toString(),
        item[QLatin1String("spec")][QLatin1String("nodeName")].toString(),
        status[QLatin1String("startTime")].toString(),
        !isDeleted && status[QLatin1String("phase")] == QLatin1String("Running") };
}

auto rank(const Pod &pod)
{
    return std::tie(pod.isRunning, pod.started, pod.name);
}

} // namespace

std::optional<QList<Pod>> podsFromJson(const QByteArray &json)
{
    const QJsonValue items = QJsonDocument::fromJson(json)[QLatin1String("items")];
    if (!items.isArray())
        return {};
    QList<Pod> pods;
    for (const QJsonValue item : items.toArray()) {
        if (const Pod pod = podOf(item); !pod.name.isEmpty())
            pods.append(pod);
    }
    return pods;
}

std::optional<Pod> podOfNode(const QList<Pod> &pods, const QString &node)
{
    std::optional<Pod> best;
    for (const Pod &pod : pods) {
        if (pod.node == node && (!best || rank(*best) < rank(pod)))
            best = pod;
    }
    return best;
}

QStringList nodesOf(const QList<Pod> &pods)
{
    QStringList nodes;
    for (const Pod &pod : pods) {
        if (!pod.node.isEmpty())
            nodes.append(pod.node);
    }
    nodes.sort();
    nodes.removeDuplicates();
    return nodes;
}

} // namespace firstwatch::fleet
