// SPDX-License-Identifier: Apache-2.0
#include "node.h"
#include "ui/inspector/demopage.h"
#include "ui/inspector/eventspage.h"
#include "ui/inspector/mainwindow.h"
#include "ui/inspector/nodepage.h"
#include "ui/inspector/pictureexport.h"
#include "ui/inspector/timelinepage.h"
#include "ui/inspector/timelineview.h"
#include "ui/session/recording.h"

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QFontDatabase>
#include <QLabel>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

using namespace firstwatch;
using namespace firstwatch::ui;

namespace {

constexpr char calico[] = R"({"cniVersion": "0.3.1", "name": "k8s", "plugins": [{"type": "calico"}]})";

QString pathOf(const char *name)
{
    return QLatin1String(name); // below the source tree, where the test works
}

// Everything that can be read on a widget and below it, in no order.
QString textOn(const QWidget &widget)
{
    QStringList texts;
    for (const QLabel *label : widget.findChildren<QLabel *>()) {
        if (label->isVisibleTo(&widget))
            texts += label->text();
    }
    return texts.join(u'\n');
}

// How many pixels of a column stripe are nearer to red than to anything else.
bool isReddish(QRgb pixel)
{
    return qRed(pixel) > qGreen(pixel) + 40 && qRed(pixel) > qBlue(pixel) + 40;
}

// With FIRSTWATCH_SHOTS=DIR every state that a test looks at is kept there as a picture, to be looked at by people.
void keep(QWidget &widget, const QString &name)
{
    const QString folder = qEnvironmentVariable("FIRSTWATCH_SHOTS");
    if (!folder.isEmpty())
        QVERIFY(widget.grab().save(folder + u'/' + name + QStringLiteral(".png")));
}

} // namespace

class TestInspectorWindow : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void init();
    void everyStateCanBeSeen_data();
    void everyStateCanBeSeen();
    void oneLookSaysThatTheRaceWasLost();
    void oneLookSaysThatTheWatchWasProven();
    void everyWidgetCanBeReachedAndHasAName();
    void zoomKeepsTheMomentUnderThePointer();
    void arrowKeysGoFromMarkToMark();
    void aDragSelectsARangeAndEscTakesItAway();
    void aMarkAndItsRowAreOneThing();
    void theTimelineIsExported_data();
    void theTimelineIsExported();
    void settingsAreKept();
    void aLiveNodeIsFollowedAndItsLossIsSaid();

private:
    QTemporaryDir m_home;
};

void TestInspectorWindow::initTestCase()
{
    QVERIFY2(!QFontDatabase::families().isEmpty(),
        "no font is installed, so nothing can be read: install fonts-dejavu-core");
    QVERIFY(QDir::setCurrent(QStringLiteral(FIRSTWATCH_SOURCE_DIR)));
    QCoreApplication::setOrganizationName(QStringLiteral("firstwatch-test"));
    QCoreApplication::setApplicationName(QStringLiteral("inspector"));
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_home.path());
}

void TestInspectorWindow::init()
{
    QSettings().clear();
    useTheme(Theme::Light);
}

void TestInspectorWindow::everyStateCanBeSeen_data()
{
    QTest::addColumn<QString>("recording");
    QTest::addColumn<QString>("word");
    QTest::addColumn<QString>("says");
    const auto row = [](const char *name, const char *recording, const char *word, const char *says) {
        QTest::newRow(name) << pathOf(recording) << QString::fromLatin1(word) << QString::fromUtf8(says);
    };
    row("ok", "tests/data/captures/usual.fwz", "OK", "every eligible config has the plugin");
    row("blind", "tests/data/captures/blind.jsonl", "BLIND", "No proven watch");
    row("drift", "tests/data/captures/drift.jsonl", "DRIFT", "start without");
    row("polling", "tests/data/captures/polling.jsonl", "DEGRADED", "fallback");
    row("stopped", "tests/data/captures/stopped.jsonl", "STOPPED", "Ended cleanly");
    row("race", "app/firstwatch/data/race-seed.jsonl", "", "");
    row("not there", "tests/data/captures/none.fwz", "UNREACHABLE", "cannot be shown");
    row("not a recording", "README.md", "UNREACHABLE", "is an event of Firstwatch");
}

void TestInspectorWindow::everyStateCanBeSeen()
{
    QFETCH(const QString, recording);
    QFETCH(const QString, word);
    QFETCH(const QString, says);
    for (const auto &[themeName, theme] : { std::pair("light", Theme::Light), std::pair("dark", Theme::Dark) }) {
        MainWindow window;
        useTheme(theme);
        window.show();
        window.open(recording);
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        const QString text = textOn(window.nodePage());
        QVERIFY2(text.contains(word), qPrintable(text));
        QVERIFY2(text.contains(says), qPrintable(text));
        const QString name =
            QString::fromLatin1(QTest::currentDataTag()).replace(u' ', u'-') + u'-' + QLatin1String(themeName);
        for (int tab = 0; tab < window.nodePage().findChild<QTabWidget *>()->count(); ++tab) {
            window.nodePage().findChild<QTabWidget *>()->setCurrentIndex(tab);
            keep(window, QStringLiteral("node-%1-%2").arg(tab).arg(name));
        }
    }
}

