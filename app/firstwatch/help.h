// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/firstwatch/verb.h"

namespace firstwatch::cli {

[[nodiscard]] QString overview(const QString &program);
// At most 80 columns.
[[nodiscard]] QString verbHelp(const Verb &verb, const QString &program);
// The verb that was most likely meant; empty when none is near.
[[nodiscard]] QString nearestVerb(const QString &typed);

} // namespace firstwatch::cli
