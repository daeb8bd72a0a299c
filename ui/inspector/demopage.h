// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/timeline.h"

#include <QTimeLine>
#include <QWidget>

class QPushButton;

namespace firstwatch::ui {

class TimelineView;

// The recorded seed race and the same schedule under Firstwatch, above each other on their own clocks, offline.
class DemoPage final : public QWidget {
    Q_OBJECT
public:
    explicit DemoPage(QWidget *parent = nullptr);
    void play(); // both, once, in demoMs
    void showAll(); // as they ended

    static constexpr int demoMs = 12'000;

private:
    struct Race {
        Timeline timeline;
        TimelineView *view;
    };
    [[nodiscard]] Race addRace(const QString &title, const char *recording);
    void showUntil(double part);

    QList<Race> m_races;
    QTimeLine m_clock;
    QPushButton *m_play;
};

} // namespace firstwatch::ui
