// SPDX-License-Identifier: Apache-2.0
#include "recorded.h"
#include "ui/models/filemodel.h"
#include "ui/models/findingmodel.h"
#include "ui/models/fleetmodel.h"
#include "ui/models/patchmodel.h"
#include "ui/models/tip.h"
#include "ui/text/look.h"

#include <QAbstractItemModelTester>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTest>

#include <memory>

using namespace firstwatch;
using namespace firstwatch::ui;

namespace {

// "a | b | c", a line a row.
QString rowsOf(const QAbstractItemModel &model)
{
    QStringList lines;
    for (int row = 0; row < model.rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < model.columnCount(); ++column)
            cells += model.index(row, column).data().toString();
        lines += cells.join(QStringLiteral(" | "));
    }
    return lines.join(u'\n');
}

QString cell(const QAbstractItemModel &model, int row, int column)
{
    return model.index(row, column).data().toString();
}

Node awayNode()
{
    Node away;
    away.source = QStringLiteral("10.0.0.9:9911");
    away.troubleCode = 9004;
    away.trouble = QStringLiteral("Connection refused");
    return away;
}

QList<Node> fleet()
{
    QList<Node> nodes;
    for (const char *name : { "usual.fwz", "drift.jsonl", "blind.jsonl", "polling.jsonl" })
        nodes.append(test::recordedNode(name));
    return nodes << awayNode();
}

} // namespace

