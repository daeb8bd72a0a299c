// SPDX-License-Identifier: Apache-2.0
#include "ui/models/fleetmodel.h"

#include "ui/text/cells.h"
#include "ui/text/findings.h"
#include "ui/text/units.h"

#include "journal/shownname.h"

#include <algorithm>
#include <limits>
#include <set>

namespace firstwatch::ui {

using journal::Event;
using journal::Kind;
using journal::shownText;

namespace {

constexpr qint64 hourUs = 3'600'000'000;
constexpr qint64 dayUs = 24 * hourUs;
constexpr qint64 never = std::numeric_limits<qint64>::max(); // what is not known comes last

// Whether nothing of the last `spanUs` is missing among the events.
bool reachBack(const Node &node, qint64 spanUs)
{
    return !node.events.isEmpty() && (node.events.first().seq == 1 || node.events.first().wallUs < node.nowUs - spanUs);
}

// Nothing when it is not known.
std::optional<qint64> rewritesOf(const Node &node)
{
    if (!reachBack(node, hourUs)) {
        const qint64 startedUs = node.view.process.startedWallUs;
        const bool isYoung = startedUs != 0 && startedUs >= node.nowUs - hourUs;
        return isYoung ? std::optional(node.view.counters.repatched) : std::nullopt;
    }
    return std::count_if(node.events.cbegin(), node.events.cend(), [&](const Event &event) {
        return event.kind == Kind::PatchApplied && event.wallUs >= node.nowUs - hourUs
            && event.fields[QLatin1String("repatch")].toBool();
    });
}

std::optional<qint64> bootsOf(const Node &node)
{
    if (!reachBack(node, dayUs))
        return {};
    std::set<QByteArray> boots;
    for (const Event &event : node.events) {
        if (event.kind == Kind::ProcessStart && event.wallUs >= node.nowUs - dayUs)
            boots.insert(event.boot);
    }
    return qint64(boots.size());
}

QString countedText(const std::optional<qint64> &count)
{
    return count ? QString::number(*count) : noText();
}

// The more, the worse.
qint64 worseWhenMore(const std::optional<qint64> &count)
{
    return count ? -*count : 1;
}

qint64 missingFiles(const Node &node)
{
    const FileCount count = fileCount(node.view.state);
    return node.hasRun() ? count.patched - count.eligible : 1;
}

qint64 sinceOf(const Node &node, qint64 tNs)
{
    return tNs == 0 ? never : node.nowNs - tNs;
}

QString patchMoment(const Node &node)
{
    return momentText(node.view.lastPatch.wallUs);
}

} // namespace

FleetModel::FleetModel(QObject *parent)
    : CellModel({ tr("Node"), tr("State"), tr("Watch"), tr("Margin"), tr("Files"), tr("Last patch"), tr("Drift"),
                    tr("Rewrites, 1 h"), tr("Token"), tr("Runs, 24 h"), tr("Version"), tr("Link") },
        parent)
{
}

FleetModel::Cell FleetModel::linkCell(const Node &node) const
{
    if (!node.isReached())
        return { tr("lost"), codeName(node.troubleCode) + u' ' + shownText(node.trouble), 0, {}, Role::Warning };
    if (node.isLive)
        return { tr("live"), shownText(node.source), 2 };
    return { tr("replay"), tr("Read from %1. Not live.").arg(shownText(node.source)), 1, {}, Role::Replay };
}

QList<FleetModel::Cell> FleetModel::cellsOf(const Node &node) const
{
    const journal::State state = node.word();
    const std::optional<qint64> rewrites = rewritesOf(node);
    const std::optional<qint64> boots = bootsOf(node);
    const qint64 driftNs = node.view.state.oldestDriftNs();
    const QString version = node.view.process.version;
    return { { shownText(node.name()), shownText(node.source), {}, node.name() },
        { journal::stateWord(state), stateMeaning(state), int(state), {}, roleOf(state) },
        { shownText(watchText(node)), shownText(node.view.watch.trouble) },
        { marginText(node), {}, node.view.readyMarginNs().value_or(never), {}, marginRole(node), true },
        { filesText(node), {}, missingFiles(node), {}, missingFiles(node) < 0 ? Role::Error : Role::Plain, true },
        { shownText(lastPatchText(node)), patchMoment(node), sinceOf(node, node.view.lastPatch.tNs),
            patchMoment(node) },
        { driftText(node), {}, driftNs == 0 ? never : driftNs - node.nowNs, {}, driftNs == 0 ? Role::Plain : Role::Odd,
            true },
        { countedText(rewrites), {}, worseWhenMore(rewrites), {}, Role::Plain, true },
        { tokenText(node), {}, sinceOf(node, node.view.tokenNs), {}, Role::Plain, true },
        { countedText(boots), {}, worseWhenMore(boots), {}, Role::Plain, true },
        { version.isEmpty() ? noText() : shownText(version) }, linkCell(node) };
}

// By key: while rows are taken away, the nodes are ahead of them.
const Node *FleetModel::node(int row) const
{
    const QString source = index(row, 0).data(KeyRole).toString();
    const auto found =
        std::find_if(m_nodes.cbegin(), m_nodes.cend(), [&](const Node &each) { return each.source == source; });
    return found == m_nodes.cend() ? nullptr : &*found;
}

void FleetModel::setNodes(const QList<Node> &nodes)
{
    m_nodes = nodes;
    sortWorstFirst(m_nodes);
    QList<Row> rows;
    for (const Node &node : std::as_const(m_nodes))
        rows.append({ node.source, cellsOf(node), node.word(), worstOf(node) });
    setRows(rows);
}

} // namespace firstwatch::ui
