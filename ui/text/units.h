// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <optional>

// Spans of time as people read them; the unit is always written.
namespace firstwatch::ui {

// Two parts at most: "0s", "41s", "12m31s", "2h11m", "3d4h". Below zero is zero.
[[nodiscard]] QString ageText(qint64 ns);
// Three digits: "15 µs", "0.43 ms", "12.4 ms", "143 ms", "2.50 s"; from a minute on as ageText().
[[nodiscard]] QString spanText(qint64 ns);
// spanText() with its sign always: "+0.41 ms", "-140 ms". A margin below zero is the race.
[[nodiscard]] QString signedText(qint64 ns);
// How far from a zero, of a list in which moments stand below each other: signedText() below a second, then to the
// millisecond ("+12m31.004s"), from an hour on to the second ("+2h05m31s").
[[nodiscard]] QString offsetText(qint64 ns);
// Of an axis: the time since its zero, signed where that is not its beginning.
[[nodiscard]] QString tickText(qint64 atNs, qint64 zeroNs);
// "10m", "90s", "1h30m", "2d" or "500ms" as nanoseconds; nothing when it is not a span above zero that can be told.
[[nodiscard]] std::optional<qint64> spanFromText(const QString &text);

// "1 file", "3 files".
[[nodiscard]] QString countText(qint64 count, const QString &noun);

// "2026-11-30 18:49:06Z" of microseconds since the epoch; empty for 0.
[[nodiscard]] QString momentText(qint64 wallUs);

} // namespace firstwatch::ui
