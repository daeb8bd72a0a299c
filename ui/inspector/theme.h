// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/text/look.h"

#include <QColor>
#include <QFont>
#include <QPalette>

// How the inspector looks: quiet, dense, the same on every desktop. Lengths come from the font and from a grid of 4.
namespace firstwatch::ui {

enum class Theme { System, Light, Dark, HighContrast };
// System follows what the desktop's own palette says, light or dark.
[[nodiscard]] Theme resolved(Theme theme);
[[nodiscard]] QPalette paletteOf(Theme theme);
// Fusion style, the theme's palette and fonts, for the whole program.
void useTheme(Theme theme);

[[nodiscard]] bool isDark(const QPalette &palette);
// Of a text or a mark in this role on the palette's window. With setColourBlind(true) good is
// blue and never green.
[[nodiscard]] QColor colourOf(Role role, const QPalette &palette);
void setColourBlind(bool isOn);
// How far apart two colours are in luminance: 1 to 21 (WCAG 2.1, contrast ratio).
[[nodiscard]] double contrast(const QColor &one, const QColor &other);

[[nodiscard]] QFont fixedFont(); // of file texts
[[nodiscard]] QFont sized(const QFont &font, double factor); // 1.15 for a section, 1.6 for a verdict

inline constexpr int grid = 4;

} // namespace firstwatch::ui
