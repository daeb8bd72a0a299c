// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/text/node.h"
#include "ui/timeline/timeline.h"

#include <QImage>
#include <QWidget>

class QLabel;
class QSplitter;

namespace firstwatch::ui {

class TimelineView;
class VerdictBox;

// The race of one run: the verdict, the lanes, and what there is to read of them. Something to show below the lanes can
// be added.
class TimelinePage final : public QWidget {
    Q_OBJECT
public:
    explicit TimelinePage(QWidget *parent = nullptr);
    void setNode(const Node &node);
    void setTimeline(const Timeline &timeline);
    // Takes ownership.
    void addBelow(QWidget *widget);

    [[nodiscard]] TimelineView &view() { return *m_view; }

private:
    VerdictBox *m_verdict;
    TimelineView *m_view;
    QLabel *m_band; // of the blind window, in words
    QSplitter *m_parts;
    QByteArray m_boot; // what is shown, so that the lanes are not made anew each second
    quint64 m_seq = 0;
};

} // namespace firstwatch::ui
