// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>

namespace firstwatch::service {

// What --help prints: every option, examples and exit codes, in at most 80 columns.
[[nodiscard]] QByteArray helpText();

} // namespace firstwatch::service