// The verdict, its sign, and a red part of at least a fifth of the width.
void TestInspectorWindow::oneLookSaysThatTheRaceWasLost()
{
    MainWindow window;
    window.resize(1280, 800);
    window.show();
    window.open(pathOf("app/firstwatch/data/race-seed.jsonl"));
    window.nodePage().showTab(NodePage::Timeline);
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    const QString text = textOn(window.nodePage().timelinePage());
    QVERIFY2(text.contains(QStringLiteral("Ready margin -211 ms")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("✘ NOT PROVEN")), qPrintable(text));
    QWidget *lanes = window.nodePage().timelinePage().view().viewport();
    const QImage seen = lanes->grab().toImage();
    int red = 0;
    const int y = seen.height() - 1 - seen.height() / 3;
    const int row = std::min(y, int(window.nodePage().timelinePage().view().geometryOfChart().lanes().bottom()) - 8);
    for (int x = 0; x < seen.width(); ++x)
        red += isReddish(seen.pixel(x, row)) ? 1 : 0;
    QVERIFY2(red * 5 >= window.width(), qPrintable(QStringLiteral("%1 of %2").arg(red).arg(window.width())));
    keep(window, QStringLiteral("one-look-race"));
}

void TestInspectorWindow::oneLookSaysThatTheWatchWasProven()
{
    MainWindow window;
    window.resize(1280, 800);
    window.show();
    window.open(pathOf("app/firstwatch/data/race-firstwatch.jsonl"));
    window.nodePage().showTab(NodePage::Timeline);
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    const QString text = textOn(window.nodePage().timelinePage());
    QVERIFY2(text.contains(QStringLiteral("Ready margin +16.8 ms")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("✔ PROVEN")), qPrintable(text));
    for (const TimelineGeometry::BlindBox &blind : window.nodePage().timelinePage().view().geometryOfChart().blind())
        QVERIFY(blind.exposed.isNull());
    keep(window, QStringLiteral("one-look-proven"));
}

void TestInspectorWindow::everyWidgetCanBeReachedAndHasAName()
{
    MainWindow window;
    window.open(pathOf("tests/data/captures/drift.jsonl"));
    window.show();
    for (const QWidget *widget : window.findChildren<QWidget *>()) {
        const bool isFocusable =
            widget->focusPolicy() != Qt::NoFocus && !widget->objectName().startsWith(QLatin1String("qt_"));
        if (!isFocusable || qobject_cast<const QLabel *>(widget) != nullptr)
            continue;
        const auto *button = qobject_cast<const QAbstractButton *>(widget);
        const bool hasName = !widget->accessibleName().isEmpty() || (button != nullptr && !button->text().isEmpty())
            || widget->parentWidget()->focusProxy() == widget || widget->inherits("QComboBoxListView")
            || qobject_cast<const QTabWidget *>(widget->parentWidget());
        QVERIFY2(hasName, widget->metaObject()->className());
    }
}

void TestInspectorWindow::zoomKeepsTheMomentUnderThePointer()
{
    TimelineView view;
    view.resize(1000, 300);
    view.setTimeline(timelineOf(embeddedRun("race-seed.jsonl")));
    view.show();
    const auto momentAt = [&](double x) {
        // The names take what the chart does not.
        const double left = view.viewport()->width() - view.geometryOfChart().metrics().width / view.zoom();
        return view.geometryOfChart().scale().at(x - left + view.horizontalScrollBar()->value());
    };
    const qint64 before = momentAt(400);
    for (int i = 0; i < 8; ++i)
        view.zoomBy(1.25, 400);
    QVERIFY(view.zoom() > 5);
    const auto pixelNs = qint64(view.geometryOfChart().scale().nsPerUnit());
    QVERIFY2(std::abs(momentAt(400) - before) < 40 * pixelNs,
        qPrintable(QString::number((momentAt(400) - before) / pixelNs)));
    view.zoomToFit();
    QCOMPARE(view.zoom(), 1.0);
    view.zoomBy(0.5, 400);
    QCOMPARE(view.zoom(), 1.0); // there is nothing outside
}

void TestInspectorWindow::arrowKeysGoFromMarkToMark()
{
    TimelineView view;
    view.resize(1000, 300);
    view.setTimeline(timelineOf(embeddedRun("race-firstwatch.jsonl")));
    view.show();
    QSignalSpy chosen(&view, &TimelineView::selectedChanged);
    QTest::keyClick(&view, Qt::Key_Right);
    QCOMPARE(chosen.size(), 1);
    const quint64 first = view.selected();
    QVERIFY(first != 0);
    QTest::keyClick(&view, Qt::Key_Right);
    QVERIFY(view.selected() != first);
    QTest::keyClick(&view, Qt::Key_Left);
    QCOMPARE(view.selected(), first);
    QTest::keyClick(&view, Qt::Key_Left);
    QCOMPARE(view.selected(), first);
}

