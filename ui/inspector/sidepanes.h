// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/text/sidebyside.h"

#include <QWidget>

class QPlainTextEdit;

namespace firstwatch::ui {

// A text before and after, line beside line; both are scrolled together.
class SidePanes final : public QWidget {
    Q_OBJECT
public:
    explicit SidePanes(QWidget *parent = nullptr);
    void setLines(const QList<SideLine> &lines);

protected:
    void changeEvent(QEvent *event) override;

private:
    void paint();
    [[nodiscard]] QPlainTextEdit *pane(const QString &name);
    void colour(QPlainTextEdit *pane, SideLine::Side SideLine::*side, bool isLeft);

    QPlainTextEdit *m_left;
    QPlainTextEdit *m_right;
    QList<SideLine> m_lines;
};

} // namespace firstwatch::ui
