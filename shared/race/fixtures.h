// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conflist/plan.h"
#include "race/schedule.h"

#include <QByteArrayList>

#include <functional>
#include <optional>

// Configs that a schedule can name instead of holding them.
namespace firstwatch::race {

[[nodiscard]] QByteArrayList fixtureNames();
[[nodiscard]] std::optional<QByteArray> fixture(const QByteArray &name);

// Reads a file that a schedule names; nothing when it cannot, with the reason.
using ReadFile = std::function<std::optional<QByteArray>(const QByteArray &path, QString &reason)>;

// Puts the bytes into every text of the schedule: afterwards each is a literal without isPatched. What is wrong, in
// words with the name of what is missing; empty when all is there.
[[nodiscard]] QString resolve(Schedule &schedule, const conflist::Options &chain, const ReadFile &readFile);

} // namespace firstwatch::race
