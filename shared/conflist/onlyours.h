// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conflist/config.h"

#include <QByteArrayList>

namespace firstwatch::conflist {

// A text together with what was read from it.
struct ReadText {
    QByteArrayView text;
    const Config &config;
};
// changesOnlyOurs() for texts that have been read already.
[[nodiscard]] bool changesOnlyOurs(const ReadText &before, const ReadText &after, const QByteArrayList &types);

} // namespace firstwatch::conflist
