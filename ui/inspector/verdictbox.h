// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/timeline.h"

#include <QFrame>
#include <QLabel>

namespace firstwatch::ui {

// The first thing that the eye finds: was the watch proven before the first pass, and by how much.
class VerdictBox final : public QFrame {
    Q_OBJECT
public:
    explicit VerdictBox(QWidget *parent = nullptr);
    void setTimeline(const Timeline &timeline);

protected:
    void changeEvent(QEvent *event) override;

private:
    void colour();

    QLabel *m_margin;
    QLabel *m_verdict;
    QLabel *m_sentence;
    Timeline::Verdict m_is = Timeline::Verdict::NoPass;
};

} // namespace firstwatch::ui
