// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QSet>
#include <QString>

class QTableView;

namespace firstwatch::ui {

// Keeps what is selected, what is current and what stands at the top of a table while its model begins anew: rows are
// known by KeyRole. The table owns it.
class TableKeeper final : public QObject {
    Q_OBJECT
public:
    explicit TableKeeper(QTableView *table); // that has its model
    [[nodiscard]] bool isAtWork() const { return m_isAtWork; } // what is selected now is not a person's choice

private:
    void remember();
    void restore();
    [[nodiscard]] QString keyAt(int row) const;

    QTableView *m_table;
    QSet<QString> m_selected;
    QString m_current;
    QString m_top;
    bool m_isAtWork = false;
};

} // namespace firstwatch::ui
