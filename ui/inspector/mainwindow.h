// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/inspector/theme.h"
#include "ui/session/session.h"

#include <QMainWindow>

class QActionGroup;
class QListWidget;
class QStackedWidget;

namespace firstwatch::ui {

class DemoPage;
class NodePage;

// The window: places at the left, and what is chosen at the right. Settings and its place on the screen are kept.
class MainWindow final : public QMainWindow {
    Q_OBJECT
public:
    enum Place { Start, NodePlace, Demo };

    explicit MainWindow(QWidget *parent = nullptr);

    void open(const QString &path); // a recording
    void connectTo(const stream::Endpoint &endpoint, const stream::Client::Options &options);
    void showPlace(Place place);
    [[nodiscard]] NodePage &nodePage() { return *m_node; }
    [[nodiscard]] DemoPage &demoPage() { return *m_demo; }

protected:
    void closeEvent(QCloseEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;

private:
    void addPlace(QWidget *page, const QString &name);
    void fillFileMenu();
    void fillViewMenu();
    void fillHelpMenu();
    void askForRecording();
    void askForNode();
    void exportPicture();
    void chooseTheme(Theme theme);
    void restore();
    void showKeys();

    QListWidget *m_places;
    QStackedWidget *m_pages;
    NodePage *m_node;
    DemoPage *m_demo;
    QActionGroup *m_themes = nullptr;
};

} // namespace firstwatch::ui
