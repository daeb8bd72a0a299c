// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/mainwindow.h"

#include "ui/inspector/connectdialog.h"
#include "ui/inspector/demopage.h"
#include "ui/inspector/nodepage.h"
#include "ui/inspector/pictureexport.h"
#include "ui/inspector/startpage.h"
#include "ui/inspector/timelinepage.h"
#include "ui/inspector/timelineview.h"

#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QDir>
#include <QDragEnterEvent>
#include <QFile>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QListWidget>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>

namespace firstwatch::ui {
namespace {

constexpr int usualWidth = 1280;
constexpr int usualHeight = 800;

QString themeKey()
{
    return QStringLiteral("theme");
}
QString colourBlindKey()
{
    return QStringLiteral("colourBlind");
}
QString geometryKey()
{
    return QStringLiteral("window/geometry");
}
QString folderKey()
{
    return QStringLiteral("folder");
}

} // namespace

MainWindow::MainWindow(QWidget *parent)
    : QMainWindow(parent)
    , m_places(new QListWidget(this))
    , m_pages(new QStackedWidget(this))
    , m_node(new NodePage(this))
    , m_demo(new DemoPage(this))
{
    setWindowTitle(tr("Firstwatch"));
    setAcceptDrops(true);
    auto *start = new StartPage(this);
    connect(start, &StartPage::openAsked, this, &MainWindow::askForRecording);
    connect(start, &StartPage::connectAsked, this, &MainWindow::askForNode);
    connect(start, &StartPage::demoAsked, this, [this] {
        showPlace(Demo);
        m_demo->play();
    });
    addPlace(start, tr("Start"));
    addPlace(m_node, tr("Node"));
    addPlace(m_demo, tr("Demo"));
    m_places->item(NodePlace)->setFlags(Qt::NoItemFlags); // until there is one
    m_places->setFrameShape(QFrame::NoFrame);
    m_places->setAccessibleName(tr("Places"));
    m_places->setFixedWidth(fontMetrics().averageCharWidth() * 14);
    connect(m_places, &QListWidget::currentRowChanged, m_pages, &QStackedWidget::setCurrentIndex);
    auto *all = new QWidget(this);
    auto *line = new QHBoxLayout(all);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(0);
    line->addWidget(m_places);
    line->addWidget(m_pages, 1);
    setCentralWidget(all);
    fillFileMenu();
    fillViewMenu();
    fillHelpMenu();
    restore();
    showPlace(Start);
}

void MainWindow::addPlace(QWidget *page, const QString &name)
{
    m_pages->addWidget(page);
    auto *item = new QListWidgetItem(name, m_places);
    item->setSizeHint({ 0, fontMetrics().height() + 4 * grid });
}

void MainWindow::showPlace(Place place)
{
    m_places->setCurrentRow(place);
}

void MainWindow::fillFileMenu()
{
    QMenu *menu = menuBar()->addMenu(tr("&File"));
    menu->addAction(tr("&Open recording…"), QKeySequence::Open, this, &MainWindow::askForRecording);
    menu->addAction(tr("&Connect to a node…"), QKeySequence(Qt::CTRL | Qt::Key_L), this, &MainWindow::askForNode);
    menu->addSeparator();
    menu->addAction(tr("&Export timeline…"), QKeySequence(Qt::CTRL | Qt::Key_E), this, &MainWindow::exportPicture);
    menu->addSeparator();
    menu->addAction(tr("&Quit"), QKeySequence::Quit, this, &QWidget::close);
}

void MainWindow::fillViewMenu()
{
    QMenu *menu = menuBar()->addMenu(tr("&View"));
    m_themes = new QActionGroup(this);
    const std::initializer_list<std::pair<QString, Theme>> themes{ { tr("As the &desktop"), Theme::System },
        { tr("&Light"), Theme::Light }, { tr("D&ark"), Theme::Dark }, { tr("&High contrast"), Theme::HighContrast } };
    for (const auto &[name, theme] : themes) {
        QAction *action = menu->addAction(name, this, [this, theme = theme] { chooseTheme(theme); });
        action->setCheckable(true);
        action->setData(int(theme));
        m_themes->addAction(action);
    }
    menu->addSeparator();
    QAction *colours = menu->addAction(tr("&Colours for red-green blindness"), this, [](bool isOn) {
        setColourBlind(isOn);
        QSettings().setValue(colourBlindKey(), isOn);
        QApplication::setPalette(QApplication::palette());
    });
    colours->setCheckable(true);
    colours->setChecked(QSettings().value(colourBlindKey()).toBool());
    setColourBlind(colours->isChecked());
}

void MainWindow::fillHelpMenu()
{
    QMenu *menu = menuBar()->addMenu(tr("&Help"));
    menu->addAction(tr("&Keys"), QKeySequence(Qt::Key_F1), this, &MainWindow::showKeys);
    menu->addAction(tr("&Demo"), this, [this] {
        showPlace(Demo);
        m_demo->play();
    });
    menu->addSeparator();
    menu->addAction(tr("&About Firstwatch"), this, [this] {
        QMessageBox::about(this, tr("About Firstwatch"),
            tr("Firstwatch inspector %1. It shows what firstwatchd did on a node, and whether its watch was proven "
               "before the "
               "first pass. It only reads.")
                .arg(QStringLiteral(FIRSTWATCH_VERSION)));
    });
}

void MainWindow::showKeys()
{
    QMessageBox::information(this, tr("Keys"),
        tr("<table cellspacing=4><tr><td><b>Ctrl+O</b></td><td>open a recording</td></tr>"
           "<tr><td><b>Ctrl+L</b></td><td>connect to a node</td></tr>"
           "<tr><td><b>Ctrl+E</b></td><td>export the timeline</td></tr>"
           "<tr><td><b>+ − 0</b></td><td>zoom the timeline, show all of it</td></tr>"
           "<tr><td><b>← →</b></td><td>previous and next mark</td></tr>"
           "<tr><td><b>m</b></td><td>marker at the chosen mark; two show the time between them</td></tr>"
           "<tr><td><b>Esc</b></td><td>take range and markers away</td></tr>"
           "<tr><td><b>F1</b></td><td>this list</td></tr></table>"));
}

void MainWindow::open(const QString &path)
{
    m_places->item(NodePlace)->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
    m_node->setSession(std::make_unique<Session>(QFile::encodeName(path)));
    showPlace(NodePlace);
}

void MainWindow::connectTo(const stream::Endpoint &endpoint, const stream::Client::Options &options)
{
    m_places->item(NodePlace)->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
    m_node->setSession(std::make_unique<Session>(endpoint, options));
    showPlace(NodePlace);
}

void MainWindow::askForRecording()
{
    const QString folder = QSettings().value(folderKey()).toString();
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Open recording"), folder, tr("Recordings (*.fwz *.jsonl *.log);;All files (*)"));
    if (path.isEmpty())
        return;
    QSettings().setValue(folderKey(), QFileInfo(path).path());
    open(path);
}

void MainWindow::askForNode()
{
    ConnectDialog dialog(this);
    if (dialog.exec() == QDialog::Accepted)
        connectTo(dialog.endpoint(), dialog.options());
}

void MainWindow::exportPicture()
{
    if (m_node->session() == nullptr) {
        statusBar()->showMessage(tr("There is no timeline yet: open a recording or connect to a node."));
        return;
    }
    const QString path = QFileDialog::getSaveFileName(this, tr("Export timeline"), {}, tr("SVG (*.svg);;PNG (*.png)"));
    if (path.isEmpty())
        return;
    QString error;
    const bool isSaved = savePicture(m_node->timelinePage().view().timeline(), path, palette(), font(), error);
    statusBar()->showMessage(isSaved ? tr("Saved as %1.").arg(path) : tr("%1 was not saved: %2.").arg(path, error));
}

void MainWindow::chooseTheme(Theme theme)
{
    useTheme(theme);
    QSettings().setValue(themeKey(), int(theme));
}

void MainWindow::restore()
{
    const int theme = QSettings().value(themeKey(), int(Theme::System)).toInt();
    for (QAction *action : m_themes->actions()) {
        if (action->data().toInt() == theme)
            action->trigger();
    }
    if (!restoreGeometry(QSettings().value(geometryKey()).toByteArray()))
        resize(usualWidth, usualHeight);
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    QSettings().setValue(geometryKey(), saveGeometry());
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event)
{
    if (event->mimeData()->hasUrls() && event->mimeData()->urls().first().isLocalFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent *event)
{
    event->acceptProposedAction();
    open(event->mimeData()->urls().first().toLocalFile());
}

} // namespace firstwatch::ui
