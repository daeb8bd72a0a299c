// SPDX-License-Identifier: Apache-2.0
#include "manyevents.h"
#include "pages.h"
#include "recorded.h"
#include "ui/inspector/eventspage.h"
#include "ui/inspector/theme.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include <memory>

using namespace firstwatch;
using namespace firstwatch::ui;

namespace {

Node liveNode(int count)
{
    Node node;
    node.source = QStringLiteral("/run/firstwatch/stream.sock");
    node.isLive = true;
    node.events = test::manyEvents(count);
    node.view.boot = node.events.last().boot;
    node.nowUs = node.events.last().wallUs;
    return node;
}

} // namespace

class TestEventsPage final : public QObject {
    Q_OBJECT

    std::unique_ptr<EventsPage> m_page;

    void open(const Node &node)
    {
        m_page->setNode(node);
        m_page->resize(1000, 400);
        m_page->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
    }
    [[nodiscard]] QTableView *table() const { return m_page->findChild<QTableView *>(); }
    [[nodiscard]] QLineEdit *field() const { return m_page->findChild<QLineEdit *>(); }
    [[nodiscard]] int shown() const { return table()->model()->rowCount(); }
    [[nodiscard]] bool isAtBottom() const
    {
        return table()->verticalScrollBar()->value() == table()->verticalScrollBar()->maximum();
    }
    [[nodiscard]] QString labelled(const QString &name) const
    {
        for (const QLabel *label : m_page->findChildren<QLabel *>()) {
            if (label->accessibleName() == name)
                return label->text();
        }
        return {};
    }

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(test::hasFonts());
        useTheme(Theme::Light);
    }
    void init() { m_page = std::make_unique<EventsPage>(); }
    void cleanup() { m_page.reset(); }

    void everythingIsReachedByKey()
    {
        open(liveNode(10));
        m_page->setRange(0, 10'000'000);
        QCOMPARE(test::nameless(*m_page), QStringList());
        QCOMPARE(test::tabOrder(*m_page),
            (QStringList{ QStringLiteral("Events"), QStringLiteral("Follow new events"),
                QStringLiteral("Copy events in one of several forms"), QStringLiteral("Filter"),
                QStringLiteral("Stretch of time that is shown. Press to show all.") }));
    }

    // The error says where, and what had been chosen before goes on holding.
    void aWrongFilterSaysWhere()
    {
        open(test::recordedNode("usual.jsonl"));
        m_page->setFilterText(QStringLiteral("kind:patch"));
        const int before = shown();
        QVERIFY(before > 0 && before < 29);
        m_page->setFilterText(QStringLiteral("kind:patch state:odd"));
        QVERIFY(labelled(QStringLiteral("What is wrong with the filter"))
                    .startsWith(QStringLiteral("Character 18: 'odd'")));
        QCOMPARE(shown(), before);
        m_page->setFilterText({});
        QCOMPARE(labelled(QStringLiteral("What is wrong with the filter")), QString());
        QCOMPARE(shown(), 29);
    }

    void whatComesIsFollowed()
    {
        open(liveNode(100));
        QVERIFY(isAtBottom());
        m_page->setNode(liveNode(150));
        QVERIFY(isAtBottom());
        QVERIFY(m_page->isFollowing());
    }

    // Choosing a row is reading it: it does not move away.
    void choosingPauses()
    {
        open(liveNode(100));
        QSignalSpy selected(m_page.get(), &EventsPage::eventSelected);
        table()->selectRow(97);
        QCOMPARE(selected.takeFirst().first().toULongLong(), 98ULL);
        QVERIFY(!m_page->isFollowing());
        QCOMPARE(labelled(QStringLiteral("Whether new events are followed")), QStringLiteral("Paused."));
        const int place = table()->verticalScrollBar()->value();
        m_page->setNode(liveNode(106));
        QCOMPARE(table()->verticalScrollBar()->value(), place);
        QCOMPARE(table()->currentIndex().row(), 97);
        QCOMPARE(
            labelled(QStringLiteral("Whether new events are followed")), QStringLiteral("Paused. 6 new event(s)."));
        table()->setFocus();
        QTest::keyClick(table(), Qt::Key_Space);
        QVERIFY(m_page->isFollowing());
        QVERIFY(isAtBottom());
        QTest::keyClick(table(), Qt::Key_Space);
        QVERIFY(!m_page->isFollowing());
    }

    // Whatever the table begins anew for, the same events stay chosen.
    void theSelectionStays_data()
    {
        QTest::addColumn<QString>("filter");
        QTest::addColumn<int>("column");
        QTest::newRow("a filter") << "kind:patch" << int(EventModel::Seq);
        QTest::newRow("a word") << "repatch" << int(EventModel::Seq);
        QTest::newRow("another order") << "" << int(EventModel::File);
    }
    void theSelectionStays()
    {
        QFETCH(QString, filter);
        QFETCH(int, column);
        open(liveNode(1'000));
        table()->selectRow(501);
        QSignalSpy selected(m_page.get(), &EventsPage::eventSelected);
        const QList<journal::Event> before = m_page->selectedEvents();
        QCOMPARE(before.size(), 1);
        m_page->setFilterText(filter);
        table()->sortByColumn(column, Qt::DescendingOrder);
        QCOMPARE(m_page->selectedEvents(), before);
        m_page->setFilterText({});
        m_page->setNode(liveNode(1'010));
        QCOMPARE(m_page->selectedEvents(), before);
        QCOMPARE(selected.size(), 0);
    }

    void escapeTakesAwayOneAfterTheOther()
    {
        open(liveNode(20));
        m_page->setFilterText(QStringLiteral("kind:patch"));
        m_page->setRange(0, 10'000'000);
        table()->setFocus();
        QSignalSpy cleared(m_page.get(), &EventsPage::rangeCleared);
        QCOMPARE(shown(), 3);
        QTest::keyClick(table(), Qt::Key_Escape);
        QCOMPARE(cleared.size(), 1);
        QCOMPARE(shown(), 10);
        field()->setFocus();
        QTest::keyClick(field(), Qt::Key_Escape);
        QCOMPARE(shown(), 20);
        table()->selectRow(3);
        QTest::keyClick(table(), Qt::Key_Escape);
        QVERIFY(m_page->selectedEvents().isEmpty());
    }

    void aMarkChosenElsewhereIsChosenHere()
    {
        open(liveNode(500));
        QSignalSpy selected(m_page.get(), &EventsPage::eventSelected);
        m_page->selectEvent(42);
        QCOMPARE(m_page->selectedEvents().value(0).seq, 42ULL);
        QVERIFY(table()->visualRect(table()->model()->index(41, 0)).isValid());
        QVERIFY(!m_page->isFollowing());
        m_page->selectEvent(9'999);
        QVERIFY(m_page->selectedEvents().isEmpty());
        QCOMPARE(selected.size(), 0);
    }

    void copies_data()
    {
        QTest::addColumn<CopyForm>("form");
        QTest::addColumn<QString>("beginning");
        QTest::newRow("text") << CopyForm::Text << "2026-11-30 18:49:06.288 watch.proven       after 12 µs by chmod\n";
        QTest::newRow("json") << CopyForm::Json
                              << "{\n    \"events\": [\n        {\n            \"boot\": \"6310d0e3a2e44b21\"";
        QTest::newRow("markdown") << CopyForm::Markdown
                                  << "| Seq | Time | Kind | File | Detail |\n| --: | --- | --- | --- | --- |\n"
                                     "| 3 | 2026-11-30T18:49:06.288494Z | watch.proven |  | after 12 µs by chmod |\n";
        QTest::newRow("command") << CopyForm::Command << "firstwatch events --from usual.jsonl --filter kind:watch";
    }
    void copies()
    {
        QFETCH(CopyForm, form);
        QFETCH(QString, beginning);
        open(test::recordedNode("usual.jsonl"));
        m_page->setFilterText(QStringLiteral("kind:watch"));
        table()->selectRow(1);
        const QString copied = m_page->copied(form);
        QVERIFY2(copied.startsWith(beginning), qPrintable(copied));
    }

    void copiesByKey()
    {
        open(test::recordedNode("usual.jsonl"));
        table()->setFocus();
        table()->selectRow(2);
        QTest::keyClick(table(), Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), m_page->copied(CopyForm::Text));
        QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("watch.proven")));
    }

    void emptyStatesAreWords_data()
    {
        QTest::addColumn<QString>("trouble");
        QTest::addColumn<bool>("hasEvents");
        QTest::addColumn<QString>("text");
        QTest::newRow("none yet") << "" << false << "No event is known of this node yet.";
        QTest::newRow("not reached") << "Connection refused" << false << "This node could not be reached";
        QTest::newRow("all filtered") << "" << true << "No event is taken by this filter.";
    }
    void emptyStatesAreWords()
    {
        QFETCH(QString, trouble);
        QFETCH(bool, hasEvents);
        QFETCH(QString, text);
        Node node = hasEvents ? liveNode(3) : Node();
        node.trouble = trouble;
        open(node);
        m_page->setFilterText(hasEvents ? QStringLiteral("nowhere") : QString());
        QVERIFY(!table()->isVisible());
        QVERIFY2(labelled(QStringLiteral("Why no event is shown")).startsWith(text),
            qPrintable(labelled(QStringLiteral("Why no event is shown"))));
    }

    // Every event is drawn in less than a frame, whatever their number: only the rows in view are asked for.
    void pictures_data()
    {
        QTest::addColumn<int>("theme");
        QTest::newRow("light") << int(Theme::Light);
        QTest::newRow("dark") << int(Theme::Dark);
    }
    void pictures()
    {
        QFETCH(int, theme);
        const QString suffix = QStringLiteral("-%1-%2")
                                   .arg(QString::fromLatin1(QTest::currentDataTag()))
                                   .arg(qRound(m_page->devicePixelRatioF() * 100));
        useTheme(Theme(theme));
        Node node = test::recordedNode("stopped.jsonl");
        node.gaps = { { 19, 20, QStringLiteral("evicted") } };
        open(node);
        m_page->resize(1280, 640);
        table()->scrollToTop();
        table()->selectRow(6);
        test::shoot(*m_page, QString(QStringLiteral("events") + suffix));
        m_page->setFilterText(QStringLiteral("kind:patch state:odd"));
        m_page->setRange(800'000, 40'000'000);
        test::shoot(*m_page, QString(QStringLiteral("events-error") + suffix));
        m_page->clearRange();
        m_page->setFilterText(QStringLiteral("nowhere"));
        test::shoot(*m_page, QString(QStringLiteral("events-none") + suffix));
        m_page->setFilterText({});
        m_page->setNode(liveNode(60));
        table()->selectRow(50);
        m_page->setNode(liveNode(66));
        test::shoot(*m_page, QString(QStringLiteral("events-paused") + suffix));
        useTheme(Theme::Light);
    }
};

QTEST_MAIN(TestEventsPage)
#include "tst_eventspage.moc"
