// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conflist/activefile.h"
#include "conflist/plan.h"

#include <optional>

namespace firstwatch::conflist {

// Why the single plugin in `conf` must not become the list that `plan` makes of it, for the sake of its neighbours:
// somebody refers to the file by its name, or a runtime would use another network. `files` are all configs of the
// folder; a list of the new name among them is taken for an earlier one of ours.
[[nodiscard]] std::optional<Finding> conversionRisk(
    const QList<NamedText> &files, const QByteArray &conf, const Plan &plan);

[[nodiscard]] Finding conversionBlocked(const QByteArray &listName); // such a list is there, and is its owner's

} // namespace firstwatch::conflist
