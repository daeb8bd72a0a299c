// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/cellmodel.h"
#include "ui/text/node.h"

namespace firstwatch::ui {

// The files of a node's net dir, in the order in which a runtime reads them.
class FileModel final : public CellModel {
    Q_OBJECT
public:
    enum Column { Name, State, Since, Runtime, ColumnCount };
    explicit FileModel(QObject *parent = nullptr);

    void setNode(const Node &node);
};

} // namespace firstwatch::ui
