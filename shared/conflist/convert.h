// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conflist/decision.h"

namespace firstwatch::conflist {

// The plan for a file that holds a single plugin, which a runtime accepts.
[[nodiscard]] Plan planConversion(const Case &file);

} // namespace firstwatch::conflist
