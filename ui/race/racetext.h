// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "race/model.h"
#include "ui/text/look.h"

#include <QByteArray>
#include <QJsonObject>

// A simulated race, as it is shown: each installer's timeline with its verdict, and the three side by side.
namespace firstwatch::ui {

struct Race {
    race::Schedule schedule;
    QList<race::Outcome> outcomes; // of each installer
};

[[nodiscard]] QString raceText(const Look &look, const Race &race);
[[nodiscard]] QJsonObject raceJson(const Race &race);
// One SVG with the timelines below each other, as timelineSvg() draws them.
[[nodiscard]] QByteArray raceSvg(const Race &race);

} // namespace firstwatch::ui
