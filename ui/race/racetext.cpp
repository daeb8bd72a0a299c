// SPDX-License-Identifier: Apache-2.0
#include "ui/race/racetext.h"

#include "ui/race/raceverdict.h"
#include "ui/text/units.h"
#include "ui/timeline/ascii.h"

#include <algorithm>
#include <functional>

namespace firstwatch::ui {
namespace {

constexpr int nameColumn = 22;
constexpr int valueColumn = 19;

int columnsOf(const Look &look)
{
    return look.columns == 0 ? usualColumns : look.columns;
}

// Wrapped, and from the second line on below its first word.
QString sentence(const Look &look, Role role, const QString &sign, const QString &text)
{
    const QString begin = shown(look, sign) + u' ';
    const int indent = widthOf(begin);
    const QString lines = wrapped(shown(look, text), columnsOf(look) - indent).join(u'\n' + QString(indent, u' '));
    return painted(look, role, begin) + lines + u'\n';
}

QString verdict(const Look &look, const race::Outcome &outcome)
{
    const bool good = isGood(outcome);
    QString text;
    for (const QString &line : raceVerdict(outcome))
        text += sentence(look, good ? Role::Good : Role::Error, good ? QStringLiteral("✔") : QStringLiteral("✘"), line);
    for (const QString &line : raceReservations(outcome))
        text += sentence(look, Role::Warning, QStringLiteral("!"), line);
    return text;
}

QString head(const Look &look, const race::Schedule &schedule)
{
    QString text;
    if (!schedule.title.isEmpty())
        text += painted(look, Role::Strong,
                    wrapped(shown(look, QString::fromUtf8(schedule.title)), columnsOf(look)).join(u'\n'))
            + u'\n';
    if (!schedule.source.isEmpty())
        text += painted(look, Role::Muted, shown(look, QString::fromUtf8(schedule.source))) + u'\n';
    return text
        + painted(look, Role::Muted,
            wrapped(shown(look, QStringLiteral("A simulation: time zero is when each installer turns to its net dir.")),
                columnsOf(look))
                .join(u'\n'))
        + u'\n';
}

QString spanOrNone(const std::optional<qint64> &ns)
{
    return ns ? signedText(*ns) : QStringLiteral("none");
}

QString marginOf(const race::Outcome &outcome)
{
    const bool proves = outcome.installer == race::Installer::Firstwatch;
    const std::optional<qint64> since = proves ? outcome.provenNs : outcome.armedNs;
    if (!since || !outcome.passNs)
        return QStringLiteral("none");
    return signedText(*outcome.passNs - *since) + (proves ? QString() : QStringLiteral(" unproven"));
}

QString longest(const race::Outcome &outcome)
{
    if (missedCount(outcome) > 0)
        return QStringLiteral("to the end");
    const std::optional<qint64> slowest = slowestNs(outcome);
    return slowest ? spanText(*slowest) : QStringLiteral("-");
}

QString heading(const race::Outcome &outcome)
{
    switch (outcome.installer) {
    case race::Installer::ShellBefore:
        return QStringLiteral("shell before fix");
    case race::Installer::ShellAfter:
        return QStringLiteral("shell after fix");
    case race::Installer::Firstwatch:
        break;
    }
    return QStringLiteral("Firstwatch");
}

struct Row {
    const char *name;
    std::function<QString(const race::Outcome &)> value;
    std::function<bool(const race::Outcome &)> isBad;
};

const QList<Row> &rows()
{
    const auto never = [](const race::Outcome &) { return false; };
    static const QList<Row> rows{
        { "watch exists", [](const race::Outcome &outcome) { return spanOrNone(outcome.armedNs); }, never },
        { "first pass", [](const race::Outcome &outcome) { return spanOrNone(outcome.passNs); }, never },
        { "ready margin", marginOf, [](const race::Outcome &outcome) { return marginOf(outcome).startsWith(u'-'); } },
        { "changes to patch", [](const race::Outcome &outcome) { return QString::number(outcome.changes.size()); },
            never },
        { "missed", [](const race::Outcome &outcome) { return QString::number(missedCount(outcome)); },
            [](const race::Outcome &outcome) { return missedCount(outcome) > 0; } },
        { "newer updates lost",
            [](const race::Outcome &outcome) { return QString::number(outcome.lostUpdates.size()); },
            [](const race::Outcome &outcome) { return !outcome.lostUpdates.isEmpty(); } },
        { "put back", [](const race::Outcome &outcome) { return QString::number(outcome.putBack.size()); },
            [](const race::Outcome &outcome) { return !outcome.putBack.isEmpty(); } },
        { "longest without", longest, [](const race::Outcome &outcome) { return missedCount(outcome) > 0; } },
    };
    return rows;
}

QString trimmedEnd(QString line)
{
    while (line.endsWith(u' '))
        line.chop(1);
    return line + u'\n';
}

QString table(const Look &look, const QList<race::Outcome> &outcomes)
{
    QString text(nameColumn, u' ');
    for (const race::Outcome &outcome : outcomes)
        text += padded(heading(outcome), valueColumn);
    text = painted(look, Role::Muted, trimmedEnd(text).chopped(1)) + u'\n';
    for (const Row &row : rows()) {
        QString line = painted(look, Role::Muted, padded(QString::fromLatin1(row.name), nameColumn));
        for (const race::Outcome &outcome : outcomes) {
            const QString cell = padded(shown(look, row.value(outcome)), valueColumn);
            line += row.isBad(outcome) ? painted(look, Role::Error, cell) : cell;
        }
        text += trimmedEnd(line);
    }
    return text;
}

} // namespace

QString raceText(const Look &look, const Race &race)
{
    QString text = head(look, race.schedule);
    for (const race::Outcome &outcome : race.outcomes) {
        text += u'\n' + timelineText(look, timelineOf(outcome.events)) + u'\n' + verdict(look, outcome);
    }
    return text + u'\n' + table(look, race.outcomes);
}

} // namespace firstwatch::ui
