// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/session/session.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QTabWidget;

namespace firstwatch::ui {

class EventsPage;
class OverviewPage;
class PatchesPage;
class TimelinePage;

// One node in tabs, under a banner that says how fresh it is: a recording cannot be taken for a live node.
class NodePage final : public QWidget {
    Q_OBJECT
public:
    enum Tab { Overview, Timeline, Patches, Events };

    explicit NodePage(QWidget *parent = nullptr);
    // Shows this from now on; the page owns it.
    void setSession(std::unique_ptr<Session> session);
    [[nodiscard]] const Session *session() const { return m_session.get(); }
    void showTab(Tab tab);
    [[nodiscard]] TimelinePage &timelinePage() { return *m_timeline; }

protected:
    void changeEvent(QEvent *event) override;

private:
    void tieTogether();
    void refresh();
    void showBanner();
    void showRuns();

    std::unique_ptr<Session> m_session;
    QLabel *m_banner;
    QLabel *m_title;
    QComboBox *m_runs;
    QTabWidget *m_tabs;
    OverviewPage *m_overview;
    TimelinePage *m_timeline;
    EventsPage *m_moments; // below the lanes
    PatchesPage *m_patches;
    EventsPage *m_events;
};

} // namespace firstwatch::ui
