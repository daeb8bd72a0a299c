// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/text/look.h"
#include "ui/text/node.h"

#include <QJsonArray>

namespace firstwatch::ui {

// Open findings of all nodes, the worst first.
struct Listed {
    const Node *node = nullptr;
    journal::NodeState::OpenFinding finding;
};
[[nodiscard]] QList<Listed> listedFindings(const QList<Node> &nodes);
[[nodiscard]] Facts factsOf(const Listed &listed); // `state` is that of its node

[[nodiscard]] QString codeName(int code); // "FW1101"
[[nodiscard]] QString nextOf(int code); // what can be done; empty for a code of a newer version

// `isWide` adds what can be done.
[[nodiscard]] QString findingTable(const Look &look, const QList<Listed> &findings, bool isWide);
// "FW1101 node-17 10-calico.conflist", one a line.
[[nodiscard]] QString findingNames(const Look &look, const QList<Listed> &findings);
[[nodiscard]] QJsonArray findingArray(const QList<Listed> &findings);

// What `explain` says of a code.
[[nodiscard]] QString codePage(const Look &look, const journal::CodeEntry &entry);
[[nodiscard]] QString codeTable(const Look &look);
[[nodiscard]] QJsonObject codeJson(const journal::CodeEntry &entry);

} // namespace firstwatch::ui
