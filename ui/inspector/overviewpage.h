// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/text/node.h"

#include <QWidget>

class QFormLayout;
class QLabel;
class QTableView;
class QVBoxLayout;

namespace firstwatch::ui {

class FileModel;

// One look at a node: its word and what that means for pods, what is wrong with the next command, the facts, its files.
class OverviewPage final : public QWidget {
    Q_OBJECT
public:
    explicit OverviewPage(QWidget *parent = nullptr);
    void setNode(const Node &node);

protected:
    void changeEvent(QEvent *event) override;

private:
    void showState(const Node &node);
    void showFacts(const Node &node);
    void showFindings(const Node &node);
    [[nodiscard]] QWidget *findingCard(const Node &node, const journal::NodeState::OpenFinding &finding);
    void colour();

    QLabel *m_word;
    QLabel *m_meaning;
    QVBoxLayout *m_findings;
    QFormLayout *m_facts;
    FileModel *m_files;
    QTableView *m_fileTable;
    QLabel *m_noFiles;
    QString m_shownFindings; // what the cards were made of, so that they are not made anew each second
};

} // namespace firstwatch::ui
