// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/cellmodel.h"
#include "ui/text/node.h"

namespace firstwatch::ui {

// What is wrong with nodes at this moment, the worst first.
class FindingModel final : public CellModel {
    Q_OBJECT
public:
    enum Column { Code, Severity, Node, File, Since, What, Next, ColumnCount };
    explicit FindingModel(QObject *parent = nullptr);

    void setNodes(const QList<ui::Node> &nodes);
};

} // namespace firstwatch::ui
