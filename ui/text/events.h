// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/filter/filter.h"
#include "ui/text/look.h"
#include "ui/text/node.h"

namespace firstwatch::ui {

[[nodiscard]] Facts factsOf(const journal::Event &event);

// Which events are shown.
struct EventFilter {
    Filter terms;
    qsizetype last = -1; // only so many, the newest; -1: all
    qint64 nowUs = 0; // wall time that its spans are counted back from

    [[nodiscard]] bool takes(const journal::Event &event) const; // without `last`
};
[[nodiscard]] QList<journal::Event> filtered(const QList<journal::Event> &events, const EventFilter &filter);

// "12:00:00.123 patch.applied       10-calico.conflist  412 µs", with the newline. The day before it where `withDay`.
[[nodiscard]] QString eventText(const Look &look, const journal::Event &event, bool withDay);
// "# gap: 214 events lost (evicted)"
[[nodiscard]] QString gapText(const stream::Manifest::Gap &gap);
[[nodiscard]] Role roleOf(const journal::Event &event);
[[nodiscard]] QString kindText(const journal::Event &event); // its name, also of one that this version does not know

} // namespace firstwatch::ui
