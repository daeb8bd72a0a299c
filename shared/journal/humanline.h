// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "journal/event.h"

namespace firstwatch::journal {

// What a person reads of an event, in one line without a newline, safe for a terminal. The time is UTC.
// "12:00:00.123 patch.applied       10-calico.conflist  412 us"
[[nodiscard]] QString humanLine(const Event &event);
// Its two parts: "12:00:00.123", and the rest.
[[nodiscard]] QString humanTime(const Event &event);
[[nodiscard]] QString humanText(const Event &event);
// What is left of humanText() where the kind and the file stand elsewhere already.
[[nodiscard]] QString humanDetail(const Event &event);

} // namespace firstwatch::journal
