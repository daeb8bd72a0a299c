// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conflist/style.h"

namespace firstwatch::conflist {

// The tokens of `json`, which must parse, laid out in `style`. Strings and numbers keep their text.
[[nodiscard]] QByteArray rendered(QByteArrayView json, const Style &style);

} // namespace firstwatch::conflist
