// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conflist/finding.h"

#include <QByteArrayView>

// What keeps a text from being JSON, said so that a person finds the place.
namespace firstwatch::conflist {

[[nodiscard]] Finding emptyFault(QByteArrayView text);
[[nodiscard]] Finding nulFault(QByteArrayView text, qsizetype offset);
[[nodiscard]] Finding bomFault();
[[nodiscard]] Finding depthFault(QByteArrayView text, qsizetype offset);
[[nodiscard]] Finding rangeFault(QByteArrayView text, qsizetype offset);
[[nodiscard]] Finding trailingFault(QByteArrayView text, qsizetype offset);
// Looks at what stands at `offset`, where a parser gave up.
[[nodiscard]] Finding syntaxFault(QByteArrayView text, qsizetype offset);

} // namespace firstwatch::conflist
