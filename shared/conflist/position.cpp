// SPDX-License-Identifier: Apache-2.0
#include "conflist/position.h"

#include "conflist/utf8.h"

#include <algorithm>

namespace firstwatch::conflist {

Position positionAt(QByteArrayView text, qsizetype offset)
{
    const qsizetype end = std::clamp<qsizetype>(offset, 0, text.size());
    Position position;
    for (qsizetype i = 0; i < end; i += std::max<qsizetype>(utf8Length(text, i), 1)) {
        if (text[i] == '\n') {
            ++position.line;
            position.column = 1;
        } else {
            ++position.column;
        }
    }
    return position;
}

} // namespace firstwatch::conflist
