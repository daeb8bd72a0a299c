// SPDX-License-Identifier: Apache-2.0
#include "manyevents.h"
#include "recorded.h"
#include "ui/filter/matcher.h"
#include "ui/models/eventmodel.h"
#include "ui/text/events.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include <malloc.h>

using namespace firstwatch;
using namespace firstwatch::ui;

namespace {

QString cell(const EventModel &model, int row, int column)
{
    return model.index(row, column).data().toString();
}

// "event", "gap" or "run", one a row.
QStringList typesOf(const EventModel &model)
{
    QStringList types;
    for (int row = 0; row < model.rowCount(); ++row) {
        const EventRow &each = model.row(row);
        types += each.type == EventRow::Type::Event ? QString::number(each.event.seq)
            : each.type == EventRow::Type::Gap      ? QStringLiteral("gap")
                                                    : QStringLiteral("run");
    }
    return types;
}

journal::Event eventOf(const char *boot, quint64 seq)
{
    journal::Event event;
    event.boot = boot;
    event.seq = seq;
    event.tNs = qint64(seq) * 1'000'000;
    event.wallUs = 1'780'000'000'000'000 + qint64(seq) * 1'000;
    return event;
}

// "a1 a2 b1": events of runs by their seq.
QList<journal::Event> eventsOf(const QString &text)
{
    QList<journal::Event> events;
    for (const QString &word : text.split(u' ', Qt::SkipEmptyParts))
        events.append(eventOf(word.left(1).toUtf8().constData(), word.mid(1).toULongLong()));
    return events;
}

// "3-5 9-9"
QList<stream::Manifest::Gap> gapsOf(const QString &text)
{
    QList<stream::Manifest::Gap> gaps;
    for (const QString &word : text.split(u' ', Qt::SkipEmptyParts))
        gaps.append(
            { word.section(u'-', 0, 0).toULongLong(), word.section(u'-', 1).toULongLong(), QStringLiteral("evicted") });
    return gaps;
}

Node nodeOf(const QString &events, const QString &gaps = {})
{
    Node node;
    node.events = eventsOf(events);
    node.gaps = gapsOf(gaps);
    return node;
}

} // namespace

