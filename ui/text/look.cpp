// SPDX-License-Identifier: Apache-2.0
#include "ui/text/look.h"

#include "journal/shownname.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <array>
#include <cwchar>

namespace firstwatch::ui {

using journal::Severity;
using journal::State;

namespace {

// Select Graphic Rendition parameters (ECMA-48), in the order of the enum.
constexpr std::array roleCodes{ "", "1", "2", "32", "33", "93", "31", "35" };
static_assert(roleCodes.size() == size_t(Role::Replay) + 1);

struct Substitute {
    char16_t sign;
    const char *ascii;
};
constexpr Substitute substitutes[] = {
    { u'µ', "u" },
    { u'→', "->" },
    { u'−', "-" },
    { u'·', "-" },
    { u'…', "..." },
    { u'✔', "+" },
    { u'✘', "x" },
    { u'‹', "<" },
    { u'›', ">" },
};

QString asciiOf(char32_t point)
{
    if (point < 0x80)
        return QChar(char16_t(point));
    for (const Substitute &each : substitutes) {
        if (each.sign == point)
            return QString::fromLatin1(each.ascii);
    }
    return QStringLiteral("\\u{%1}").arg(uint(point), 4, 16, QLatin1Char('0'));
}

} // namespace

QString painted(const Look &look, Role role, const QString &text)
{
    if (!look.hasColour || role == Role::Plain || text.isEmpty())
        return text;
    return QStringLiteral("\x1b[%1m%2\x1b[0m").arg(QLatin1String(roleCodes.at(size_t(role))), text);
}

QString shown(const Look &look, const QString &text)
{
    QString safe = journal::shownText(text);
    if (look.hasUnicode)
        return safe;
    QString ascii;
    for (const char32_t point : safe.toUcs4())
        ascii += asciiOf(point);
    return ascii;
}

int widthOf(const QString &text)
{
    int width = 0;
    for (const char32_t point : text.toUcs4()) {
        const int columns = point < 0x80 ? 1 : ::wcwidth(wchar_t(point));
        width += columns < 0 ? 1 : columns; // unknown to the locale
    }
    return width;
}

QString padded(const QString &text, int width)
{
    return text + QString(std::max(width - widthOf(text), 0), u' ');
}

QStringList wrapped(const QString &text, int columns)
{
    static const QRegularExpression unit(QStringLiteral(" (?=(?:µs|us|ms|s)\\b)"));
    QString glued = text;
    glued.replace(unit, QString(QChar::Nbsp));
    QStringList lines{ QString() };
    for (QString word : glued.split(u' ', Qt::SkipEmptyParts)) {
        word.replace(QChar::Nbsp, u' ');
        QString &line = lines.last();
        if (line.isEmpty())
            line = word;
        else if (widthOf(line) + 1 + widthOf(word) <= columns)
            line += u' ' + word;
        else
            lines.append(word);
    }
    return lines;
}

Role roleOf(State state)
{
    switch (state) {
    case State::Blind:
        return Role::Error;
    case State::Drift:
    case State::Contested:
        return Role::Odd;
    case State::Degraded:
        return Role::Warning;
    case State::Ok:
        return Role::Good;
    default:
        return Role::Muted;
    }
}

Role roleOf(Severity severity)
{
    switch (severity) {
    case Severity::Error:
        return Role::Error;
    case Severity::Warning:
        return Role::Warning;
    case Severity::Info:
        break;
    }
    return Role::Muted;
}

Role roleOf(journal::FileWord word)
{
    switch (word) {
    case journal::FileWord::Patched:
        return Role::Good;
    case journal::FileWord::Drift:
    case journal::FileWord::Contested:
        return Role::Error;
    case journal::FileWord::Incomplete:
        return Role::Warning;
    default:
        return Role::Muted;
    }
}

QString glyphOf(const Look &look, State state)
{
    constexpr QStringView ascii = u"XDC!.~-o*"; // in the order of the enum
    return look.hasUnicode ? journal::stateGlyph(state).toString() : QString(ascii.at(qsizetype(state)));
}

QLatin1String severityName(Severity severity)
{
    constexpr std::array names{ QLatin1String("error"), QLatin1String("warning"), QLatin1String("info") };
    return names.at(size_t(severity));
}

} // namespace firstwatch::ui
