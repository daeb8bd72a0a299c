// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/text/look.h"
#include "ui/text/node.h"

#include <QJsonArray>

namespace firstwatch::ui {

// One thing that has to hold on a node, whether it does, and the findings that say why not.
struct Check {
    enum class Outcome { Holds, Warning, Fails };
    Outcome outcome = Outcome::Holds;
    QString what; // "node-17 has a proven watch"
    QString detail; // where it holds: "inotify+qfsw, ready margin +0.41 ms"
    QList<journal::NodeState::OpenFinding> findings;
    QString trouble; // where no finding says it
};
[[nodiscard]] QList<Check> checksOf(const Node &node);

// `isShort`: only what does not hold. `program` is how to call this program ("kubectl firstwatch"). Never wrapped and
// without colour unless the look has it, so that it can be pasted.
[[nodiscard]] QString checkReport(const Look &look, const QList<Node> &nodes, bool isShort, const QString &program);
[[nodiscard]] QJsonArray checkArray(const QList<Node> &nodes);

} // namespace firstwatch::ui
