// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/text/look.h"

namespace firstwatch::ui {

// A unified diff, line by line as it may be shown: what goes red, what comes green. Tabs and CRLF stay, so that without
// colour patch(1) takes it.
[[nodiscard]] QString diffText(const Look &look, const QString &diff);

} // namespace firstwatch::ui
