// SPDX-License-Identifier: Apache-2.0
#include "ui/text/findings.h"

#include "ui/text/json.h"
#include "ui/text/table.h"
#include "ui/text/units.h"

#include <algorithm>

namespace firstwatch::ui {

using journal::CodeEntry;

namespace {

constexpr int labelWidth = 11;

// "for pods   Pods that start …", wrapped beside the label.
QString labelled(const Look &look, const QString &label, const char *text)
{
    const int room = (look.columns == 0 ? 80 : look.columns) - labelWidth;
    const QString indent(labelWidth, u' ');
    return painted(look, Role::Muted, padded(label, labelWidth))
        + wrapped(shown(look, QString::fromUtf8(text)), room).join(u'\n' + indent) + u'\n';
}

} // namespace

QString codeName(int code)
{
    return QStringLiteral("FW%1").arg(code);
}

QString nextOf(int code)
{
    const CodeEntry *entry = journal::codeEntry(code);
    return QString::fromUtf8(entry == nullptr ? "" : entry->next);
}

QList<Listed> listedFindings(const QList<Node> &nodes)
{
    QList<Listed> all;
    for (const Node &node : nodes) {
        for (const journal::NodeState::OpenFinding &finding : node.view.state.findings())
            all.append({ &node, finding });
    }
    std::stable_sort(all.begin(), all.end(),
        [](const Listed &left, const Listed &right) { return severityOf(left.finding) < severityOf(right.finding); });
    return all;
}

Facts factsOf(const Listed &listed)
{
    const Node &node = *listed.node;
    const QString code = codeName(listed.finding.code);
    const QString text = QStringList{ severityName(severityOf(listed.finding)), code, node.name(), listed.finding.file,
        listed.finding.text }
                             .join(u' ');
    return { {}, listed.finding.file, node.name(), journal::stateWord(node.word()), code, text,
        node.nowUs - (node.nowNs - listed.finding.sinceNs) / 1000 };
}

QString findingTable(const Look &look, const QList<Listed> &findings, bool isWide)
{
    QList<Table::Column> columns{ { QStringLiteral("SEVERITY") }, { QStringLiteral("CODE") },
        { QStringLiteral("NODE") }, { QStringLiteral("AGE"), Table::Side::Right }, { QStringLiteral("FILE") },
        { QStringLiteral("WHAT") } };
    if (isWide)
        columns.append({ QStringLiteral("NEXT") });
    Table table(look, columns);
    for (const Listed &each : findings) {
        const journal::Severity severity = severityOf(each.finding);
        QList<Table::Cell> cells{ { severityName(severity), roleOf(severity) },
            { codeName(each.finding.code), Role::Strong }, { each.node->name() },
            { ageText(each.node->nowNs - each.finding.sinceNs) },
            { each.finding.file.isEmpty() ? QStringLiteral("-") : each.finding.file }, { each.finding.text } };
        if (isWide)
            cells.append({ nextOf(each.finding.code) });
        table.append(cells);
    }
    return table.text();
}

QString findingNames(const Look &look, const QList<Listed> &findings)
{
    QString names;
    for (const Listed &each : findings)
        names +=
            shown(look, codeName(each.finding.code) + u' ' + each.node->name() + u' ' + each.finding.file).trimmed()
            + u'\n';
    return names;
}

QJsonArray findingArray(const QList<Listed> &findings)
{
    QJsonArray array;
    for (const Listed &each : findings)
        array.append(findingJson(*each.node, each.finding));
    return array;
}

QString codePage(const Look &look, const CodeEntry &entry)
{
    const QString degraded = entry.effect == journal::Effect::Degraded
        ? QStringLiteral(", and the node is DEGRADED while it is open")
        : QString();
    return painted(look, roleOf(entry.severity), codeName(entry.code)) + QStringLiteral("  ")
        + painted(look, Role::Strong, shown(look, QString::fromUtf8(entry.title))) + u'\n'
        + labelled(look, QStringLiteral("severity"), (severityName(entry.severity) + degraded).toUtf8().constData())
        + labelled(look, QStringLiteral("for pods"), entry.meaning)
        + labelled(look, QStringLiteral("Firstwatch"), entry.does) + labelled(look, QStringLiteral("you"), entry.next);
}

QString codeTable(const Look &look)
{
    Table table(look, { { QStringLiteral("CODE") }, { QStringLiteral("SEVERITY") }, { QStringLiteral("WHAT") } });
    for (const CodeEntry &entry : journal::allCodes())
        table.append({ { codeName(entry.code), Role::Strong }, { severityName(entry.severity), roleOf(entry.severity) },
            { QString::fromUtf8(entry.title) } });
    return table.text();
}

QJsonObject codeJson(const CodeEntry &entry)
{
    return { { QStringLiteral("code"), codeName(entry.code) },
        { QStringLiteral("severity"), severityName(entry.severity) },
        { QStringLiteral("degrades"), entry.effect == journal::Effect::Degraded },
        { QStringLiteral("title"), QString::fromUtf8(entry.title) },
        { QStringLiteral("meaning"), QString::fromUtf8(entry.meaning) },
        { QStringLiteral("does"), QString::fromUtf8(entry.does) },
        { QStringLiteral("next"), QString::fromUtf8(entry.next) } };
}

} // namespace firstwatch::ui
