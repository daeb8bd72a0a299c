// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fakenode.h"
#include "ui/fleet/kubectl.h"

namespace firstwatch::test {

[[nodiscard]] QJsonObject podJson(const QString &name, const QString &node);

// A cluster behind a kubectl that does as it is told. With `node` as its node-17 until told otherwise.
class FakeCluster {
public:
    FakeCluster();

    FakeNode node;
    fleet::Cluster cluster;
    // What kubectl does from now on: the fields of fakekubectl over those of a cluster with one node.
    void play(QJsonObject script, QJsonObject forward = {}) const;
    // The runs of kubectl so far with this verb: {"pid", "argv"}.
    [[nodiscard]] QList<QJsonObject> calls(const QString &verb) const;

private:
    QTemporaryDir m_directory;
};

} // namespace firstwatch::test
