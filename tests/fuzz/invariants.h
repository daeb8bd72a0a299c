// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conflist/plan.h"

namespace firstwatch::test {

// What has to hold for any bytes: the name of the first rule that `text` in a file called `name` breaks, or null.
[[nodiscard]] const char *brokenRule(const QByteArray &name, const QByteArray &text, const conflist::Options &options);

} // namespace firstwatch::test
