// SPDX-License-Identifier: Apache-2.0
#include "ui/text/status.h"

#include "ui/text/cells.h"
#include "ui/text/table.h"

#include <QMap>

#include <algorithm>

namespace firstwatch::ui {

using journal::State;

namespace {

Table::Cell stateCell(const Look &look, const Node &node)
{
    const State state = node.word();
    return { glyphOf(look, state) + u' ' + journal::stateWord(state), roleOf(state) };
}

QList<Table::Cell> wideCells(const Node &node)
{
    const QString version = node.view.process.version;
    return { { tokenText(node) }, { version.isEmpty() ? noText() : version }, { bootText(node) },
        { node.source, Role::Muted } };
}

QMap<State, int> counted(const QList<Node> &nodes)
{
    QMap<State, int> counts;
    for (const Node &node : nodes)
        ++counts[node.word()];
    return counts;
}

const Node *smallestMargin(const QList<Node> &nodes)
{
    const Node *smallest = nullptr;
    for (const Node &node : nodes) {
        const std::optional<qint64> margin = node.view.readyMarginNs();
        if (margin && (smallest == nullptr || *margin < *smallest->view.readyMarginNs()))
            smallest = &node;
    }
    return smallest;
}

bool needsAttention(const Node &node)
{
    return !node.isReached() || worstOf(node).value_or(journal::Severity::Info) != journal::Severity::Info;
}

QString nodesText(qsizetype count)
{
    return count == 1 ? QStringLiteral("1 node") : QStringLiteral("%1 nodes").arg(count);
}

} // namespace

QString statusTable(const Look &look, const QList<Node> &nodes, bool isWide)
{
    QList<Table::Column> columns{ { QStringLiteral("STATE") }, { QStringLiteral("NODE") }, { QStringLiteral("WATCH") },
        { QStringLiteral("MARGIN"), Table::Side::Right }, { QStringLiteral("FILES"), Table::Side::Right },
        { QStringLiteral("DRIFT"), Table::Side::Right }, { QStringLiteral("LAST PATCH") } };
    if (isWide)
        columns += { { QStringLiteral("TOKEN") }, { QStringLiteral("VERSION") }, { QStringLiteral("BOOT") },
            { QStringLiteral("SOURCE") } };
    Table table(look, columns);
    for (const Node &node : nodes) {
        QList<Table::Cell> cells{ stateCell(look, node), { node.name(), Role::Strong }, { watchText(node) },
            { marginText(node), marginRole(node) }, { filesText(node) }, { driftText(node) }, { lastPatchText(node) } };
        table.append(isWide ? cells + wideCells(node) : cells);
    }
    return table.text();
}

QString statusLines(const Look &look, const QList<Node> &nodes)
{
    QString lines;
    for (const Node &node : nodes)
        lines +=
            shown(look,
                node.name() + u' ' + journal::stateWord(node.word()) + u' ' + marginText(node) + u' ' + filesText(node))
            + u'\n';
    return lines;
}

QString fleetSentence(const QList<Node> &nodes)
{
    QStringList parts;
    const QMap<State, int> counts = counted(nodes);
    for (auto count = counts.cbegin(); count != counts.cend(); ++count)
        parts += QString::number(*count) + u' ' + journal::stateWord(count.key());
    QString text = nodesText(nodes.size())
        + (parts.isEmpty() ? QString() : QStringLiteral(": ") + parts.join(QStringLiteral(", "))) + u'.';
    if (const Node *node = smallestMargin(nodes))
        text += QStringLiteral(" Smallest ready margin %1 (%2).").arg(marginText(*node), node->name());
    return text;
}

QString attentionSentence(const QList<Node> &nodes)
{
    QStringList parts;
    const QMap<State, int> counts = counted(nodes);
    for (auto count = counts.cend(); count != counts.cbegin();) { // the good ones first
        --count;
        parts += QString::number(*count) + u' ' + QString(journal::stateWord(count.key())).toLower();
    }
    const auto bad = std::count_if(nodes.cbegin(), nodes.cend(), needsAttention);
    const QString detail = parts.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(parts.join(QStringLiteral(", ")));
    if (bad == 0)
        return QStringLiteral("%1 of %1 %2 fine").arg(nodes.size()).arg(nodes.size() == 1 ? u"is" : u"are") + detail;
    return QStringLiteral("%1 of %2 %3 attention").arg(bad).arg(nodesText(nodes.size()), bad == 1 ? u"needs" : u"need")
        + detail;
}

} // namespace firstwatch::ui
