// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "patch/undo.h"
#include "service/surroundings.h"

namespace firstwatch::service {

struct CleanupResult {
    bool whole = false;
    QString summary; // "3 of 3 undone"
};

// The way out: configs, then the kubeconfig, then the binaries, so that no config ever names what is not there. Each
// config on its own; while one still names our plugin, kubeconfig and binaries stay. Ends within five seconds.
[[nodiscard]] CleanupResult cleanUp(const Settings &settings, const patch::PatchOptions &options,
    Surroundings &surroundings, journal::Journal &journal);

} // namespace firstwatch::service
