// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/text/node.h"

namespace firstwatch::ui {

// A recording of whatever form stream::readCapture() takes, as a node whose time stands still. `path` may be "-" for
// the standard input. `boot`: the beginning of the name of the run to show, the last one when empty.
[[nodiscard]] Node readRecording(const QByteArray &path, const QByteArray &boot);

// The events of a recording that is built into the program, by its file name; none when there is no such.
[[nodiscard]] QList<journal::Event> embeddedRun(const char *name);

} // namespace firstwatch::ui
