// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace firstwatch::ui {

// Text as a tooltip shows it as it is. Qt takes what looks like HTML for HTML, and breaks the lines of nothing else.
[[nodiscard]] QString tipText(const QString &text);

} // namespace firstwatch::ui
