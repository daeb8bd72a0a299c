// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArrayView>

namespace firstwatch::conflist {

// Where a byte stands as an editor counts: both from 1, the column in code points (invalid bytes count as one each).
struct Position {
    int line = 1;
    int column = 1;
};

[[nodiscard]] Position positionAt(QByteArrayView text, qsizetype offset);

} // namespace firstwatch::conflist
