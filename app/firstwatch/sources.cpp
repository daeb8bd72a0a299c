// SPDX-License-Identifier: Apache-2.0
#include "app/firstwatch/sources.h"

#include "app/firstwatch/cluster.h"
#include "app/firstwatch/live.h"

#include "journal/codes.h"
#include "ui/session/recording.h"
#include "ui/text/events.h"
#include "ui/text/nodepage.h"
#include "ui/text/units.h"

#include <algorithm>

namespace firstwatch::cli {
namespace {

QList<ui::Node> collectFrom(const Source &source, Call &call)
{
    if (const auto *endpoint = std::get_if<stream::Endpoint>(&source.where))
        return { askNode(*endpoint, call.options) };
    if (const auto *nodes = std::get_if<ClusterNodes>(&source.where))
        return askCluster(*nodes, call);
    return { ui::readRecording(*std::get_if<QByteArray>(&source.where), source.boot.value_or(call.options.boot)) };
}

// What is not whole is said, and shown all the same.
QStringList lossesOf(const ui::Node &node)
{
    QStringList losses;
    if (node.torn > 0)
        losses += ui::countText(node.torn, QStringLiteral("line")) + QStringLiteral(" left out: no whole event");
    if (!node.damage.isEmpty())
        losses += node.damage;
    if (node.isShortened)
        losses += QStringLiteral("it has more files or findings than fit into an answer: some are left out");
    if (node.isCut)
        losses += QStringLiteral("only the first %1 MiB are read").arg(stream::mostCaptureBytes / 1024 / 1024);
    for (const stream::Manifest::Gap &gap : node.gaps)
        losses += ui::gapText(gap);
    return losses;
}

bool isMissed(const ui::Node &node, const Options &options)
{
    return options.wait && node.isReached() && node.word() != *options.wait;
}

// Says what there is to say about it, and keeps it.
void take(const ui::Node &node, Call &call, QList<ui::Node> &nodes)
{
    if (!node.isReached())
        sayTrouble(call.out, node.troubleCode, node.source + QStringLiteral(": ") + node.trouble);
    for (const QString &loss : node.isReached() ? lossesOf(node) : QStringList())
        call.out.note(node.source + QStringLiteral(": ") + loss);
    if (isMissed(node, call.options))
        call.out.error(
            ui::verdictSentence(node) + QStringLiteral(" Waited for %1.").arg(journal::stateWord(*call.options.wait)));
    if (!node.isReached() || node.hasRun())
        nodes.append(node);
    else
        call.out.note(node.source + QStringLiteral(": it holds no event"));
}

} // namespace

void sayTrouble(Output &out, int code, const QString &what)
{
    QString text = QStringLiteral("FW%1 %2").arg(code).arg(what);
    if (const journal::CodeEntry *entry = journal::codeEntry(code))
        text += QStringLiteral("\n  for pods: %1\n  next:     %2")
                    .arg(QString::fromUtf8(entry->meaning), QString::fromUtf8(entry->next));
    out.error(text);
}

QList<ui::Node> collectInOrder(Call &call)
{
    QList<ui::Node> nodes;
    for (const Source &source : std::as_const(call.options.sources)) {
        for (const ui::Node &node : collectFrom(source, call))
            take(node, call, nodes);
    }
    return nodes;
}

QList<ui::Node> collect(Call &call)
{
    QList<ui::Node> nodes = collectInOrder(call);
    ui::sortWorstFirst(nodes);
    return nodes;
}

ui::Node collectOne(Call &call)
{
    const QList<ui::Node> nodes = collect(call);
    if (!nodes.isEmpty())
        return nodes.first();
    ui::Node none;
    none.source = call.options.sources.first().shown();
    return none;
}

int exitCodeOf(const QList<ui::Node> &nodes, const Options &options)
{
    const auto reached =
        std::count_if(nodes.cbegin(), nodes.cend(), [](const ui::Node &node) { return node.isReached(); });
    if (reached == 0 && !nodes.isEmpty())
        return exitcode::notCollected;
    const journal::Severity limit =
        options.failOn == FailOn::Warning ? journal::Severity::Warning : journal::Severity::Error;
    const bool isBad = std::any_of(nodes.cbegin(), nodes.cend(), [&](const ui::Node &node) {
        const bool isJudged = node.isReached() && options.failOn != FailOn::Never;
        return isMissed(node, options) || (isJudged && ui::worstOf(node).value_or(journal::Severity::Info) <= limit);
    });
    if (isBad || reached < options.require)
        return exitcode::found;
    return reached < nodes.size() ? exitcode::partial : exitcode::nothing;
}

int exitCodeOf(const ui::Node &node)
{
    return node.isReached() ? exitcode::nothing : exitcode::notCollected;
}

} // namespace firstwatch::cli
