// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtGlobal>

namespace firstwatch::sys {

// CLOCK_BOOTTIME in nanoseconds: monotonic, and goes on while the machine sleeps (clock_gettime(2)).
[[nodiscard]] qint64 bootTimeNs();

} // namespace firstwatch::sys
