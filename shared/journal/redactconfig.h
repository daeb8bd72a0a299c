// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QList>

namespace firstwatch::journal {

// The text of a config without its secrets, for eyes elsewhere. What stands behind a name that isSecretName() knows, at
// any depth, and every string in which redactedText() would cut something, or which is too long for it to look at,
// becomes "‹cut, 24 chars›". All else stays as it is, byte for byte. Of a text that does not parse nobody knows where
// its values are: then only the beginnings and ends of its lines stay.
[[nodiscard]] QByteArray redactedConfig(const QByteArray &text);

// The same for those who do not have the file: a secret may also stand behind a harmless name and look harmless. So a
// text is only shown behind a name that isCniKey() knows, or when it isPlainValue(); else it is "‹string, 24 chars›".
// Numbers, true, false and null stay.
[[nodiscard]] QByteArray redactedForOthers(const QByteArray &text);

// Something in a config that is a secret by its name or by its looks.
struct SecretPlace {
    qsizetype offset = 0; // of the value, or of a key that is one
    QByteArray name; // the key that it stands behind; empty when there is none, or when that may not be shown either
};
// In order. What redactedConfig() cuts to be safe is left out: switches, null, empty and
// merely long strings, and a placeholder such as "__TOKEN__". None of a text that does not parse.
[[nodiscard]] QList<SecretPlace> secretPlaces(const QByteArray &text);

} // namespace firstwatch::journal
