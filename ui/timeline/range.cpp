// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/range.h"

#include "ui/text/events.h"
#include "ui/text/units.h"
#include "ui/timeline/picture.h"

#include <algorithm>
#include <utility>

namespace firstwatch::ui {

using journal::Event;

namespace {

const Event *eventOf(const QList<Event> &run, quint64 seq)
{
    const auto found = std::find_if(run.cbegin(), run.cend(), [seq](const Event &event) { return event.seq == seq; });
    return found == run.cend() ? nullptr : &*found;
}

QString nameOf(const Event &event)
{
    return QStringLiteral("%1 %2 %3")
        .arg(QString::number(event.seq), kindText(event), event.fields[QLatin1String("file")].toString())
        .trimmed();
}

// Cuts spans of time at both ends and counts them from the first.
class Window {
public:
    Window(qint64 fromNs, qint64 toNs)
        : m_fromNs(fromNs)
        , m_toNs(toNs)
    {
    }

    [[nodiscard]] bool holds(qint64 atNs) const { return atNs >= m_fromNs && atNs <= m_toNs; }
    [[nodiscard]] bool touches(qint64 fromNs, qint64 toNs) const { return fromNs <= m_toNs && toNs >= m_fromNs; }
    [[nodiscard]] qint64 moved(qint64 atNs) const { return std::clamp(atNs, m_fromNs, m_toNs) - m_fromNs; }

    [[nodiscard]] Lane lane(Lane whole) const
    {
        whole.marks.removeIf([this](const Mark &mark) { return !holds(mark.atNs); });
        whole.bars.removeIf([this](const Bar &bar) { return !touches(bar.fromNs, bar.toNs); });
        whole.facts.clear();
        for (Mark &mark : whole.marks) {
            mark.atNs = moved(mark.atNs);
            whole.facts += QStringLiteral("%1 %2 (%3)")
                               .arg(signedText(mark.atNs), QString(markName(mark.kind)).replace(u'_', u' '))
                               .arg(mark.seq);
        }
        for (Bar &bar : whole.bars) {
            bar.isOpen = bar.isOpen || bar.toNs > m_toNs;
            bar.fromNs = moved(bar.fromNs);
            bar.toNs = moved(bar.toNs);
        }
        return whole;
    }

    [[nodiscard]] BlindBand band(BlindBand whole) const
    {
        whole.fromNs = moved(whole.fromNs);
        whole.toNs = moved(whole.toNs);
        if (whole.exposedFromNs)
            whole.exposedFromNs = moved(*whole.exposedFromNs);
        return whole;
    }

private:
    qint64 m_fromNs;
    qint64 m_toNs;
};

} // namespace

std::optional<Range> rangeBetween(const QList<Event> &run, quint64 one, quint64 other, quint64 &missing)
{
    const auto [from, to] = std::minmax(one, other);
    for (const quint64 seq : { from, to }) {
        if (eventOf(run, seq) == nullptr) {
            missing = seq;
            return {};
        }
    }
    return Range{ *eventOf(run, from), *eventOf(run, to) };
}

Timeline cropped(const Timeline &timeline, const QList<Event> &run, const Range &range)
{
    const qint64 zeroNs = run.first().tNs; // a recording comes from anywhere: nothing says that its times rise
    const qint64 fromNs = std::clamp<qint64>(range.from.tNs - zeroNs, 0, timeline.endNs);
    const qint64 toNs = std::clamp<qint64>(range.to.tNs - zeroNs, fromNs, timeline.endNs);
    const Window window(fromNs, toNs);
    Timeline part = timeline;
    part.endNs = toNs - fromNs;
    part.startedUs = range.from.wallUs;
    part.sentence = rangeSentence(range);
    part.lanes.clear();
    part.blind.clear();
    for (const Lane &lane : timeline.lanes) {
        const Lane left = window.lane(lane);
        if (!left.bars.isEmpty() || !left.marks.isEmpty())
            part.lanes.append(left);
    }
    for (const BlindBand &band : timeline.blind) {
        if (window.touches(band.fromNs, band.toNs))
            part.blind.append(window.band(band));
    }
    return part;
}

QString rangeSentence(const Range &range)
{
    return QStringLiteral("Δ %1 from %2 to %3.").arg(signedText(range.ns()), nameOf(range.from), nameOf(range.to));
}

} // namespace firstwatch::ui
