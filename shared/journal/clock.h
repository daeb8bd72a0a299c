// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sys/clock.h"

namespace firstwatch::journal {

// This machine's reading of the clock that Event::tNs is on: CLOCK_BOOTTIME.
[[nodiscard]] inline qint64 bootNowNs()
{
    return sys::bootTimeNs();
}

} // namespace firstwatch::journal
