// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArrayView>

namespace firstwatch::conflist {

// Bytes of the well-formed UTF-8 sequence that starts at `offset`; 0 when there is none (RFC 3629).
[[nodiscard]] qsizetype utf8Length(QByteArrayView text, qsizetype offset);

// Offset of the first byte that is in no well-formed sequence, or -1.
[[nodiscard]] qsizetype firstInvalidUtf8(QByteArrayView text);

// The code point that starts at `offset`, or U+FFFD.
[[nodiscard]] char32_t codePointAt(QByteArrayView text, qsizetype offset);

} // namespace firstwatch::conflist
