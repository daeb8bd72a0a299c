// SPDX-License-Identifier: Apache-2.0
#include "sys/clock.h"

#include <ctime>

namespace firstwatch::sys {

qint64 bootTimeNs()
{
    timespec now{};
    ::clock_gettime(CLOCK_BOOTTIME, &now);
    return qint64(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

} // namespace firstwatch::sys
