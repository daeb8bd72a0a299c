// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/filelane.h"

#include "ui/text/units.h"
#include "ui/timeline/fields.h"

#include <algorithm>

namespace firstwatch::ui {

using journal::Event;
using journal::Kind;

namespace {

Mark::Kind changeKind(const QString &via)
{
    if (via == QLatin1String("event"))
        return Mark::Kind::ChangeByEvent;
    return via == QLatin1String("pass") ? Mark::Kind::ChangeByPass : Mark::Kind::ChangeUnseen;
}

bool isChange(const Mark &mark)
{
    // A pass finds at some time what had been changed before; when that was is not known.
    return mark.kind == Mark::Kind::ChangeByEvent || mark.kind == Mark::Kind::ChangeUnseen
        || mark.kind == Mark::Kind::ChangeOutside;
}

} // namespace

bool isAboutFile(Kind kind)
{
    switch (kind) {
    case Kind::FileChange:
    case Kind::FileState:
    case Kind::FileUnreadable:
    case Kind::PatchApplied:
    case Kind::PatchFailed:
    case Kind::PatchUndone:
        return true;
    default:
        return false;
    }
}

void FileLane::take(const Event &event, qint64 atNs, qint64 foundNs)
{
    switch (event.kind) {
    case Kind::FileChange:
        return takeChange(event, foundNs);
    case Kind::FileState:
        return takeState(event, atNs);
    case Kind::FileUnreadable:
        mark(Mark::Kind::Unreadable, atNs, event, textOf(event, "why"));
        m_lane.facts.append(QStringLiteral("unreadable %1: %2").arg(signedText(atNs), textOf(event, "why")));
        return;
    case Kind::PatchFailed:
        mark(Mark::Kind::Failed, atNs, event, textOf(event, "step"));
        m_lane.facts.append(
            QStringLiteral("not patched %1: failed at %2").arg(signedText(atNs), textOf(event, "step")));
        return;
    case Kind::PatchUndone:
        mark(Mark::Kind::Undone, atNs, event);
        m_lane.facts.append(QStringLiteral("taken out ") + signedText(atNs));
        return;
    default:
        return takePatch(event, atNs);
    }
}

void FileLane::takeChange(const Event &event, qint64 foundNs)
{
    const Mark::Kind kind = changeKind(textOf(event, "via"));
    mark(kind, foundNs, event, textOf(event, "via"));
    if (!m_changedNs)
        m_changedNs = foundNs;
    if (kind == Mark::Kind::ChangeUnseen)
        m_driftNs = foundNs;
}

// A first patch says how the file was found; a later one how long it took since the change was.
void FileLane::takePatch(const Event &event, qint64 atNs)
{
    const bool isAgain = event.fields[QLatin1String("repatch")].toBool();
    mark(Mark::Kind::Patched, atNs, event, isAgain ? QStringLiteral("repatch") : QString());
    if (isAgain && m_changedNs)
        m_lane.facts.append(QStringLiteral("rewritten %1, patched again %2 later")
                                .arg(signedText(*m_changedNs), spanText(atNs - *m_changedNs)));
    else
        m_lane.facts.append(
            QStringLiteral("patched ") + (isAgain ? QStringLiteral("again ") : QString()) + signedText(atNs));
    for (Mark &each : m_lane.marks) {
        if (each.kind == Mark::Kind::ChangeUnseen)
            each.kind = Mark::Kind::ChangeOutside;
    }
    m_changedNs.reset();
    endDrift(atNs);
}

void FileLane::takeState(const Event &event, qint64 atNs)
{
    const QString state = textOf(event, "state");
    if (state == QLatin1String("drift")) {
        if (!m_driftNs)
            m_driftNs = m_changedNs.value_or(atNs);
        return;
    }
    endDrift(atNs);
    if (state != QLatin1String("patched"))
        m_lane.facts.append(QStringLiteral("%1 %2").arg(state, signedText(atNs)));
}

void FileLane::endDrift(qint64 atNs)
{
    if (m_driftNs)
        m_lane.bars.append({ Bar::Kind::Drift, *m_driftNs, atNs, false, {} });
    m_driftNs.reset();
}

void FileLane::mark(Mark::Kind kind, qint64 atNs, const Event &event, const QString &text)
{
    m_lane.marks.append({ kind, atNs, event.seq, text });
}

Lane FileLane::lane(const QString &name, qint64 endNs) const
{
    Lane whole = m_lane;
    whole.name = name;
    // What was found is told only after it was patched.
    std::stable_sort(whole.marks.begin(), whole.marks.end(),
        [](const Mark &left, const Mark &right) { return left.atNs < right.atNs; });
    bool isUnseen = false;
    for (const Mark &each : std::as_const(whole.marks)) {
        isUnseen = isUnseen || each.kind == Mark::Kind::ChangeUnseen;
        if (each.kind == Mark::Kind::ChangeUnseen || each.kind == Mark::Kind::ChangeOutside)
            whole.facts.prepend(QStringLiteral("written %1 by another").arg(signedText(each.atNs)));
    }
    if (m_driftNs) {
        whole.bars.append({ Bar::Kind::Drift, *m_driftNs, endNs, true, {} });
        whole.facts.append((isUnseen ? QStringLiteral("no event, no pass: ") : QString())
            + QStringLiteral("without the plugin for %1, to the end of what is known")
                  .arg(spanText(endNs - *m_driftNs)));
    }
    return whole;
}

void FileLane::countIn(BlindBand &band) const
{
    for (const Mark &each : m_lane.marks) {
        if (!isChange(each) || each.atNs < band.fromNs || each.atNs >= band.toNs)
            continue;
        ++band.changes;
        const bool isPatched = std::any_of(m_lane.marks.cbegin(), m_lane.marks.cend(),
            [&](const Mark &other) { return other.kind == Mark::Kind::Patched && other.atNs >= each.atNs; });
        band.neverSeen += isPatched ? 0 : 1;
    }
}

} // namespace firstwatch::ui