void TestInspectorWindow::aDragSelectsARangeAndEscTakesItAway()
{
    TimelineView view;
    view.resize(1000, 300);
    view.setTimeline(timelineOf(embeddedRun("race-seed.jsonl")));
    view.show();
    QSignalSpy selected(&view, &TimelineView::rangeSelected);
    QSignalSpy cleared(&view, &TimelineView::rangeCleared);
    QTest::mousePress(view.viewport(), Qt::LeftButton, {}, { 400, 10 });
    QTest::mouseMove(view.viewport(), { 600, 10 });
    QTest::mouseRelease(view.viewport(), Qt::LeftButton, {}, { 600, 10 });
    QCOMPARE(selected.size(), 1);
    QVERIFY(selected.first()[0].toLongLong() < selected.first()[1].toLongLong());
    QTest::keyClick(&view, Qt::Key_Escape);
    QCOMPARE(cleared.size(), 1);
}

void TestInspectorWindow::aMarkAndItsRowAreOneThing()
{
    MainWindow window;
    window.show();
    window.open(pathOf("tests/data/captures/usual.fwz"));
    window.nodePage().showTab(NodePage::Timeline);
    TimelineView &lanes = window.nodePage().timelinePage().view();
    auto *rows = window.nodePage().timelinePage().findChild<EventsPage *>();
    QVERIFY(rows != nullptr);
    QTest::keyClick(&lanes, Qt::Key_Right);
    QVERIFY(lanes.selected() != 0);
    QCOMPARE(rows->selectedEvents().size(), 1);
    QCOMPARE(rows->selectedEvents().first().seq, lanes.selected());
    const quint64 before = lanes.selected();
    QTest::keyClick(rows->findChild<QTableView *>(), Qt::Key_Down);
    QVERIFY(lanes.selected() != before);
    QCOMPARE(rows->selectedEvents().first().seq, lanes.selected());
}

void TestInspectorWindow::theTimelineIsExported_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("begins");
    QTest::newRow("svg") << QStringLiteral("race.svg") << QByteArray("<?xml");
    QTest::newRow("png") << QStringLiteral("race.png") << QByteArray("\x89PNG");
    QTest::newRow("no such folder") << QStringLiteral("none/race.svg") << QByteArray();
}

void TestInspectorWindow::theTimelineIsExported()
{
    QFETCH(const QString, name);
    QFETCH(const QByteArray, begins);
    const QTemporaryDir folder;
    const Timeline timeline = timelineOf(embeddedRun("race-seed.jsonl"));
    QString error;
    const bool isSaved =
        savePicture(timeline, folder.filePath(name), QApplication::palette(), QApplication::font(), error);
    QCOMPARE(isSaved, !begins.isEmpty());
    QCOMPARE(error.isEmpty(), isSaved);
    QFile file(folder.filePath(name));
    if (file.open(QIODevice::ReadOnly))
        QVERIFY(file.readAll().startsWith(begins));
}

void TestInspectorWindow::settingsAreKept()
{
    {
        MainWindow window;
        for (QAction *action : window.findChildren<QAction *>()) {
            if (action->text() == QStringLiteral("D&ark"))
                action->trigger();
        }
        window.resize(900, 700);
        window.show();
        window.close();
    }
    useTheme(Theme::Light);
    MainWindow again;
    QVERIFY(isDark(QApplication::palette()));
    QCOMPARE(again.size(), QSize(900, 700));
}

// A true service: followed, killed, and followed again in its next run. What was known stays, and its age is said.
void TestInspectorWindow::aLiveNodeIsFollowedAndItsLossIsSaid()
{
    test::Node node;
    QVERIFY(node.startReady("10-calico.conflist", calico));
    MainWindow window;
    window.show();
    stream::Endpoint endpoint;
    endpoint.path = QFile::decodeName(node.path("run/stream.sock"));
    stream::Client::Options options;
    options.firstRetryMs = 100;
    options.longestRetryMs = 200;
    window.connectTo(endpoint, options);
    const NodePage &page = window.nodePage();
    QTRY_VERIFY2_WITH_TIMEOUT(
        textOn(page).contains(QStringLiteral("every eligible config")), qPrintable(textOn(page)), 20'000);
    QVERIFY(page.session()->link() == Session::Link::Live);
    const QByteArray boot = page.session()->node().view.boot;
    keep(window, QStringLiteral("live"));

    node.crash();
    QTRY_VERIFY2_WITH_TIMEOUT(textOn(page).contains(QStringLiteral("lost")), qPrintable(textOn(page)), 20'000);
    QVERIFY(textOn(page).contains(QStringLiteral("every eligible config")));
    keep(window, QStringLiteral("lost"));

    node.start();
    QTRY_VERIFY_WITH_TIMEOUT(
        page.session()->link() == Session::Link::Live && page.session()->node().view.boot != boot, 20'000);
    QTRY_VERIFY(!textOn(page).contains(QStringLiteral("lost")));
}

QTEST_MAIN(TestInspectorWindow)
#include "tst_inspector_window.moc"
