// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conflist/config.h"

#include <QByteArrayList>

namespace firstwatch::conflist {

// A single-plugin config as a list: the plugin's own text, then `elements`, in the style of that text. `name` and
// `cniVersion` are JSON tokens; without the latter the list has none.
[[nodiscard]] QByteArray wrappedAsList(QByteArrayView text, const Config &config, QByteArrayView cniVersion,
    QByteArrayView name, const QByteArrayList &elements);

} // namespace firstwatch::conflist
