// SPDX-License-Identifier: Apache-2.0
#include "recorded.h"
#include "ui/text/check.h"
#include "ui/text/events.h"
#include "ui/text/findings.h"
#include "ui/text/json.h"
#include "ui/text/nodepage.h"
#include "ui/text/patches.h"
#include "ui/text/status.h"

#include <QTest>

using namespace firstwatch;
using namespace firstwatch::ui;
using journal::Severity;
using journal::State;

namespace {

// "a|b"
QStringList words(const char *text)
{
    return QString::fromUtf8(text).split(u'|');
}

const Look plain{ false, true, 80 };

QList<Node> fleet()
{
    QList<Node> nodes;
    for (const char *name : { "usual.fwz", "drift.jsonl", "blind.jsonl", "polling.jsonl" })
        nodes.append(test::recordedNode(name));
    Node away;
    away.source = QStringLiteral("10.0.0.9:9911");
    away.troubleCode = 9004;
    away.trouble = QStringLiteral("Connection refused");
    nodes.append(away);
    sortWorstFirst(nodes);
    return nodes;
}

} // namespace

class TestViews final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Recordings of this version replay for ever.
    void recordings_data()
    {
        QTest::addColumn<State>("word");
        QTest::addColumn<int>("worst"); // -1: all is well
        QTest::addColumn<QString>("watch");
        QTest::addColumn<int>("patched");
        QTest::addColumn<int>("eligible");
        QTest::newRow("usual.jsonl") << State::Ok << int(Severity::Warning) << "inotify+qfsw" << 2 << 2;
        QTest::newRow("usual.fwz") << State::Ok << int(Severity::Warning) << "inotify+qfsw" << 2 << 2;
        QTest::newRow("stopped.jsonl") << State::Stopped << int(Severity::Warning) << "none" << 2 << 2;
        QTest::newRow("drift.jsonl") << State::Drift << int(Severity::Error) << "inotify+qfsw" << 0 << 1;
        QTest::newRow("blind.jsonl") << State::Blind << int(Severity::Error) << "none" << 0 << 0;
        QTest::newRow("polling.jsonl") << State::Degraded << int(Severity::Warning) << "polling" << 1 << 1;
        QTest::newRow("container.log") << State::Degraded << int(Severity::Error) << "inotify+qfsw" << 2 << 2;
    }
    void recordings()
    {
        const Node node = test::recordedNode(QTest::currentDataTag());
        QTEST(node.word(), "word");
        QTEST(worstOf(node) ? int(*worstOf(node)) : -1, "worst");
        QTEST(watchWord(node.view), "watch");
        QTEST(fileCount(node.view.state).patched, "patched");
        QTEST(fileCount(node.view.state).eligible, "eligible");
    }

    void worstComesFirst()
    {
        QStringList found;
        for (const Node &node : fleet())
            found += journal::stateWord(node.word());
        QCOMPARE(found, (words("BLIND|DRIFT|DEGRADED|UNREACHABLE|OK")));
        QCOMPARE(fleetSentence(fleet()),
            QStringLiteral("5 nodes: 1 BLIND, 1 DRIFT, 1 DEGRADED, 1 UNREACHABLE, 1 OK. Smallest ready margin +11.2 ms "
                           "(node-08)."));
        QCOMPARE(attentionSentence(fleet()),
            QStringLiteral("5 of 5 nodes need attention (1 ok, 1 unreachable, 1 degraded, 1 drift, 1 blind)"));
        QCOMPARE(fleetSentence({}), QStringLiteral("0 nodes."));
    }

    // To be pasted: short, without colour, each finding with what leads on.
    void shortReportIsForPasting()
    {
        const QString text =
            checkReport(plain, { test::recordedNode("blind.jsonl"), test::recordedNode("drift.jsonl") }, true,
                QStringLiteral("kubectl firstwatch"));
        QVERIFY2(text.count(u'\n') <= 12, qPrintable(text));
        QVERIFY(!text.contains(u'\x1b'));
        QVERIFY(text.contains(QStringLiteral("FW1005"))
            && text.contains(QStringLiteral("kubectl firstwatch explain FW1202")));
        QVERIFY(!text.contains(QStringLiteral("plugin binaries"))); // what holds is left out
    }

    void aNegativeMarginFails()
    {
        Node node = test::recordedNode("usual.jsonl");
        node.view.firstPass.marginNs = -140'000'000;
        const QString text = checkReport(plain, { node }, true, QStringLiteral("firstwatch"));
        QVERIFY2(text.contains(QStringLiteral("140 ms before the watch was proven")), qPrintable(text));
        QVERIFY(nodePage(plain, node).contains(QStringLiteral("NOT proven")));
    }

    void everyOpenFindingIsOnThePage()
    {
        for (const Node &node : fleet()) {
            const QString page = nodePage(plain, node);
            for (const journal::NodeState::OpenFinding &finding : node.view.state.findings())
                QVERIFY2(page.contains(QStringLiteral("FW%1").arg(finding.code)), qPrintable(page));
            QVERIFY(page.contains(journal::stateWord(node.word())));
        }
    }

    void patchesTellWhy()
    {
        const QList<PatchRecord> records = patchRecords(test::recordedNode("stopped.jsonl").events);
        QStringList whys;
        for (const PatchRecord &record : records)
            whys += record.why;
        QCOMPARE(whys,
            (words(
                "first patch, found by the start pass|first patch, found by the start pass|rewritten by another, found "
                "by an event|rewritten by another, found by an event|taken out at the exit|taken out at the exit")));
        QVERIFY(patchRecords(test::recordedNode("drift.jsonl").events)
                    .first()
                    .why.contains(QStringLiteral("No space left")));
        // What was taken out is what had been there before.
        QCOMPARE(records.last().after, records[2].before);
    }

    void filters_data()
    {
        QTest::addColumn<QStringList>("kinds");
        QTest::addColumn<QStringList>("notKinds");
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("last");
        QTest::addColumn<int>("count");
        QTest::newRow("all") << QStringList() << QStringList() << "" << -1 << 29;
        QTest::newRow("a kind") << words("patch.applied") << QStringList() << "" << -1 << 4;
        QTest::newRow("an area") << words("pass") << QStringList() << "" << -1 << 2;
        QTest::newRow("not an area") << words("pass|patch") << words("patch") << "" << -1 << 2;
        QTest::newRow("no part of a word") << words("pat") << QStringList() << "" << -1 << 0;
        QTest::newRow("a file") << words("patch") << QStringList() << "10-*" << -1 << 2;
        QTest::newRow("a dot is a dot") << QStringList() << QStringList() << "10-calico?conflist*x" << -1 << 0;
        QTest::newRow("the last") << QStringList() << QStringList() << "" << 3 << 3;
        QTest::newRow("none") << QStringList() << QStringList() << "" << 0 << 0;
    }
    void filters()
    {
        QFETCH(QStringList, kinds);
        QFETCH(QStringList, notKinds);
        QFETCH(QString, file);
        QFETCH(int, last);
        EventFilter filter{ {}, last, 0 };
        if (!kinds.isEmpty())
            filter.terms.add({ Filter::Key::Kind, false, kinds });
        if (!notKinds.isEmpty())
            filter.terms.add({ Filter::Key::Kind, true, notKinds });
        if (!file.isEmpty())
            filter.terms.add({ Filter::Key::File, false, { file } });
        QTEST(int(filtered(test::recordedNode("usual.jsonl").events, filter).size()), "count");
    }

    void aRunIsChosenByItsName()
    {
        Node node = test::recordedNode("stopped.jsonl");
        QCOMPARE(node.word(), State::Stopped);
        QVERIFY(showRun(node, "6310"));
        QCOMPARE(node.word(), State::Ok);
        QCOMPARE(node.run().size(), 29);
        QVERIFY(!showRun(node, "ffff"));
    }

    void codesAreExplained()
    {
        for (const journal::CodeEntry &entry : journal::allCodes()) {
            const QString page = codePage(plain, entry);
            for (const QString &line : page.split(u'\n'))
                QVERIFY2(widthOf(line) <= 80, qPrintable(line));
            QCOMPARE(codeJson(entry)[QStringLiteral("code")].toString(), QStringLiteral("FW%1").arg(entry.code));
        }
    }
};

QTEST_GUILESS_MAIN(TestViews)
#include "tst_views.moc"
