// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/firstwatch/verb.h"

#include "ui/text/node.h"

namespace firstwatch::cli {

// Asks every node of a cluster once, a few at a time, with the progress on a terminal. With Options::wait again and
// again until all of them, and as many as Options::require says, are in that state, or there is no time left.
[[nodiscard]] QList<ui::Node> askCluster(const ClusterNodes &nodes, Call &call);

} // namespace firstwatch::cli