class TestListModels final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void patches()
    {
        PatchModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setNode(test::recordedNode("stopped.jsonl"));
        QCOMPARE(model.rowCount(), 6);
        QCOMPARE(cell(model, 2, PatchModel::Why), QStringLiteral("rewritten by another, found by an event"));
        const PatchRecord *const record = model.record(2);
        QVERIFY(record != nullptr);
        QCOMPARE(cell(model, 2, PatchModel::Change),
            QString(record->before.left(8) + QStringLiteral(" → ") + record->after.left(8)));
        QVERIFY(model.index(2, PatchModel::Change).data(CopyRole).toString().contains(record->before));
        QCOMPARE(model.rowOfPatch(record->event.boot, record->event.seq), 2);
        QCOMPARE(model.rowOfPatch("ffff", record->event.seq), -1);
        QCOMPARE(model.record(6), nullptr);

        model.setNode(test::recordedNode("drift.jsonl"));
        QCOMPARE(model.index(0, 0).data(SeverityRole), QVariant(int(journal::Severity::Error)));
        QCOMPARE(model.index(0, PatchModel::Why).data(LookRole), QVariant(int(Role::Error)));
        QVERIFY(cell(model, 0, PatchModel::Change).endsWith(QStringLiteral(" → -")));
    }

    // A patch that comes is a row that comes: what is selected stays selected.
    void whatComesIsAppended()
    {
        Node node = test::recordedNode("stopped.jsonl");
        const QList<journal::Event> all = node.events;
        PatchModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        node.events = all.first(all.size() / 2);
        model.setNode(node);
        const int before = model.rowCount();
        QSignalSpy inserted(&model, &PatchModel::rowsInserted);
        QSignalSpy reset(&model, &PatchModel::modelReset);
        QSignalSpy changed(&model, &PatchModel::dataChanged);
        node.events = all;
        model.setNode(node);
        QVERIFY(model.rowCount() > before);
        QCOMPARE(inserted.size(), 1);
        QCOMPARE(reset.size() + changed.size(), 0);
    }

    void findings()
    {
        FindingModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setNodes(fleet());
        QCOMPARE(model.index(0, 0).data(SeverityRole), QVariant(int(journal::Severity::Error)));
        for (int row = 0; row < model.rowCount(); ++row) {
            const int severity = model.index(row, 0).data(SeverityRole).toInt();
            QCOMPARE(cell(model, row, FindingModel::Severity), severityName(journal::Severity(severity)));
            QVERIFY(row == 0 || model.index(row - 1, 0).data(SeverityRole).toInt() <= severity);
            QVERIFY(!cell(model, row, FindingModel::What).isEmpty());
            QVERIFY(!cell(model, row, FindingModel::Next).isEmpty());
            QVERIFY(cell(model, row, FindingModel::Code).startsWith(QStringLiteral("FW")));
        }
        model.setNodes({});
        QCOMPARE(model.rowCount(), 0);
    }

    void files()
    {
        FileModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setNode(test::recordedNode("drift.jsonl"));
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(cell(model, 0, FileModel::State), QStringLiteral("drift"));
        QCOMPARE(model.index(0, FileModel::State).data(LookRole), QVariant(int(Role::Error)));
        model.setNode(test::recordedNode("usual.jsonl"));
        QCOMPARE(model.rowCount(), 3);
        int used = 0;
        for (int row = 0; row < model.rowCount(); ++row)
            used += cell(model, row, FileModel::Runtime).isEmpty() ? 0 : 1;
        QCOMPARE(used, 1);
    }

    void nodes_data()
    {
        QTest::addColumn<int>("column");
        QTest::addColumn<QString>("blind");
        QTest::addColumn<QString>("drift");
        QTest::addColumn<QString>("away");
        QTest::addColumn<QString>("ok");
        const auto row = [](int column, const char *blind, const char *drift, const char *away, const char *ok) {
            QTest::addRow("column %d", column) << column << QString::fromUtf8(blind) << QString::fromUtf8(drift)
                                               << QString::fromUtf8(away) << QString::fromUtf8(ok);
        };
        row(FleetModel::State, "BLIND", "DRIFT", "UNREACHABLE", "OK");
        row(FleetModel::Watch, "none", "inotify+qfsw", "-", "inotify+qfsw");
        row(FleetModel::Files, "0/0", "0/1", "-", "2/2");
        row(FleetModel::Rewrites, "0", "0", "-", "2");
        row(FleetModel::Boots, "1", "1", "-", "1");
        row(FleetModel::Link, "replay", "replay", "lost", "replay");
    }
    void nodes()
    {
        QFETCH(int, column);
        FleetModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setNodes(fleet());
        QTEST(cell(model, 0, column), "blind");
        QTEST(cell(model, 1, column), "drift");
        QTEST(cell(model, 3, column), "away");
        QTEST(cell(model, 4, column), "ok");
        QCOMPARE(model.index(0, column).data(StateRole), QVariant(int(journal::State::Blind)));
        QCOMPARE(model.node(3)->troubleCode, 9004);
    }

    // Numbers are sorted as numbers, and what is not known comes last.
    void everyColumnSortsTheWorstFirst()
    {
        FleetModel model;
        model.setNodes(fleet());
        const auto sortOf = [&](int row, int column) { return model.index(row, column).data(SortRole); };
        QVERIFY(sortOf(0, FleetModel::State).toInt() < sortOf(1, FleetModel::State).toInt());
        QVERIFY(sortOf(1, FleetModel::Files).toInt() < sortOf(4, FleetModel::Files).toInt());
        QVERIFY(sortOf(4, FleetModel::Rewrites).toInt() < sortOf(0, FleetModel::Rewrites).toInt());
        QVERIFY(sortOf(0, FleetModel::Rewrites).toInt() < sortOf(3, FleetModel::Rewrites).toInt());
        QVERIFY(sortOf(1, FleetModel::Margin).toLongLong() < sortOf(3, FleetModel::Margin).toLongLong());
    }

    // Whatever comes and goes: what is selected stays with its node, and the rows are those that were set.
    void theSelectionStaysWithItsRow()
    {
        QRandomGenerator random(7);
        FleetModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const QList<Node> all = fleet();
        for (int round = 0; round < 200; ++round) {
            QList<Node> some;
            for (const Node &node : all) {
                if (random.bounded(4) != 0)
                    some.append(node);
                if (!some.isEmpty() && random.bounded(3) == 0)
                    some.last().nowNs += 1'000'000'000'000;
            }
            const int row = model.rowCount() == 0 ? 0 : random.bounded(model.rowCount());
            const QPersistentModelIndex kept(model.index(row, FleetModel::Files));
            const QString key = kept.data(KeyRole).toString();
            model.setNodes(some);
            QCOMPARE(model.rowCount(), some.size());
            QVERIFY(!kept.isValid() || kept.data(KeyRole).toString() == key);
            QCOMPARE(kept.isValid(), !key.isEmpty() && model.rowOf(key) >= 0);
            FleetModel fresh;
            fresh.setNodes(some);
            QCOMPARE(rowsOf(model), rowsOf(fresh));
        }
    }

    // A stranger may say one thing twice.
    void aKeyMayComeTwice()
    {
        Node node = test::recordedNode("stopped.jsonl");
        node.events += node.events;
        PatchModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setNode(node);
        QCOMPARE(model.rowCount(), 12);
        model.setNode(node);
        QCOMPARE(model.rowCount(), 12);
        FleetModel nodes;
        nodes.setNodes({ awayNode(), awayNode() });
        QCOMPARE(nodes.rowCount(), 2);
    }

    void tipsAreText_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("tip");
        QTest::newRow("short") << "a\nb"
                               << "a\nb";
        QTest::newRow("html") << "<b>a & b</b>"
                              << "<qt>&lt;b&gt;a &amp; b&lt;/b&gt;</qt>";
        QTest::newRow("long") << QString(81, u'a')
                              << QString(QStringLiteral("<qt>") + QString(81, u'a') + QStringLiteral("</qt>"));
    }
    void tipsAreText()
    {
        QFETCH(QString, text);
        QTEST(tipText(text), "tip");
    }
};

QTEST_GUILESS_MAIN(TestListModels)
#include "tst_listmodels.moc"
