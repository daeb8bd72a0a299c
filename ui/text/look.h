// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "journal/codes.h"
#include "journal/state.h"

#include <QString>

namespace firstwatch::ui {

// What the place can show that text is written to.
struct Look {
    bool hasColour = false;
    bool hasUnicode = true; // else ASCII only
    int columns = 0; // 0: as wide as it gets, for a pipe
};

enum class Role { Plain, Strong, Muted, Good, Odd, Warning, Error, Replay };

// With the escape sequences of the role around it, where there is colour. The sixteen colours of the terminal's own
// palette, so that it is legible on every background.
[[nodiscard]] QString painted(const Look &look, Role role, const QString &text);

// Text from anywhere as it may be shown there: shownText(), and without Unicode the signs of our own texts by ASCII
// ones and anything else as \u{NNNN}.
[[nodiscard]] QString shown(const Look &look, const QString &text);

// Columns that a terminal takes for it: East Asian wide characters two, combining ones none.
[[nodiscard]] int widthOf(const QString &text);
[[nodiscard]] QString padded(const QString &text, int width);

// Lines of at most `columns`, broken at spaces but not between a number and its unit; a longer word stays whole. Never
// empty.
[[nodiscard]] QStringList wrapped(const QString &text, int columns);

[[nodiscard]] Role roleOf(journal::State state);
[[nodiscard]] Role roleOf(journal::Severity severity);
[[nodiscard]] Role roleOf(journal::FileWord word);
[[nodiscard]] QString glyphOf(const Look &look, journal::State state); // one column wide
[[nodiscard]] QLatin1String severityName(journal::Severity severity); // "error", "warning", "info"

} // namespace firstwatch::ui
