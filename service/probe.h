// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "service/settings.h"

namespace firstwatch::service {

struct ProbeResult {
    bool good = false;
    QString text; // one line that says what was found
};

// What `firstwatchd probe` answers, for the exec probes of a pod: looks at the files of the running service only.
// Live (and started): its event loop has turned within the last two minutes. Ready: and the watch is proven, and every
// config is patched.
[[nodiscard]] ProbeResult probe(const Settings &settings);

} // namespace firstwatch::service
