// SPDX-License-Identifier: Apache-2.0
#include "manyevents.h"
#include "recorded.h"
#include "ui/models/eventfiltermodel.h"

#include <QAbstractItemModelTester>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTest>

using namespace firstwatch;
using namespace firstwatch::ui;

namespace {

EventFilter filterOf(const QString &text, qint64 nowUs = 0)
{
    Filter::Error error;
    const std::optional<Filter> terms = Filter::parse(text, error);
    return { terms.value_or(Filter()), -1, nowUs };
}

QList<quint64> seqsOf(const EventFilterModel &model)
{
    QList<quint64> seqs;
    for (int row = 0; row < model.rowCount(); ++row) {
        if (model.row(row).type == EventRow::Type::Event)
            seqs.append(model.row(row).event.seq);
    }
    return seqs;
}

QStringList cellsOf(const EventFilterModel &model, int column)
{
    QStringList cells;
    for (int row = 0; row < model.rowCount(); ++row)
        cells += model.index(row, column).data().toString();
    return cells;
}

} // namespace

class TestEventFilterModel final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // The table takes what the command line takes.
    void takesWhatTheCommandLineTakes_data()
    {
        QTest::addColumn<QString>("text");
        for (const char *text : { "", "kind:patch", "kind:patch.applied,pass", "-kind:file", "file:10-*", "-file:10-*",
                 "file:*calico* kind:patch", "state:patched", "code:FW*", "code:1303", "since:1s", "since:10m",
                 "CALICO", "\"found by\"", "-repatch", "µs", "node:x", "kind:watch PROVEN" })
            QTest::newRow(text) << QString::fromUtf8(text);
    }
    void takesWhatTheCommandLineTakes()
    {
        QFETCH(QString, text);
        const Node node = test::recordedNode("usual.jsonl");
        EventModel events;
        EventFilterModel model(&events);
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        events.setNode(node);
        const EventFilter filter = filterOf(text, node.nowUs);
        model.setFilter(filter);
        QList<quint64> expected;
        for (const journal::Event &event : filtered(node.events, filter))
            expected.append(event.seq);
        QCOMPARE(seqsOf(model), expected);
        QCOMPARE(model.eventCount(), expected.size());
        QCOMPARE(model.isFiltered(), !text.isEmpty());
    }

    void theLastOnly()
    {
        EventModel events;
        EventFilterModel model(&events);
        events.append(test::manyEvents(10));
        EventFilter filter = filterOf(QStringLiteral("kind:patch"));
        filter.last = 2;
        model.setFilter(filter);
        QCOMPARE(seqsOf(model), (QList<quint64>{ 8, 10 }));
        events.append(test::manyEvents(2, 11));
        QCOMPARE(seqsOf(model), (QList<quint64>{ 10, 12 }));
    }

    void aRangeIsOfARun()
    {
        EventModel events;
        EventFilterModel model(&events);
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        events.append(test::manyEvents(10)); // 1.7 ms apart
        model.setRange(EventFilterModel::Range{ "91c0a7d4e5f60718", 1'700'000, 5'100'000 });
        QCOMPARE(seqsOf(model), (QList<quint64>{ 2, 3, 4 }));
        model.setRange(EventFilterModel::Range{ "another", 0, 5'100'000 });
        QCOMPARE(model.eventCount(), 0);
        model.setRange({});
        QCOMPARE(model.eventCount(), 10);
    }

    void sorts_data()
    {
        QTest::addColumn<int>("column");
        for (int column = 0; column < EventModel::ColumnCount; ++column)
            QTest::addRow("column %d", column) << column;
    }
    void sorts()
    {
        QFETCH(int, column);
        EventModel events;
        EventFilterModel model(&events);
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        events.setNode(test::recordedNode("usual.jsonl"));
        model.setFilter(filterOf(QStringLiteral("-kind:note")));
        const QStringList before = cellsOf(model, column);
        model.sort(column, Qt::DescendingOrder);
        QStringList cells = cellsOf(model, column);
        if (column == EventModel::Seq || column == EventModel::Time) {
            QCOMPARE(model.row(0).event.seq, quint64(29));
            QCOMPARE(model.isInOrder(), false);
        } else if (column != EventModel::Detail) {
            QVERIFY(std::is_sorted(cells.crbegin(), cells.crend()));
        }
        model.sort(-1, Qt::AscendingOrder);
        QCOMPARE(cellsOf(model, column), before);
        QVERIFY(model.isInOrder());
    }

    void gapsAndRunsAreAlwaysShown()
    {
        Node node = test::recordedNode("stopped.jsonl");
        EventModel events;
        EventFilterModel model(&events);
        node.gaps = { { 2, 2, QStringLiteral("evicted") } };
        events.setNode(node);
        model.setFilter(filterOf(QStringLiteral("nowhere")));
        QCOMPARE(model.eventCount(), 0);
        QVERIFY(model.rowCount() > 0);
        model.setFilter({});
        model.sort(EventModel::Kind, Qt::AscendingOrder);
        QVERIFY(model.row(0).type == EventRow::Type::Event);
        QVERIFY(model.row(model.rowCount() - 1).type != EventRow::Type::Event);
    }

    // What comes one batch after the other is what had come at once, whatever is chosen meanwhile.
    void followsItsSource()
    {
        QRandomGenerator random(11);
        const QList<journal::Event> all = test::manyEvents(400);
        EventModel events;
        EventFilterModel model(&events);
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const QStringList filters{ {}, QStringLiteral("kind:patch"), QStringLiteral("file:10-*"),
            QStringLiteral("nowhere") };
        Node node;
        qsizetype from = 0;
        for (qsizetype to = 0; to < all.size(); to += random.bounded(20)) {
            from = std::min(to, from + random.bounded(10));
            model.setFilter(filterOf(filters[random.bounded(4)]));
            model.sort(random.bounded(3) == 0 ? EventModel::File : EventModel::Seq,
                random.bounded(3) == 0 ? Qt::DescendingOrder : Qt::AscendingOrder);
            node.events = all.mid(from, to - from);
            events.setNode(node);
            EventModel freshEvents;
            freshEvents.setNode(node);
            EventFilterModel fresh(&freshEvents);
            fresh.setFilter(model.filter());
            QList<quint64> seqs = seqsOf(model);
            QCOMPARE(model.eventCount(), seqs.size());
            std::sort(seqs.begin(), seqs.end());
            QCOMPARE(seqs, seqsOf(fresh));
        }
    }

    void rowsAreFoundByTheirSeq()
    {
        EventModel events;
        EventFilterModel model(&events);
        events.append(test::manyEvents(10));
        model.setFilter(filterOf(QStringLiteral("kind:patch")));
        QCOMPARE(model.rowOf("91c0a7d4e5f60718", 4), 1);
        QCOMPARE(model.rowOf("91c0a7d4e5f60718", 3), -1);
        QCOMPARE(model.rowOf("other", 4), -1);
    }
};

QTEST_GUILESS_MAIN(TestEventFilterModel)
#include "tst_eventfiltermodel.moc"
