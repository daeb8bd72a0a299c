// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/text/node.h"

namespace firstwatch::ui {

// What a copy holds: text as the command line prints it, its JSON document, a table for a ticket, or the command that
// prints it all.
enum class CopyForm { Text, Json, Markdown, Command };

[[nodiscard]] QString copyOfEvents(
    CopyForm form, const Node &node, const QList<journal::Event> &events, const Filter &filter);

// "firstwatch events --from 'run 1.fwz' --filter 'kind:patch'", as a shell takes it.
[[nodiscard]] QString commandFor(const QString &verb, const Node &node, const Filter &filter);
// The text as one word of a shell.
[[nodiscard]] QString shellWord(const QString &text);

} // namespace firstwatch::ui
