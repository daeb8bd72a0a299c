// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conflist/scan.h"

namespace firstwatch::conflist {

// How a file writes an object, so that ours looks like its neighbours.
struct Style {
    QByteArray newline; // "\n" or "\r\n"; empty: everything on one line
    QByteArray base; // indentation of the line with the closing bracket
    QByteArray unit; // one level more
    QByteArray colon; // with the blanks around it
    QByteArray comma; // between members on one line
    QByteArray padding; // inside the braces of an object on one line
};

// The style of `object`, which has `members`. Where it does not tell (a lone member has no comma), `around` does: the
// members of the object that holds it.
[[nodiscard]] Style styleOf(QByteArrayView text, Span object, const QList<Item> &members, const QList<Item> &around);

// The indentation of the line, not the first, on which `offset` is the first visible byte; otherwise nothing.
[[nodiscard]] std::optional<QByteArray> indentationAt(QByteArrayView text, qsizetype offset);

// "\r\n" or "\n", whichever the text uses first.
[[nodiscard]] QByteArray newlineOf(QByteArrayView text);

} // namespace firstwatch::conflist
