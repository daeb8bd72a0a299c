// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/filter/filter.h"

namespace firstwatch::ui {

[[nodiscard]] std::optional<Filter> parseFilter(const QString &text, Filter::Error &error);
// The value as it has to stand in the text of a filter.
[[nodiscard]] QString quotedForFilter(const QString &value, Filter::Key key);

} // namespace firstwatch::ui
