// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "journal/event.h"
#include "journal/humanline.h"

namespace firstwatch::journal {

enum class LogFormat { Auto, Text, Json }; // Auto: text on a terminal, else JSON
enum class LogLevel { Debug, Info, Warning, Error };

// Logs on stderr through spdlog: the events of the journal, and Qt's own messages (as notes with seq 0, repeated ones
// once). Never blocks: when nobody reads the pipe, lines are dropped and counted, and the count is said once it can be
// written again. Colour only for text on a terminal, and not with NO_COLOR (no-color.org). Ignores SIGPIPE for the
// process, as a log reader that goes away must not end it. A second call replaces the first.
void startLog(LogFormat format, LogLevel level);
// `line` is toLine(event), when the caller has it at hand. Before startLog() nothing is written.
void logEvent(const Event &event, const QByteArray &line = {});
[[nodiscard]] LogLevel levelOf(const Event &event);
[[nodiscard]] quint64 droppedLogLines();

} // namespace firstwatch::journal
