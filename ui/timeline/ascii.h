// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/text/look.h"
#include "ui/timeline/timeline.h"

namespace firstwatch::ui {

inline constexpr int usualColumns = 80; // where the look does not say

// Lanes of characters, and below what there is to read of each. `untilNs`: only the lanes, with what had happened
// until then, for a replay; the scale is that of the whole.
[[nodiscard]] QString timelineText(
    const Look &look, const Timeline &timeline, std::optional<qint64> untilNs = std::nullopt);

} // namespace firstwatch::ui
