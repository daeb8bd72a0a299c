// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/text/look.h"
#include "ui/timeline/timeline.h"

#include <QByteArray>
#include <QJsonObject>

#include <utility>

// Two runs beside each other. Each is counted from its own proof, the one moment that both have: nothing is said of
// what happened on one while something happened on the other, since no two clocks are the same.
namespace firstwatch::ui {

// When the first watch was proven, since the start of the run; nothing when none was.
[[nodiscard]] std::optional<qint64> proofNs(const Timeline &timeline);

// With times that put both proofs at one place, Timeline::zeroNs of both. A run without a proof is put there with its
// start.
[[nodiscard]] std::pair<Timeline, Timeline> aligned(const Timeline &one, const Timeline &other);

// Both pictures on one scale, one below the other, and then what they came to in a table.
[[nodiscard]] QString comparisonText(const Look &look, const Timeline &one, const Timeline &other);
// {"aligned_at": "proof", "runs": […]}: each run as timelineJson() and its "proof_ns", with times since its own start.
[[nodiscard]] QJsonObject comparisonJson(const Timeline &one, const Timeline &other);
[[nodiscard]] QByteArray comparisonSvg(const Timeline &one, const Timeline &other);

[[nodiscard]] QString comparisonTable(const Look &look, const Timeline &one, const Timeline &other);
[[nodiscard]] QString comparisonNote(const Timeline &one, const Timeline &other); // what the zero is
// Both of them, for a scale.
[[nodiscard]] Timeline together(const Timeline &one, const Timeline &other);

} // namespace firstwatch::ui
