// SPDX-License-Identifier: Apache-2.0
#include "ui/models/patchmodel.h"

#include "ui/text/cells.h"
#include "ui/text/units.h"

#include "journal/shownname.h"

#include <algorithm>

namespace firstwatch::ui {
namespace {

using journal::shownText;

QString keyOf(const QByteArray &boot, quint64 seq)
{
    return QString::fromUtf8(boot) + u'/' + QString::number(seq);
}

QString changeText(const PatchRecord &record)
{
    return digestText(record.before) + QStringLiteral(" → ") + digestText(record.after);
}

QString wholeChange(const PatchRecord &record)
{
    const QString before = record.before.isEmpty() ? noText() : record.before;
    return before + QStringLiteral(" → ") + (record.after.isEmpty() ? noText() : record.after);
}

} // namespace

PatchModel::PatchModel(QObject *parent)
    : CellModel({ tr("Time"), tr("File"), tr("Why"), tr("Before → after"), tr("Took") }, parent)
{
}

int PatchModel::rowOfPatch(const QByteArray &boot, quint64 seq) const
{
    return rowOf(keyOf(boot, seq));
}

// By key: while rows are taken away, the records are ahead of them.
const PatchRecord *PatchModel::record(int row) const
{
    const QString key = index(row, 0).data(KeyRole).toString();
    const auto found = std::find_if(m_records.cbegin(), m_records.cend(),
        [&](const PatchRecord &each) { return keyOf(each.event.boot, each.event.seq) == key; });
    return found == m_records.cend() ? nullptr : &*found;
}

void PatchModel::setNode(const Node &node)
{
    m_records = patchRecords(node.events);
    QList<Row> rows;
    for (const PatchRecord &each : std::as_const(m_records)) {
        const bool isFailed = each.event.kind == journal::Kind::PatchFailed;
        const QString whole = QString::fromLatin1(journal::wallText(each.event.wallUs));
        rows.append({ keyOf(each.event.boot, each.event.seq),
            { { momentText(each.event.wallUs), whole, each.event.wallUs, whole, Role::Muted },
                { shownText(each.file), {}, {}, each.file },
                { shownText(each.why), {}, {}, {}, isFailed ? Role::Error : Role::Plain },
                { changeText(each), wholeChange(each), {}, wholeChange(each) },
                { each.tookUs ? spanText(*each.tookUs * 1000) : noText(), {}, each.tookUs.value_or(-1), {}, Role::Plain,
                    true } },
            {}, isFailed ? std::optional(journal::Severity::Error) : std::nullopt });
    }
    setRows(rows);
}

} // namespace firstwatch::ui
