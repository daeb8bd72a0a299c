// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>

namespace firstwatch::journal {

// The text of a config without its secrets, for eyes elsewhere. What stands behind a name that isSecretName() knows, at
// any depth, and every string in which redactedText() would cut something, or which is too long for it to look at,
// becomes "‹cut, 24 chars›". All else stays as it is, byte for byte. Of a text that does not parse nobody knows where
// its values are: then only the beginnings and ends of its lines stay.
[[nodiscard]] QByteArray redactedConfig(const QByteArray &text);

} // namespace firstwatch::journal
