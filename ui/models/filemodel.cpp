// SPDX-License-Identifier: Apache-2.0
#include "ui/models/filemodel.h"

#include "ui/text/units.h"

namespace firstwatch::ui {

FileModel::FileModel(QObject *parent)
    : CellModel({ tr("File"), tr("State"), tr("Since"), tr("Runtime") }, parent)
{
}

void FileModel::setNode(const Node &node)
{
    QList<Row> rows;
    const auto &files = node.view.state.files();
    for (auto file = files.cbegin(); file != files.cend(); ++file) {
        const qint64 ageNs = node.nowNs - file->sinceNs;
        const QString moment = momentText(node.nowUs - ageNs / 1000);
        rows.append({ file.key(),
            { { file.key() }, { journal::fileWordName(file->word), {}, {}, {}, roleOf(file->word) },
                { ageText(ageNs), moment, -ageNs, moment, Role::Plain, true },
                { file->active ? tr("uses this one") : QString() } } });
    }
    setRows(rows);
}

} // namespace firstwatch::ui
