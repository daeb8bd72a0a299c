// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/cellmodel.h"
#include "ui/text/patches.h"

namespace firstwatch::ui {

// Each time that Firstwatch wrote a file of the node or could not, of every run that is known, oldest first.
class PatchModel final : public CellModel {
    Q_OBJECT
public:
    enum Column { Time, File, Why, Change, Took, ColumnCount };
    explicit PatchModel(QObject *parent = nullptr);

    void setNode(const Node &node);
    [[nodiscard]] const PatchRecord *record(int row) const; // null: no such row
    // The row of the patch with this seq in a run; -1: none.
    [[nodiscard]] int rowOfPatch(const QByteArray &boot, quint64 seq) const;

private:
    QList<PatchRecord> m_records;
};

} // namespace firstwatch::ui
