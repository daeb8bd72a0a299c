// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "race/model.h"

#include <QStringList>

// What a simulated race comes to, in words.
namespace firstwatch::ui {

// One sentence for each thing that went wrong, or one that says that nothing did.
[[nodiscard]] QStringList raceVerdict(const race::Outcome &outcome);
// What the verdict cannot say yet.
[[nodiscard]] QStringList raceReservations(const race::Outcome &outcome);
[[nodiscard]] bool isGood(const race::Outcome &outcome);
[[nodiscard]] int missedCount(const race::Outcome &outcome);

// The longest time in which a change that was patched stood without the plugin; nothing when none was patched.
[[nodiscard]] std::optional<qint64> slowestNs(const race::Outcome &outcome);

} // namespace firstwatch::ui
