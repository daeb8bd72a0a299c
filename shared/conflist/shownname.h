// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QString>

namespace firstwatch::conflist {

// A key out of a file, fit for a message: at most 64 characters, and nothing that a terminal would obey.
[[nodiscard]] QString shownName(const QByteArray &name);

} // namespace firstwatch::conflist
