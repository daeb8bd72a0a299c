// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conflist/config.h"

namespace firstwatch::conflist {

// What is odd about a config that runtimes accept: no reason to leave it alone, but somebody should know.
[[nodiscard]] QList<Finding> warnings(QByteArrayView text, const Config &config, const Verdict &verdict);

} // namespace firstwatch::conflist
