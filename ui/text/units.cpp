// SPDX-License-Identifier: Apache-2.0
#include "ui/text/units.h"

#include "journal/event.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <limits>

namespace firstwatch::ui {
namespace {

constexpr qint64 nsPerUs = 1'000;
constexpr qint64 nsPerMs = 1'000'000;
constexpr qint64 nsPerSecond = 1'000'000'000;
constexpr qint64 secondsPerMinute = 60;
constexpr qint64 secondsPerHour = 3600;
constexpr qint64 secondsPerDay = 86'400;

QString twoParts(qint64 whole, QLatin1Char wholeUnit, qint64 rest, QLatin1Char restUnit)
{
    const QString text = QString::number(whole) + wholeUnit;
    return rest == 0 ? text : text + QString::number(rest) + restUnit;
}

// Three digits, whatever the size.
QString threeDigits(double value)
{
    return QString::number(value, 'f', value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
}

qint64 unitNs(QStringView unit)
{
    if (unit == u"ms")
        return nsPerMs;
    switch (unit.front().unicode()) {
    case u'd':
        return secondsPerDay * nsPerSecond;
    case u'h':
        return secondsPerHour * nsPerSecond;
    case u'm':
        return secondsPerMinute * nsPerSecond;
    default:
        return nsPerSecond;
    }
}

} // namespace

QString ageText(qint64 ns)
{
    const qint64 seconds = std::max<qint64>(ns, 0) / nsPerSecond;
    if (seconds < secondsPerMinute)
        return QString::number(seconds) + u's';
    if (seconds < secondsPerHour)
        return twoParts(seconds / secondsPerMinute, QLatin1Char('m'), seconds % secondsPerMinute, QLatin1Char('s'));
    if (seconds < secondsPerDay)
        return twoParts(
            seconds / secondsPerHour, QLatin1Char('h'), seconds % secondsPerHour / secondsPerMinute, QLatin1Char('m'));
    return twoParts(
        seconds / secondsPerDay, QLatin1Char('d'), seconds % secondsPerDay / secondsPerHour, QLatin1Char('h'));
}

QString spanText(qint64 ns)
{
    const qint64 size =
        ns < 0 ? (ns == std::numeric_limits<qint64>::min() ? std::numeric_limits<qint64>::max() : -ns) : ns;
    if (size < 100 * nsPerUs)
        return QStringLiteral("%1 µs").arg((size + nsPerUs / 2) / nsPerUs);
    if (size < 999'500 * nsPerUs)
        return threeDigits(double(size) / double(nsPerMs)) + QStringLiteral(" ms");
    if (size < secondsPerMinute * nsPerSecond)
        return threeDigits(double(size) / double(nsPerSecond)) + QStringLiteral(" s");
    return ageText(size);
}

QString signedText(qint64 ns)
{
    return (ns < 0 ? u'-' : u'+') + spanText(ns);
}

QString offsetText(qint64 ns)
{
    const double size = std::abs(double(ns));
    if (size < 999.5 * double(nsPerMs))
        return signedText(ns);
    const qint64 ms = qint64(size / double(nsPerMs) + 0.5);
    const qint64 seconds = ms / 1000;
    const QString sign = ns < 0 ? QStringLiteral("-") : QStringLiteral("+");
    const QString fraction = QStringLiteral("%1.%2").arg(seconds % 60).arg(ms % 1000, 3, 10, QLatin1Char('0'));
    if (seconds < secondsPerMinute)
        return sign + fraction + QStringLiteral(" s");
    if (seconds < secondsPerHour)
        return sign + QStringLiteral("%1m%2s").arg(seconds / secondsPerMinute).arg(fraction, 6, u'0');
    return sign
        + QStringLiteral("%1h%2m%3s")
              .arg(seconds / secondsPerHour)
              .arg(seconds / secondsPerMinute % 60, 2, 10, QLatin1Char('0'))
              .arg(seconds % 60, 2, 10, QLatin1Char('0'));
}

QString tickText(qint64 atNs, qint64 zeroNs)
{
    if (atNs == zeroNs)
        return QStringLiteral("0");
    return zeroNs == 0 ? spanText(atNs) : signedText(atNs - zeroNs);
}

std::optional<qint64> spanFromText(const QString &text)
{
    static const QRegularExpression whole(QStringLiteral("^(?:\\d{1,9}(?:ms|d|h|m|s))+$"));
    static const QRegularExpression part(QStringLiteral("(\\d+)(ms|d|h|m|s)"));
    if (!whole.match(text).hasMatch())
        return {};
    double sum = 0;
    for (auto parts = part.globalMatch(text); parts.hasNext();) {
        const QRegularExpressionMatch match = parts.next();
        sum += double(match.capturedView(1).toLongLong()) * double(unitNs(match.capturedView(2)));
    }
    // A tenth of what the type holds, so that a sum with a moment stays in it.
    constexpr qint64 longest = std::numeric_limits<qint64>::max() / 10;
    return sum > 0 && sum <= double(longest) ? std::optional(qint64(sum)) : std::nullopt;
}

QString countText(qint64 count, const QString &noun)
{
    return QString::number(count) + u' ' + noun + (count == 1 ? QString() : QStringLiteral("s"));
}

QString momentText(qint64 wallUs)
{
    if (wallUs == 0)
        return {};
    QString text = QString::fromLatin1(journal::wallText(wallUs).left(19));
    return text.replace(u'T', u' ') + u'Z';
}

} // namespace firstwatch::ui
