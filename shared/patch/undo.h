// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "journal/journal.h"
#include "patch/filepatcher.h"

namespace firstwatch::patch {

struct UndoResult {
    int undone = 0; // files that had our elements and now have none, converted files put back among them
    int failed = 0; // still have them
    [[nodiscard]] int all() const { return undone + failed; }
};

// Takes our elements out of every config of the directory; each file on its own, the rest goes on when one fails. Waits
// for writers until `deadlineNs` (CLOCK_BOOTTIME). Idempotent.
[[nodiscard]] UndoResult undoAll(
    int directory, const PatchOptions &options, journal::Journal &journal, qint64 deadlineNs);

} // namespace firstwatch::patch
