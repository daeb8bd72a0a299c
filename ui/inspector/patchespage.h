// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/patchmodel.h"
#include "ui/text/sidebyside.h"

#include <QWidget>

class QCheckBox;
class QLabel;
class QPlainTextEdit;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace firstwatch::ui {

class DiffHighlighter;
class SidePanes;

// When Firstwatch wrote a file of the node, why, and what that changed.
class PatchesPage final : public QWidget {
    Q_OBJECT
public:
    explicit PatchesPage(QWidget *parent = nullptr);

    // Keeps selection and place.
    void setNode(const Node &node);
    void setSideBySide(bool isOn);
    void setSides(DiffSides sides);
    [[nodiscard]] QString unifiedDiff() const; // of the selected patch, with what is said about it

public Q_SLOTS:
    void selectPatch(const QByteArray &boot, quint64 seq);

Q_SIGNALS:
    void patchSelected(quint64 seq); // by a person; of the run that is shown
    void diffWanted(const QByteArray &boot, quint64 seq); // is shown, and not known yet

protected:
    void changeEvent(QEvent *event) override;

private:
    void buildTable();
    void buildPanes();
    [[nodiscard]] QCheckBox *toggle(const QString &text, const QString &tip);
    void arrange();
    void choose();
    void showDiff();
    void askForDiff(const PatchRecord &record);
    [[nodiscard]] const PatchRecord *selected() const;
    [[nodiscard]] DiffSides sides() const;
    [[nodiscard]] QList<SideLine> sideLines(const stream::Diff &diff) const;
    [[nodiscard]] QString troubleText(const PatchRecord &record) const;

    Node m_node;
    PatchModel m_patches;
    std::pair<QByteArray, quint64> m_asked; // whose diff was wanted last
    bool m_isFilling = false; // what is selected now is not a person's choice

    QTableView *m_table;
    QLabel *m_empty;
    QCheckBox *m_ours;
    QCheckBox *m_theirs;
    QCheckBox *m_beside;
    QToolButton *m_copy;
    QLabel *m_note;
    QPlainTextEdit *m_unified;
    DiffHighlighter *m_highlighter;
    SidePanes *m_panes;
    QStackedWidget *m_stack;
    QStackedWidget *m_views;
};

} // namespace firstwatch::ui
