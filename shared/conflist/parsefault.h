// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conflist/finding.h"

#include <QByteArrayView>

#include <optional>

// What keeps a text from being JSON, said so that a person finds the place.
namespace firstwatch::conflist {

[[nodiscard]] Finding emptyFault(QByteArrayView text);
[[nodiscard]] Finding nulFault(QByteArrayView text, qsizetype offset);
// Nothing unless the text starts with a byte order mark: of UTF-8, or of an encoding that runtimes cannot read at all.
[[nodiscard]] std::optional<Finding> bomFault(QByteArrayView text);
[[nodiscard]] Finding depthFault(QByteArrayView text, qsizetype offset);
[[nodiscard]] Finding rangeFault(QByteArrayView text, qsizetype offset);
[[nodiscard]] Finding trailingFault(QByteArrayView text, qsizetype offset);
// Looks at what stands at `offset`, where a parser gave up.
[[nodiscard]] Finding syntaxFault(QByteArrayView text, qsizetype offset);

} // namespace firstwatch::conflist
