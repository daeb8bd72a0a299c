// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/text/look.h"
#include "ui/text/node.h"

namespace firstwatch::ui {

// What there is to say of a node besides its files and findings, in order; without what is not known.
struct NodeFact {
    QString label;
    QString text;
};
[[nodiscard]] QList<NodeFact> nodeFacts(const Node &node);
// One node on a page: the verdict, the watch, the first pass, its files, and what is wrong with what to do about it.
[[nodiscard]] QString nodePage(const Look &look, const Node &node);
// "Replay of run.fwz, recorded until 2026-11-30 18:49:06Z by firstwatch/0.1.0. Not live." Empty for a live node.
[[nodiscard]] QString replaySentence(const Node &node);
// "node-17 is OK: the watch is proven, and …"
[[nodiscard]] QString verdictSentence(const Node &node);

} // namespace firstwatch::ui
