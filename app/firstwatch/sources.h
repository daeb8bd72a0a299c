// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/firstwatch/verb.h"

#include "ui/text/node.h"

namespace firstwatch::cli {

// Every source asked or read, worst first; what could not be is there too, with its trouble, and said on the standard
// error. A recording without an event is no node.
[[nodiscard]] QList<ui::Node> collect(Call &call);
// The same in the order in which they were named, each of which is one node.
[[nodiscard]] QList<ui::Node> collectInOrder(Call &call);
// The only source of a verb of one node.
[[nodiscard]] ui::Node collectOne(Call &call);

// What was found, as an exit code.
[[nodiscard]] int exitCodeOf(const QList<ui::Node> &nodes, const Options &options);
// Of a verb that only shows: whether there was something to show.
[[nodiscard]] int exitCodeOf(const ui::Node &node);

// On the standard error: a trouble with its code, what it means and what can be done.
void sayTrouble(Output &out, int code, const QString &what);

} // namespace firstwatch::cli
