// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace firstwatch::manpage {

[[nodiscard]] QString clientPage(); // firstwatch(1)
[[nodiscard]] QString servicePage(); // firstwatchd(8)

} // namespace firstwatch::manpage
