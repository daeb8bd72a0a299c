// SPDX-License-Identifier: Apache-2.0
#include "journal/nodeview.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QRandomGenerator>
#include <QTest>

using namespace firstwatch;
using namespace firstwatch::journal;

namespace {

const QByteArray bootName = "0123456789abcdef";

Event made(quint64 seq, Kind kind, const QJsonObject &fields = {}, const QByteArray &boot = bootName)
{
    return { seq, boot, qint64(seq) * 1000, qint64(seq), kind, {}, fields };
}

NodeView folded(const QList<Event> &events)
{
    NodeView view;
    for (const Event &each : events)
        view.apply(each);
    return view;
}

// A start as the service tells it, and a day after it.
QList<Event> oneDay()
{
    return { made(1, Kind::ProcessStart,
                 { { QStringLiteral("node"), QStringLiteral("node-17") },
                     { QStringLiteral("version"), QStringLiteral("0.1.0") }, { QStringLiteral("pid"), 4711 },
                     { QStringLiteral("net_dir"), QStringLiteral("/host/etc/cni/net.d") } }),
        made(2, Kind::WatchArmed, { { QStringLiteral("backend"), QStringLiteral("inotify") } }),
        made(3, Kind::WatchProven, { { QStringLiteral("probe_us"), 15 } }),
        made(4, Kind::WatchWitness, { { QStringLiteral("witness"), QStringLiteral("confirmed") } }),
        made(5, Kind::TokenRotated, { { QStringLiteral("expires"), 1'800'000'000 } }),
        made(6, Kind::PassBegin,
            { { QStringLiteral("pass"), 1 }, { QStringLiteral("reason"), QStringLiteral("start") },
                { QStringLiteral("evidence"), QStringLiteral("proof") }, { QStringLiteral("margin_ns"), 410'000 } }),
        made(7, Kind::FileState,
            { { QStringLiteral("file"), QStringLiteral("10-a.conflist") },
                { QStringLiteral("state"), QStringLiteral("patched") }, { QStringLiteral("active"), true } }),
        made(8, Kind::PatchApplied,
            { { QStringLiteral("file"), QStringLiteral("10-a.conflist") }, { QStringLiteral("repatch"), false } }),
        made(9, Kind::PassEnd,
            { { QStringLiteral("pass"), 1 }, { QStringLiteral("files"), 2 }, { QStringLiteral("patched"), 1 },
                { QStringLiteral("missed"), 0 } }),
        made(10, Kind::FileChange, { { QStringLiteral("file"), QStringLiteral("10-a.conflist") } }),
        made(11, Kind::PatchApplied,
            { { QStringLiteral("file"), QStringLiteral("10-a.conflist") }, { QStringLiteral("repatch"), true },
                { QStringLiteral("recovered"), true } }),
        made(12, Kind::PatchFailed), made(13, Kind::Overflow, { { QStringLiteral("count"), 1 } }),
        made(14, Kind::FindingOpen,
            { { QStringLiteral("code"), 1004 }, { QStringLiteral("file"), QString() },
                { QStringLiteral("text"), QStringLiteral("overflowed") } }),
        made(15, Kind::PassBegin,
            { { QStringLiteral("pass"), 2 }, { QStringLiteral("reason"), QStringLiteral("overflow") },
                { QStringLiteral("evidence"), QStringLiteral("proof") }, { QStringLiteral("margin_ns"), 9'000'000 } }),
        made(16, Kind::PassEnd,
            { { QStringLiteral("pass"), 2 }, { QStringLiteral("files"), 2 }, { QStringLiteral("patched"), 0 },
                { QStringLiteral("missed"), 1 } }),
        made(17, Kind::WatchLost, { { QStringLiteral("reason"), QStringLiteral("the net dir is gone") } }),
        made(18, Kind::PatchUndone),
        made(19, Kind::ProcessStop,
            { { QStringLiteral("clean"), true }, { QStringLiteral("summary"), QStringLiteral("1 of 1 undone") } }) };
}

QByteArray text(const NodeView &view)
{
    return QJsonDocument(view.toJson()).toJson(QJsonDocument::Compact);
}

} // namespace

class tst_NodeView : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void tellsWhatHappened()
    {
        const NodeView view = folded(oneDay());
        QCOMPARE(view.seq, 19U);
        QCOMPARE(view.process.node, QStringLiteral("node-17"));
        QCOMPARE(view.process.netDir, QStringLiteral("/host/etc/cni/net.d"));
        QCOMPARE(view.process.pid, 4711);
        QCOMPARE(view.process.startedNs, 1000);
        QCOMPARE(view.process.stopSummary, QStringLiteral("1 of 1 undone"));
        QCOMPARE(view.watch.backend, QStringLiteral("inotify"));
        QCOMPARE(view.watch.witness, QStringLiteral("confirmed"));
        QCOMPARE(view.watch.trouble, QStringLiteral("the net dir is gone"));
        QCOMPARE(view.watch.probeUs, 15);
        QCOMPARE(view.readyMarginNs(), std::optional<qint64>(410'000));
        QCOMPARE(view.firstPass.endedNs, 9000);
        QCOMPARE(view.firstPass.files, 2);
        QCOMPARE(view.lastPass.number, 2);
        QCOMPARE(view.lastPass.missed, 1);
        QCOMPARE(view.lastPatch.tNs, 11'000);
        QCOMPARE(view.tokenExpires, std::optional<qint64>(1'800'000'000));
        const NodeView::Counters expected{ 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };
        QCOMPARE(view.counters, expected);
        QCOMPARE(view.state.word(20'000), State::Stopped);
    }

    void anotherBootBeginsAnew()
    {
        QList<Event> events = oneDay();
        events.append(made(1, Kind::ProcessStart, {}, "fedcba9876543210"));
        const NodeView view = folded(events);
        QCOMPARE(view.boot, "fedcba9876543210");
        QCOMPARE(view.counters, NodeView::Counters());
        QVERIFY(!view.readyMarginNs());
        QVERIFY(view.watch.trouble.isEmpty());
    }

    void aPassOnPollingHasNoMargin()
    {
        const NodeView view = folded({ made(1, Kind::PassBegin,
            { { QStringLiteral("pass"), 1 }, { QStringLiteral("evidence"), QStringLiteral("polling") } }) });
        QVERIFY(!view.readyMarginNs());
        QCOMPARE(view.firstPass.evidence, QStringLiteral("polling"));
    }

    // What a snapshot is for: taken anywhere, it goes on as if it had seen everything.
    void p3b_snapshotAndLaterEventsAreTheLaterSnapshot()
    {
        const QList<Event> events = oneDay();
        for (qsizetype cut = 0; cut <= events.size(); ++cut) {
            NodeView view = NodeView::fromJson(folded(events.first(cut)).toJson());
            QCOMPARE(text(view), text(folded(events.first(cut))));
            for (const Event &each : events.sliced(cut))
                view.apply(each);
            QCOMPARE(text(view), text(folded(events)));
        }
    }

    // Every field survives the way through bytes, with numbers that a double would round.
    void everyFieldIsCarried()
    {
        NodeView view = folded(oneDay());
        view.tNs = (qint64(1) << 60) + 1;
        view.watch.provenNs = (qint64(1) << 59) + 1;
        const NodeView restored = NodeView::fromJson(QJsonDocument::fromJson(text(view)).object());
        QCOMPARE(restored.tNs, view.tNs);
        QCOMPARE(restored.process, view.process);
        QCOMPARE(restored.watch, view.watch);
        QCOMPARE(restored.firstPass, view.firstPass);
        QCOMPARE(restored.lastPass, view.lastPass);
        QCOMPARE(restored.lastPatch, view.lastPatch);
        QCOMPARE(restored.counters, view.counters);
        QCOMPARE(restored.tokenExpires, view.tokenExpires);
        QCOMPARE(restored.tokenNs, view.tokenNs);
        QCOMPARE(restored.state.word(view.tNs), view.state.word(view.tNs));
    }

    void p52_anyJsonIsBorne()
    {
        const QByteArray good = text(folded(oneDay()));
        QRandomGenerator random(1);
        for (int i = 0; i < 3000; ++i) {
            QByteArray bytes = good;
            for (int change = 0; change < 3; ++change)
                bytes[random.bounded(bytes.size())] = char("0{}[]\",:tn"[random.bounded(10)]);
            const NodeView view = NodeView::fromJson(QJsonDocument::fromJson(bytes).object());
            QCOMPARE(text(NodeView::fromJson(view.toJson())), text(view));
        }
    }
};

QTEST_GUILESS_MAIN(tst_NodeView)
#include "tst_nodeview.moc"
