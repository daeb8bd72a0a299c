// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QString>

namespace firstwatch::journal {

// Where an event is made, its fields pass here: only the names of event.h's list, and of the settings that hold no
// secret, go through; the value of any other name becomes "‹string, 24 chars›" (or ‹number›, ‹object› …), also inside
// objects and lists. Texts that go through still pass redactedText().
[[nodiscard]] QJsonObject redacted(const QJsonObject &fields);

// Free text from outside (a path, a parser's message): anything that looks like a bearer token, a JWT, or a PEM block
// is cut out, as is what follows "token:", "password=" and the like. Own texts avoid that form: "the token cannot be
// read (Permission denied)" keeps its reason, "token: Permission denied" does not. A text of more than `maxText`
// characters is cut off, so that one event stays a line of modest length.
[[nodiscard]] QString redactedText(const QString &text);
inline constexpr qsizetype maxText = 4096;

// Whether what stands behind such a name is a secret: "k8s_auth_token", "client-key-data".
[[nodiscard]] bool isSecretName(const QString &name);

} // namespace firstwatch::journal
