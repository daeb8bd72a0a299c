// SPDX-License-Identifier: Apache-2.0
#include "app/firstwatch/follow.h"
#include "app/firstwatch/sources.h"

#include "ui/text/json.h"

#include <QJsonArray>

namespace firstwatch::cli {
namespace {

bool isOfOneDay(const QList<journal::Event> &events)
{
    constexpr qint64 usPerDay = 86'400'000'000;
    return events.isEmpty() || events.first().wallUs / usPerDay == events.last().wallUs / usPerDay;
}

QJsonObject eventsDocument(const ui::Node &node, const QList<journal::Event> &events)
{
    QJsonArray all;
    for (const journal::Event &event : events)
        all.append(ui::eventJson(event));
    QJsonArray gaps;
    for (const stream::Manifest::Gap &gap : node.gaps)
        gaps.append(QJsonObject{ { QStringLiteral("from"), qint64(gap.from) }, { QStringLiteral("to"), qint64(gap.to) },
            { QStringLiteral("why"), gap.why } });
    QJsonObject json = ui::document(QStringLiteral("events"), all);
    json.insert(QStringLiteral("node"), node.name());
    json.insert(QStringLiteral("gaps"), gaps);
    return json;
}

void show(Call &call, const ui::Node &node, const QList<journal::Event> &events)
{
    Output &out = call.out;
    if (isDocument(call.options))
        return sayDocument(call, eventsDocument(node, events));
    const bool isRaw = call.options.output == QLatin1String("raw");
    const bool withDay = !isOfOneDay(events);
    for (const journal::Event &event : events) {
        if (isRaw)
            out.data(ui::safeJson(journal::toLine(event), out.look().hasUnicode));
        else
            out.data(ui::eventText(out.look(), event, withDay));
    }
}

} // namespace

int runEvents(Call &call)
{
    if (call.options.follow)
        return follow(call);
    const ui::Node node = collectOne(call);
    if (!node.isReached())
        return exitcode::notCollected;
    const QList<journal::Event> events = ui::filtered(node.events, call.options.filter);
    show(call, node, events);
    call.out.verdict(QStringLiteral("%1 of %2 events.").arg(events.size()).arg(node.events.size()));
    return exitcode::nothing;
}

} // namespace firstwatch::cli
