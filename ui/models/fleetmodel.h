// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/cellmodel.h"
#include "ui/text/node.h"

namespace firstwatch::ui {

// All nodes, worst first. A node is known by its source.
class FleetModel final : public CellModel {
    Q_OBJECT
public:
    enum Column {
        NodeName,
        State,
        Watch,
        Margin,
        Files,
        LastPatch,
        Drift,
        Rewrites, // by others in the last hour, as far as it is known
        Token,
        Boots, // runs that began in the last day
        Version,
        Link,
        ColumnCount
    };
    explicit FleetModel(QObject *parent = nullptr);

    void setNodes(const QList<Node> &nodes);
    [[nodiscard]] const Node *node(int row) const; // null: no such row

private:
    [[nodiscard]] QList<Cell> cellsOf(const Node &node) const;
    [[nodiscard]] Cell linkCell(const Node &node) const;

    QList<Node> m_nodes;
};

} // namespace firstwatch::ui
