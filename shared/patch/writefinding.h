// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conflist/finding.h"
#include "patch/fileexchange.h"

#include <optional>

namespace firstwatch::patch {

// A failed write in words: what happened, what it means, what to do. Codes 1201 … 1207.
[[nodiscard]] Finding writeFinding(const Written &written);
// All codes that writeFinding() can give, to close them once a write worked.
[[nodiscard]] QList<int> writeFindingCodes();

// What a write that worked could not carry over from the original, code 1206; nothing when all was kept.
[[nodiscard]] std::optional<Finding> notKeptFinding(const Written &written);

} // namespace firstwatch::patch
