// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QByteArrayView>

namespace firstwatch::conflist {

// Equal for two JSON values that mean the same: members sorted and the last of a repeated key only, numbers by exact
// value whatever their spelling, strings by their characters. `json` must parse; the result is for comparing only.
[[nodiscard]] QByteArray canonical(QByteArrayView json);

} // namespace firstwatch::conflist
