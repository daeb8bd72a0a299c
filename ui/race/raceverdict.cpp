// SPDX-License-Identifier: Apache-2.0
#include "ui/race/raceverdict.h"

#include "journal/shownname.h"
#include "ui/text/units.h"

#include <algorithm>

namespace firstwatch::ui {

using race::Change;
using race::Outcome;

namespace {

constexpr qsizetype mostNamed = 3;

// "a; b; c; and 4 more".
QString joined(QStringList parts)
{
    const qsizetype more = parts.size() - mostNamed;
    if (more > 0)
        parts = parts.first(mostNamed) + QStringList{ QStringLiteral("and %1 more").arg(more) };
    return parts.join(QStringLiteral("; "));
}

QString beforeWatch(const Change &change, const Outcome &outcome)
{
    if (!outcome.armedNs)
        return QStringLiteral("and no watch ever existed");
    if (change.atNs < 0)
        return QStringLiteral("and the event that the pass provokes came before the watch existed");
    return spanText(*outcome.armedNs - change.atNs) + QStringLiteral(" before the watch existed");
}

QString reason(const Change &change, const Outcome &outcome)
{
    switch (change.heard) {
    case Change::Heard::BeforeWatch:
        return beforeWatch(change, outcome);
    case Change::Heard::QueueFull:
        return QStringLiteral("while the event queue was full");
    case Change::Heard::OtherDirectory:
        return QStringLiteral("in a directory that nobody watches");
    case Change::Heard::Deaf:
        return QStringLiteral("of which the file system gives no event");
    case Change::Heard::NotListed:
        return QStringLiteral("whose name it does not heed");
    case Change::Heard::Told:
        break;
    }
    return QStringLiteral("of which it was told");
}

QString missedText(const Change &change, const Outcome &outcome)
{
    const QString when = change.atNs < 0 ? QStringLiteral("there before the start")
                                         : QStringLiteral("written at ") + signedText(change.atNs);
    return journal::shownName(change.file) + QStringLiteral(", ") + when + QStringLiteral(", ")
        + reason(change, outcome);
}

// What ends it: a later event is of no use when none would be heard.
QString end(const Outcome &outcome)
{
    const auto is = [&](Change::Heard heard) {
        return std::any_of(outcome.changes.cbegin(), outcome.changes.cend(),
            [heard](const Change &each) { return each.isMissed() && each.heard == heard; });
    };
    if (outcome.nextPassNs)
        return QStringLiteral("until the periodic pass at %1.").arg(signedText(*outcome.nextPassNs));
    if (is(Change::Heard::Deaf) || is(Change::Heard::NotListed))
        return QStringLiteral("for ever.");
    if (is(Change::Heard::OtherDirectory) || !outcome.armedNs)
        return QStringLiteral("until the installer is restarted.");
    return QStringLiteral("until an owner writes the file again or the installer is restarted.");
}

QString wayOut(const Outcome &outcome, int missed)
{
    const QString it = missed == 1 ? QStringLiteral("It stays") : QStringLiteral("They stay");
    return it + QStringLiteral(" without the plugin ") + end(outcome);
}

QString missedSentence(const Outcome &outcome, int missed)
{
    QStringList parts;
    for (const Change &change : outcome.changes) {
        if (change.isMissed())
            parts.append(missedText(change, outcome));
    }
    return QStringLiteral("Would have missed %1: %2. %3")
        .arg(countText(missed, QStringLiteral("change")), joined(parts), wayOut(outcome, missed));
}

QString lostSentence(const Outcome &outcome)
{
    QStringList parts;
    for (const race::LostUpdate &lost : outcome.lostUpdates)
        parts.append(QStringLiteral("%1 of %2, at %3")
                         .arg(journal::shownName(lost.file), signedText(lost.atNs), signedText(lost.overwrittenNs)));
    return QStringLiteral("Would have overwritten %1 with what it had made of older content: %2.")
        .arg(countText(outcome.lostUpdates.size(), QStringLiteral("newer update")), joined(parts));
}

QString goodSentence(const Outcome &outcome)
{
    const std::optional<qint64> slowest = slowestNs(outcome);
    if (outcome.changes.isEmpty())
        return QStringLiteral("Would have missed nothing: nothing that should have the plugin was written.");
    return slowest ? QStringLiteral("Would have missed nothing; the longest time without the plugin is %1.")
                         .arg(spanText(*slowest))
                   : QStringLiteral("Would have missed nothing.");
}

} // namespace

bool isGood(const Outcome &outcome)
{
    return missedCount(outcome) == 0 && outcome.lostUpdates.isEmpty() && outcome.putBack.isEmpty()
        && outcome.isComplete;
}

int missedCount(const Outcome &outcome)
{
    return int(std::count_if(
        outcome.changes.cbegin(), outcome.changes.cend(), [](const Change &each) { return each.isMissed(); }));
}

std::optional<qint64> slowestNs(const Outcome &outcome)
{
    std::optional<qint64> slowest;
    for (const Change &change : outcome.changes) {
        if (change.patchedNs) // what was there before the start counts from the start
            slowest = std::max(slowest.value_or(0), *change.patchedNs - std::max<qint64>(change.atNs, 0));
    }
    return slowest;
}

QStringList raceVerdict(const Outcome &outcome)
{
    QStringList all;
    const int missed = missedCount(outcome);
    if (missed > 0)
        all.append(missedSentence(outcome, missed));
    if (!outcome.lostUpdates.isEmpty())
        all.append(lostSentence(outcome));
    for (const QByteArray &name : outcome.putBack)
        all.append(
            QStringLiteral("Would have put back %1, which its owner had taken away.").arg(journal::shownName(name)));
    if (all.isEmpty())
        all.append(goodSentence(outcome));
    return all;
}

QStringList raceReservations(const Outcome &outcome)
{
    QStringList all;
    const auto awaited = std::count_if(
        outcome.changes.cbegin(), outcome.changes.cend(), [](const Change &each) { return each.isAwaited; });
    if (awaited > 0)
        all.append(QStringLiteral("The simulation ends with %1 still to be patched: 'until' sets a later end.")
                       .arg(countText(awaited, QStringLiteral("change"))));
    if (!outcome.isComplete)
        all.append(QStringLiteral("Too much happens to simulate all of it: make the schedule smaller."));
    return all;
}

} // namespace firstwatch::ui
