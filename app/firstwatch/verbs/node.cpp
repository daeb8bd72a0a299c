// SPDX-License-Identifier: Apache-2.0
// One node on a page: node, and open for a recording.
#include "app/firstwatch/sources.h"

#include "ui/text/json.h"
#include "ui/text/nodepage.h"
#include "ui/text/units.h"

#include <set>

namespace firstwatch::cli {
namespace {

// The row of `status`, and the whole view beside it.
QJsonObject nodeDocument(const ui::Node &node)
{
    QJsonObject json = ui::nodeJson(node);
    json.insert(QStringLiteral("view"), node.view.toJson());
    return json;
}

void show(Call &call, const ui::Node &node, const QString &before, const QJsonObject &counts)
{
    Output &out = call.out;
    if (isDocument(call.options)) {
        QJsonObject json = ui::document(QStringLiteral("node"), nodeDocument(node));
        if (!counts.isEmpty())
            json.insert(QStringLiteral("recording"), counts);
        sayDocument(call, json);
    } else {
        out.data(before + ui::nodePage(out.look(), node));
    }
    out.verdict(ui::verdictSentence(node));
}

int runsIn(const QList<journal::Event> &events)
{
    std::set<QByteArray> boots;
    for (const journal::Event &event : events)
        boots.insert(event.boot);
    return int(boots.size());
}

QString banner(const ui::Look &look, const ui::Node &node)
{
    const QString text = QStringLiteral("%1 %2 of %3.")
                             .arg(ui::replaySentence(node), ui::countText(node.events.size(), QStringLiteral("event")),
                                 ui::countText(runsIn(node.events), QStringLiteral("run")));
    return ui::painted(look, ui::Role::Replay, ui::shown(look, text)) + QStringLiteral("\n\n");
}

} // namespace

int runNode(Call &call)
{
    const ui::Node node = collectOne(call);
    if (!node.isLive && node.hasRun())
        call.out.verdict(ui::replaySentence(node));
    if (node.hasRun() || !node.isReached())
        show(call, node, {}, {});
    return exitCodeOf(node.hasRun() || !node.isReached() ? QList<ui::Node>{ node } : QList<ui::Node>(), call.options);
}

int runOpen(Call &call)
{
    call.options.sources = { { call.options.arguments.first().toUtf8() } };
    const ui::Node node = collectOne(call);
    const QJsonObject counts{ { QStringLiteral("events"), node.events.size() },
        { QStringLiteral("runs"), runsIn(node.events) }, { QStringLiteral("torn"), node.torn },
        { QStringLiteral("gaps"), node.gaps.size() }, { QStringLiteral("cut"), node.isCut } };
    if (node.hasRun() || !node.isReached())
        show(call, node, node.isReached() ? banner(call.out.look(), node) : QString(), counts);
    return exitCodeOf(node.hasRun() || !node.isReached() ? QList<ui::Node>{ node } : QList<ui::Node>(), call.options);
}

} // namespace firstwatch::cli
