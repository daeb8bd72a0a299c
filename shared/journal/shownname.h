// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QString>

// Bytes and text from outside, made safe to show: no escape sequence reaches a terminal, no bidi override turns a line
// around, and nothing is lost.
namespace firstwatch::journal {

// File names are bytes: shown with backslash, control, non-UTF-8 and bidi characters escaped as \xNN or \u{NNNN}, so
// that every name has exactly one text and back.
[[nodiscard]] QString shownName(const QByteArray &name);
// The same for a text that may already hold escapes: backslashes stay as they are.
[[nodiscard]] QString shownText(const QString &text);

} // namespace firstwatch::journal
