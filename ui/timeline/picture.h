// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/timeline.h"

#include <QByteArray>
#include <QJsonObject>

// A timeline for programs and for documents.
namespace firstwatch::ui {

// Times in nanoseconds since the start of the run.
[[nodiscard]] QJsonObject timelineJson(const Timeline &timeline);
// SVG 1.1 in UTF-8, without scripts, links or anything from outside it.
[[nodiscard]] QByteArray timelineSvg(const Timeline &timeline);

[[nodiscard]] QLatin1String markName(Mark::Kind kind); // "change_by_event"
[[nodiscard]] QLatin1String barName(Bar::Kind kind);

} // namespace firstwatch::ui
