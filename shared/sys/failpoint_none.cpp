// SPDX-License-Identifier: Apache-2.0
#include "sys/failpoint.h"

namespace firstwatch::sys {

int faultAt(const char *)
{
    return 0;
}

} // namespace firstwatch::sys
