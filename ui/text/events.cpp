// SPDX-License-Identifier: Apache-2.0
#include "ui/text/events.h"

#include "journal/humanline.h"
#include "ui/filter/matcher.h"

#include <algorithm>

namespace firstwatch::ui {

using journal::Event;
using journal::Kind;

Role roleOf(const Event &event)
{
    switch (event.kind) {
    case Kind::PatchApplied:
    case Kind::WatchProven:
        return Role::Good;
    case Kind::PatchFailed:
    case Kind::WatchLost:
        return Role::Error;
    case Kind::WatchPolling:
    case Kind::Overflow:
    case Kind::FindingOpen:
        return Role::Warning;
    case Kind::FileChange:
        return Role::Odd;
    default:
        return Role::Plain;
    }
}

QString kindText(const Event &event)
{
    return event.kind == Kind::Unknown ? event.unknownKind : QString(journal::kindName(event.kind));
}

Facts factsOf(const Event &event)
{
    const int code = event.fields[QLatin1String("code")].toInt();
    return { kindText(event), event.fields[QLatin1String("file")].toString(), {},
        event.fields[QLatin1String("state")].toString(), code == 0 ? QString() : QStringLiteral("FW%1").arg(code),
        journal::humanText(event), event.wallUs };
}

bool EventFilter::takes(const Event &event) const
{
    return terms.isEmpty() || terms.takes(factsOf(event), nowUs);
}

QList<Event> filtered(const QList<Event> &events, const EventFilter &filter)
{
    QList<Event> taken = events;
    if (!filter.terms.isEmpty()) {
        const Matcher matcher(filter.terms, filter.nowUs);
        taken.removeIf([&](const Event &event) { return !matcher.takes(factsOf(event)); });
    }
    return filter.last < 0 ? taken : taken.last(std::min(filter.last, taken.size()));
}

QString eventText(const Look &look, const Event &event, bool withDay)
{
    const QString day = withDay ? QString::fromLatin1(journal::wallText(event.wallUs).left(10)) + u' ' : QString();
    return painted(look, Role::Muted, day + journal::humanTime(event)) + u' '
        + painted(look, roleOf(event), shown(look, journal::humanText(event))) + u'\n';
}

QString gapText(const stream::Manifest::Gap &gap)
{
    const quint64 count = gap.to < gap.from ? 0 : gap.to - gap.from + 1;
    return QStringLiteral("# gap: %1 %2 not received, %3 to %4 (%5)")
        .arg(count)
        .arg(count == 1 ? u"event" : u"events")
        .arg(gap.from)
        .arg(gap.to)
        .arg(gap.why);
}

} // namespace firstwatch::ui
