// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conflist/plan.h"
#include "patch/filestate.h"

#include <optional>

// A single-plugin ".conf" or ".json" becomes "<stem>.conflist" with the same network and our plugin behind it. The
// original is put aside as ".<name>.firstwatch-kept" only once the list is durable, and comes back at clean-up.
namespace firstwatch::patch {

struct Conversion {
    std::optional<Finding> refused; // why the file must stay as it is
    Written written; // otherwise
};

// `conf` was read from `confState.name`, `plan` is its Convert plan, `list` the state of plan.targetName.
[[nodiscard]] Conversion convert(
    int directory, const ConfigFile &conf, const conflist::Plan &plan, const conflist::Options &chain, FileState &list);

enum class Restored { Nothing, Original, ListOnly, Failed };
// The undo for one kept original, at clean-up. ListOnly: the list has been changed by others since and is theirs now.
[[nodiscard]] Restored restoreKept(int directory, const QByteArray &kept, const conflist::Options &chain);

// The transform for a list that may have come from a conversion: takes a list's text as well as the original's.
[[nodiscard]] Transform listTransform(const QByteArray &listName, const conflist::Options &chain);

} // namespace firstwatch::patch
