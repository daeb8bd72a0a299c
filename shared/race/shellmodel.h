// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "race/model.h"

namespace firstwatch::race {

// `isFixed`: with the wait for inotifywait, as of 8f8e5d7.
[[nodiscard]] Outcome simulateShell(bool isFixed, const Schedule &schedule, const conflist::Options &chain);

} // namespace firstwatch::race
