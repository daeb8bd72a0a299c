// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/theme.h"

#include <QApplication>
#include <QFontDatabase>
#include <QStyleFactory>

#include <algorithm>
#include <array>
#include <cmath>

namespace firstwatch::ui {
namespace {

struct Shades {
    QRgb window, surface, line, text, muted, accent, good, goodBlue, odd, warning, error, replay;
};

constexpr Shades light{ 0xffffffff, 0xfff6f7f9, 0xffd9dde3, 0xff1b1f24, 0xff5b6570, 0xff0b62d6, 0xff0a7f3f, 0xff0b62d6,
    0xffa85400, 0xff7a6400, 0xffc4232b, 0xff6b3fc9 };
constexpr Shades dark{ 0xff16191d, 0xff1e2227, 0xff343a42, 0xffe8ebef, 0xff9aa4af, 0xff6fa8ff, 0xff3fb87a, 0xff6fa8ff,
    0xffffb15c, 0xffe6c84f, 0xffff7a80, 0xffb79cff };
constexpr Shades highContrast{ 0xff000000, 0xff000000, 0xffffffff, 0xffffffff, 0xffffffff, 0xff00ffff, 0xff00ff66,
    0xff66b3ff, 0xffffb000, 0xffffff00, 0xffff8080, 0xffd9b3ff };

bool isColourBlind = false;

const Shades &shadesOf(const QPalette &palette)
{
    if (palette.color(QPalette::Window) == QColor(highContrast.window))
        return highContrast;
    return isDark(palette) ? dark : light;
}

const Shades &shadesOf(Theme theme)
{
    switch (resolved(theme)) {
    case Theme::Dark:
        return dark;
    case Theme::HighContrast:
        return highContrast;
    default:
        return light;
    }
}

double luminance(const QColor &colour)
{
    const auto part = [](double value) {
        return value <= 0.03928 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * part(colour.redF()) + 0.7152 * part(colour.greenF()) + 0.0722 * part(colour.blueF());
}

void setDisabled(QPalette &palette, const Shades &shades)
{
    for (const QPalette::ColorRole role : { QPalette::Text, QPalette::WindowText, QPalette::ButtonText })
        palette.setColor(QPalette::Disabled, role, QColor(shades.muted));
}

} // namespace

bool isDark(const QPalette &palette)
{
    return luminance(palette.color(QPalette::Window)) < luminance(palette.color(QPalette::WindowText));
}

Theme resolved(Theme theme)
{
    if (theme != Theme::System)
        return theme;
    static const bool isSystemDark = isDark(QGuiApplication::palette()); // before any theme of ours
    return isSystemDark ? Theme::Dark : Theme::Light;
}

QPalette paletteOf(Theme theme)
{
    const Shades &shades = shadesOf(theme);
    QPalette palette;
    const std::array<std::pair<QPalette::ColorRole, QRgb>, 18> roles{ {
        { QPalette::Window, shades.window },
        { QPalette::Base, shades.window },
        { QPalette::AlternateBase, shades.surface },
        { QPalette::Button, shades.surface },
        { QPalette::ToolTipBase, shades.surface },
        { QPalette::Midlight, shades.line },
        { QPalette::Mid, shades.line },
        { QPalette::Dark, shades.line },
        { QPalette::Light, shades.surface },
        { QPalette::WindowText, shades.text },
        { QPalette::Text, shades.text },
        { QPalette::ButtonText, shades.text },
        { QPalette::ToolTipText, shades.text },
        { QPalette::PlaceholderText, shades.muted },
        { QPalette::Highlight, shades.accent },
        { QPalette::Link, shades.accent },
        { QPalette::LinkVisited, shades.replay },
        { QPalette::HighlightedText, shades.window },
    } };
    for (const auto &[role, shade] : roles)
        palette.setColor(role, QColor(shade));
    setDisabled(palette, shades);
    return palette;
}

void useTheme(Theme theme)
{
    (void)resolved(Theme::System);
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    QApplication::setPalette(paletteOf(theme));
}

void setColourBlind(bool isOn)
{
    isColourBlind = isOn;
}

QColor colourOf(Role role, const QPalette &palette)
{
    const Shades &shades = shadesOf(palette);
    switch (role) {
    case Role::Good:
        return isColourBlind ? shades.goodBlue : shades.good;
    case Role::Odd:
        return shades.odd;
    case Role::Warning:
        return shades.warning;
    case Role::Error:
        return shades.error;
    case Role::Replay:
        return shades.replay;
    case Role::Muted:
        return shades.muted;
    case Role::Plain:
    case Role::Strong:
        break;
    }
    return shades.text;
}

double contrast(const QColor &one, const QColor &other)
{
    const double left = luminance(one) + 0.05;
    const double right = luminance(other) + 0.05;
    return std::max(left, right) / std::min(left, right);
}

QFont fixedFont()
{
    return QFontDatabase::systemFont(QFontDatabase::FixedFont);
}

QFont sized(const QFont &font, double factor)
{
    QFont larger = font;
    larger.setPointSizeF(font.pointSizeF() * factor);
    return larger;
}

} // namespace firstwatch::ui
