// SPDX-License-Identifier: Apache-2.0
// The verbs that judge: status, check, findings. Each shows every node, and its exit code is what was found.
#include "app/firstwatch/sources.h"

#include "ui/text/check.h"
#include "ui/text/findings.h"
#include "ui/text/json.h"
#include "ui/text/nodepage.h"
#include "ui/text/status.h"

#include <QJsonArray>

#include <algorithm>

namespace firstwatch::cli {
namespace {

QString nodeNames(const ui::Look &look, const QList<ui::Node> &nodes)
{
    QString names;
    for (const ui::Node &node : nodes)
        names += ui::shown(look, node.name()) + u'\n';
    return names;
}

QJsonArray nodeArray(const QList<ui::Node> &nodes)
{
    QJsonArray array;
    for (const ui::Node &node : nodes)
        array.append(ui::nodeJson(node));
    return array;
}

// A recording is not the node: nobody may take the one for the other.
void sayReplays(Output &out, const QList<ui::Node> &nodes)
{
    for (const ui::Node &node : nodes) {
        if (node.isReached() && !node.isLive)
            out.verdict(ui::replaySentence(node));
    }
}

// With a filter only what is shown counts, besides whether everybody was there.
int exitCodeOf(const QList<ui::Node> &nodes, const QList<ui::Listed> &findings, Options options)
{
    const journal::Severity limit =
        options.failOn == FailOn::Warning ? journal::Severity::Warning : journal::Severity::Error;
    const bool isBad = options.failOn != FailOn::Never
        && std::any_of(findings.cbegin(), findings.cend(),
            [limit](const ui::Listed &each) { return ui::severityOf(each.finding) <= limit; });
    options.failOn = FailOn::Never;
    const int code = cli::exitCodeOf(nodes, options);
    return isBad && (code == exitcode::nothing || code == exitcode::partial) ? exitcode::found : code;
}

} // namespace

int runStatus(Call &call)
{
    Output &out = call.out;
    const ui::EventFilter &filter = call.options.filter;
    QList<ui::Node> nodes = collect(call);
    nodes.removeIf([&](const ui::Node &node) { return !filter.terms.takes(ui::factsOf(node), filter.nowUs); });
    const QString &form = call.options.output;
    if (isDocument(call.options))
        sayDocument(call, ui::document(QStringLiteral("nodes"), nodeArray(nodes)));
    else if (form == QLatin1String("name"))
        out.data(nodeNames(out.look(), nodes));
    else if (form == QLatin1String("short"))
        out.data(ui::statusLines(out.look(), nodes));
    else
        out.data(ui::statusTable(out.look(), nodes, form == QLatin1String("wide")));
    sayReplays(out, nodes);
    out.verdict(ui::fleetSentence(nodes));
    return exitCodeOf(nodes, call.options);
}

int runCheck(Call &call)
{
    Output &out = call.out;
    const QList<ui::Node> nodes = collect(call);
    if (isDocument(call.options))
        sayDocument(call, ui::document(QStringLiteral("checks"), ui::checkArray(nodes)));
    else
        out.data(ui::checkReport(out.look(), nodes, call.options.output == QLatin1String("short"), call.program));
    sayReplays(out, nodes);
    return exitCodeOf(nodes, call.options);
}

int runFindings(Call &call)
{
    Output &out = call.out;
    const QList<ui::Node> nodes = collect(call);
    const ui::EventFilter &filter = call.options.filter;
    QList<ui::Listed> findings = ui::listedFindings(nodes);
    findings.removeIf([&](const ui::Listed &each) { return !filter.terms.takes(ui::factsOf(each), filter.nowUs); });
    const QString &form = call.options.output;
    if (isDocument(call.options))
        sayDocument(call, ui::document(QStringLiteral("findings"), ui::findingArray(findings)));
    else if (form == QLatin1String("name"))
        out.data(ui::findingNames(out.look(), findings));
    else
        out.data(ui::findingTable(out.look(), findings, form == QLatin1String("wide")));
    sayReplays(out, nodes);
    out.verdict(findings.size() == 1 ? QStringLiteral("1 open finding.")
                                     : QStringLiteral("%1 open findings.").arg(findings.size()));
    return filter.terms.isEmpty() ? exitCodeOf(nodes, call.options) : exitCodeOf(nodes, findings, call.options);
}

} // namespace firstwatch::cli
