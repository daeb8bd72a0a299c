// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/timeline.h"

#include <QFont>
#include <QImage>
#include <QPalette>

namespace firstwatch::ui {

// The lanes as wide as the usual window, with twice the pixels of a screen at 100 %.
[[nodiscard]] QImage timelineImage(const Timeline &timeline, const QPalette &palette, const QFont &font);
// As SVG where the name ends so, else as PNG. Replaces a file of that name whole or not at all; false with `error` in
// words.
[[nodiscard]] bool savePicture(
    const Timeline &timeline, const QString &path, const QPalette &palette, const QFont &font, QString &error);

} // namespace firstwatch::ui
