// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/text/node.h"

namespace firstwatch::cli {

// `boot`: the beginning of the name of the run to show, the last one when empty.
[[nodiscard]] ui::Node readRecording(const QByteArray &path, const QByteArray &boot);

} // namespace firstwatch::cli