class TestEventModel final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cells_data()
    {
        QTest::addColumn<int>("row");
        QTest::addColumn<int>("column");
        QTest::addColumn<QString>("text");
        QTest::newRow("seq") << 0 << int(EventModel::Seq) << "1";
        QTest::newRow("zero") << 0 << int(EventModel::Time) << "+0 µs";
        QTest::newRow("since the start") << 2 << int(EventModel::Time) << "+1.06 ms";
        QTest::newRow("kind") << 2 << int(EventModel::Kind) << "watch.proven";
        QTest::newRow("no file") << 2 << int(EventModel::File) << "";
        QTest::newRow("detail") << 2 << int(EventModel::Detail) << "after 12 µs by chmod";
        QTest::newRow("file") << 5 << int(EventModel::File) << "ZZZ-linkerd-cni-kubeconfig";
        QTest::newRow("detail without the file") << 5 << int(EventModel::Detail) << "mode 600";
    }
    void cells()
    {
        QFETCH(int, row);
        QFETCH(int, column);
        EventModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setNode(test::recordedNode("usual.jsonl"));
        QTEST(cell(model, row, column), "text");
    }

    // A patch says what had found its file changed.
    void patchesSayWhatFoundThem()
    {
        EventModel model;
        model.setNode(test::recordedNode("stopped.jsonl"));
        QStringList via;
        for (int row = 0; row < model.rowCount(); ++row) {
            if (model.row(row).event.kind == journal::Kind::PatchApplied)
                via += cell(model, row, EventModel::Via);
        }
        QCOMPARE(via.join(u' '), QStringLiteral("pass pass event event"));
    }

    void wallTimeIsTheTooltip()
    {
        EventModel model;
        model.setNode(test::recordedNode("usual.jsonl"));
        const QString tip = model.index(3, EventModel::Time).data(Qt::ToolTipRole).toString();
        QVERIFY2(tip.contains(QStringLiteral("2026-11-30T18:49:06.288770Z")), qPrintable(tip));
        QVERIFY2(tip.contains(QStringLiteral("+0.28 ms since the watch was proven")), qPrintable(tip));
    }

    void rows_data()
    {
        QTest::addColumn<QString>("events");
        QTest::addColumn<QString>("gaps");
        QTest::addColumn<QString>("rows");
        QTest::newRow("one run") << "a1 a2"
                                 << ""
                                 << "1 2";
        QTest::newRow("two runs") << "a1 a2 b1"
                                  << ""
                                  << "1 2 run 1";
        QTest::newRow("three runs") << "a1 b1 c1"
                                    << ""
                                    << "1 run 1 run 1";
        QTest::newRow("a gap") << "a1 a2 a6"
                               << "3-5"
                               << "1 2 gap 6";
        QTest::newRow("a gap of the last run") << "a1 a2 a6 b1 b6"
                                               << "3-5"
                                               << "1 2 6 run 1 gap 6";
        QTest::newRow("a gap at the start") << "a6"
                                            << "1-5"
                                            << "gap 6";
        QTest::newRow("two gaps") << "a1 a3 a5"
                                  << "2-2 4-4"
                                  << "1 gap 3 gap 5";
        QTest::newRow("two gaps, one place") << "a1 a5"
                                             << "2-3 4-4"
                                             << "1 gap gap 5";
        QTest::newRow("nothing behind it yet") << "a1"
                                               << "2-3"
                                               << "1";
        QTest::newRow("in the log only") << "a1 x0 a2"
                                         << ""
                                         << "1 0 2";
    }
    void rows()
    {
        QFETCH(QString, events);
        QFETCH(QString, gaps);
        EventModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setNode(nodeOf(events, gaps));
        QTEST(typesOf(model).join(u' '), "rows");
    }

    void gapsAndRunsSayWhatTheyAre()
    {
        EventModel model;
        model.setNode(nodeOf(QStringLiteral("a1 b1 b6"), QStringLiteral("2-5")));
        QCOMPARE(cell(model, 3, EventModel::Detail), QStringLiteral("4 event(s) were not received, 2 to 5: evicted."));
        QVERIFY(cell(model, 1, EventModel::Detail).contains(QStringLiteral("boot b")));
        QCOMPARE(cell(model, 3, EventModel::Seq), QString());
    }

    // What goes on is appended; what does not begins anew.
    void goesOn_data()
    {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("gapsBefore");
        QTest::addColumn<QString>("after");
        QTest::addColumn<QString>("gapsAfter");
        QTest::addColumn<QString>("rows");
        QTest::addColumn<QString>("signalled"); // inserted, removed, reset
        QTest::newRow("nothing new") << "a1 a2"
                                     << ""
                                     << "a1 a2"
                                     << ""
                                     << "1 2"
                                     << "0 0 0";
        QTest::newRow("more") << "a1 a2"
                              << ""
                              << "a1 a2 a3"
                              << ""
                              << "1 2 3"
                              << "1 0 0";
        QTest::newRow("another run") << "a1 a2"
                                     << ""
                                     << "a1 a2 b1"
                                     << ""
                                     << "1 2 run 1"
                                     << "1 0 0";
        QTest::newRow("a gap and more") << "a1 a2"
                                        << ""
                                        << "a1 a2 a6"
                                        << "3-5"
                                        << "1 2 gap 6"
                                        << "1 0 0";
        QTest::newRow("a gap first") << "a1 a2"
                                     << "3-5"
                                     << "a1 a2 a6"
                                     << "3-5"
                                     << "1 2 gap 6"
                                     << "1 0 0";
        QTest::newRow("the oldest gone") << "a1 a2 a3"
                                         << ""
                                         << "a3 a4"
                                         << ""
                                         << "3 4"
                                         << "1 1 0";
        QTest::newRow("only gone") << "a1 a2 a3"
                                   << ""
                                   << "a2 a3"
                                   << ""
                                   << "2 3"
                                   << "0 1 0";
        QTest::newRow("another node") << "a1 a2"
                                      << ""
                                      << "c1 c2"
                                      << ""
                                      << "1 2"
                                      << "0 0 1";
        QTest::newRow("fewer") << "a1 a2 a3"
                               << ""
                               << "a1 a2"
                               << ""
                               << "1 2"
                               << "0 0 1";
        QTest::newRow("a late gap") << "a1 a2 a6"
                                    << ""
                                    << "a1 a2 a6 a7"
                                    << "3-5"
                                    << "1 2 gap 6 7"
                                    << "0 0 1";
        QTest::newRow("emptied") << "a1"
                                 << ""
                                 << ""
                                 << ""
                                 << ""
                                 << "0 0 1";
        QTest::newRow("a gap of the run before") << "a1 a6"
                                                 << "2-5"
                                                 << "a1 a6 b1"
                                                 << ""
                                                 << "1 6 run 1"
                                                 << "0 0 1";
    }
    void goesOn()
    {
        QFETCH(QString, before);
        QFETCH(QString, gapsBefore);
        QFETCH(QString, after);
        QFETCH(QString, gapsAfter);
        EventModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setNode(nodeOf(before, gapsBefore));
        QSignalSpy inserted(&model, &EventModel::rowsInserted);
        QSignalSpy removed(&model, &EventModel::rowsRemoved);
        QSignalSpy reset(&model, &EventModel::modelReset);
        model.setNode(nodeOf(after, gapsAfter));
        QTEST(typesOf(model).join(u' '), "rows");
        const QString signalled = QStringLiteral("%1 %2 %3").arg(inserted.size()).arg(removed.size()).arg(reset.size());
        QTEST(signalled, "signalled");
    }

    void textsAreMadeInIdleTime()
    {
        EventModel model;
        model.append(test::manyEvents(2'000));
        QVERIFY(model.row(1999).folded.isEmpty());
        QTRY_VERIFY(!model.row(1999).folded.isEmpty());
        QCOMPARE(model.row(7).folded, foldedText(factsOf(model.row(7).event).text));
    }

    void memoryOfAnEvent()
    {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("a sanitizer counts its memory elsewhere");
#endif
        constexpr int count = 20'000;
        const QList<journal::Event> events = test::manyEvents(count);
        const size_t before = mallinfo2().uordblks;
        EventModel model;
        model.append(events);
        for (int row = 0; row < count; ++row)
            (void)model.folded(row);
        const double bytes = double(mallinfo2().uordblks - before) / count;
        qInfo("%.0f bytes an event beside the events themselves", bytes);
        QVERIFY2(bytes <= 400, qPrintable(QString::number(bytes)));
        QVERIFY(bytes > 100); // else nothing was measured
    }
};

QTEST_GUILESS_MAIN(TestEventModel)
#include "tst_eventmodel.moc"
