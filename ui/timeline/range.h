// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/timeline.h"

namespace firstwatch::ui {

// The time from one event to another, of one run.
struct Range {
    journal::Event from; // the earlier one
    journal::Event to;
    [[nodiscard]] qint64 ns() const { return to.tNs - from.tNs; }
};
// By the seq of both, in any order; nothing when one of them is not among the events, and then `missing` is its seq.
[[nodiscard]] std::optional<Range> rangeBetween(
    const QList<journal::Event> &run, quint64 one, quint64 other, quint64 &missing);

// Only what happened between the two, both included, with its times counted from the first. What the run came to, its
// verdict and margin, stays; the facts are the moments of the range.
[[nodiscard]] Timeline cropped(const Timeline &timeline, const QList<journal::Event> &run, const Range &range);
// "Δ +0.43 ms from 31 file.change 10-calico.conflist to 32 patch.applied 10-calico.conflist."
[[nodiscard]] QString rangeSentence(const Range &range);

} // namespace firstwatch::ui
