// SPDX-License-Identifier: Apache-2.0
#include "ui/models/findingmodel.h"

#include "ui/text/cells.h"
#include "ui/text/findings.h"
#include "ui/text/units.h"

#include "journal/shownname.h"

namespace firstwatch::ui {

using journal::shownText;

FindingModel::FindingModel(QObject *parent)
    : CellModel({ tr("Code"), tr("Severity"), tr("Node"), tr("File"), tr("Since"), tr("What"), tr("Next") }, parent)
{
}

void FindingModel::setNodes(const QList<ui::Node> &nodes)
{
    QList<Row> rows;
    for (const Listed &each : listedFindings(nodes)) {
        const journal::NodeState::OpenFinding &finding = each.finding;
        const QString code = codeName(finding.code);
        const journal::Severity severity = severityOf(finding);
        const journal::CodeEntry *const entry = journal::codeEntry(finding.code);
        const QString title = QString::fromUtf8(entry == nullptr ? "" : entry->title);
        const qint64 ageNs = each.node->nowNs - finding.sinceNs;
        const QString moment = momentText(each.node->nowUs - ageNs / 1000);
        rows.append({ code + u'\n' + each.node->source + u'\n' + finding.file,
            { { code, title }, { severityName(severity), {}, int(severity), {}, roleOf(severity) },
                { shownText(each.node->name()) },
                { finding.file.isEmpty() ? noText() : shownText(finding.file), {}, finding.file },
                { ageText(ageNs), moment, -ageNs, moment, Role::Plain, true },
                { shownText(finding.text), shownText(finding.text) }, { nextOf(finding.code), nextOf(finding.code) } },
            each.node->word(), severity });
    }
    setRows(rows);
}

} // namespace firstwatch::ui
