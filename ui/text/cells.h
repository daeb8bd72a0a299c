// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/text/look.h"
#include "ui/text/node.h"

// The facts of a node that a list of nodes has in its columns, each in a few characters; noText() where it is not
// known.
namespace firstwatch::ui {

[[nodiscard]] QString noText(); // "-"
[[nodiscard]] QString watchText(const Node &node); // watchWord()
[[nodiscard]] QString marginText(const Node &node); // "+0.41 ms"
[[nodiscard]] Role marginRole(const Node &node); // below zero it is the race
[[nodiscard]] QString filesText(const Node &node); // "2/2": patched of eligible
[[nodiscard]] QString lastPatchText(const Node &node); // "2h11m 10-calico.conflist"
[[nodiscard]] QString driftText(const Node &node); // "1/41s": how many, and how old the oldest is
[[nodiscard]] QString tokenText(const Node &node); // how old it is
[[nodiscard]] QString bootText(const Node &node); // the beginning of its name

} // namespace firstwatch::ui
