// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/text/look.h"
#include "ui/text/node.h"

namespace firstwatch::ui {

// A row for each node; `isWide` adds version, run, token and source.
[[nodiscard]] QString statusTable(const Look &look, const QList<Node> &nodes, bool isWide);
// "node-17 OK +0.41 ms 2/2", one line a node.
[[nodiscard]] QString statusLines(const Look &look, const QList<Node> &nodes);
// "3 nodes: 1 BLIND, 2 OK. Smallest ready margin +0.09 ms (node-17)."
[[nodiscard]] QString fleetSentence(const QList<Node> &nodes);
// "1 of 3 nodes needs attention (2 ok, 1 blind)"
[[nodiscard]] QString attentionSentence(const QList<Node> &nodes);

} // namespace firstwatch::ui
