// SPDX-License-Identifier: Apache-2.0
// A node that goes down and comes up: whatever the end was like, the next start has the same end state.
#include "node.h"

#include <QTest>

#include <csignal>

using namespace firstwatch;
using namespace firstwatch::test;
using journal::Event;
using journal::Kind;

namespace {

const QByteArray owner = smallConflist("owner");
const QByteArray rewritten = smallConflist("at boot");

} // namespace

class TestReboot : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // linkerd2#12490: the primary CNI writes its config anew at boot, before or after us.
    void aConfigWrittenAnewAtBootIsPatched_data()
    {
        QTest::addColumn<int>("end");
        QTest::addColumn<bool>("before");
        for (const int end : { SIGTERM, SIGKILL }) {
            for (const bool before : { true, false })
                QTest::addRow("ended by signal %d, written %s the start", end, before ? "before" : "after")
                    << end << before;
        }
    }
    void aConfigWrittenAnewAtBootIsPatched()
    {
        QFETCH(const int, end);
        QFETCH(const bool, before);
        Node node;
        QVERIFY(node.startReady("10-a.conflist", owner));
        node.crash(end);
        QVERIFY(node.startAround(before, [&node] { node.net.writeByRename("10-a.conflist", rewritten); }));
        QVERIFY(node.waitPatched("10-a.conflist", rewritten));
        QVERIFY(node.waitReady());
        QCOMPARE(node.stop(), 0);
        QCOMPARE(node.net.read("10-a.conflist"), rewritten);
    }

    // After a power loss: the config as it was last synced, a temporary file cut off, the ready file of the dead run.
    void afterAPowerLoss()
    {
        Node node;
        QVERIFY(node.startReady("10-a.conflist", owner));
        node.crash();
        node.net.writeInPlace(".10-a.conflist.firstwatch-abcdef", "");
        node.bin.writeInPlace(".linkerd-cni.firstwatch-abcdef", "#!/b");
        const NetDir root(node.path(""));
        root.writeInPlace("ready", "ready\n");
        node.set("FIRSTWATCH_READY_FILE", root.path("ready"));
        node.setFaults("watch.add:count=1,sleep=1000"); // arming takes its time: not ready all the while
        node.start();
        QVERIFY(eventually([&] { return !root.exists("ready"); }));
        QVERIFY(node.events(Kind::WatchArmed).isEmpty());
        QVERIFY(node.events(Kind::PassEnd).isEmpty());
        QVERIFY(eventually([&] { return root.exists("ready"); }));
        QVERIFY2(eventually([&] { return node.leftovers().isEmpty(); }), node.leftovers().join(' ').constData());
        QVERIFY(node.isPatched("10-a.conflist", owner));
    }

    // istio#60668: the kubeconfig was on a tmpfs, and a patched config still names it: repaired before all else.
    void aMissingKubeconfigIsWrittenFirst()
    {
        Node node;
        QVERIFY(node.startReady("10-a.conflist", owner));
        node.crash();
        node.net.remove(kubeconfigName);
        node.bin.remove(pluginType);
        node.net.writeInPlace("20-b.conflist", owner);
        node.start();
        QVERIFY(node.waitPatched("20-b.conflist", owner));
        QVERIFY(node.waitReady());
        const auto binary = node.waitFor(Kind::BinaryInstalled);
        const auto kubeconfig = node.waitFor(Kind::KubeconfigWritten);
        const auto pass = node.waitFor(Kind::PassBegin);
        const auto patch = node.waitFor(Kind::PatchApplied);
        QVERIFY(binary && kubeconfig && pass && patch);
        QVERIFY(binary->seq < kubeconfig->seq);
        QVERIFY(kubeconfig->seq < pass->seq);
        QVERIFY(pass->seq < patch->seq);
    }

    // istio/cni#82: patched in an earlier run, overwritten while we run.
    void anOverwrittenPatchIsARepatch()
    {
        Node node;
        node.net.writeInPlace("10-a.conflist", owner);
        QCOMPARE(node.run({ "--once" }), 0);
        node.start();
        QVERIFY(node.waitReady());
        node.net.writeByRename("10-a.conflist", owner);
        QVERIFY(node.waitPatched("10-a.conflist", owner));
        node.net.writeByRename("10-a.conflist", rewritten);
        QVERIFY(node.waitPatched("10-a.conflist", rewritten));
        QVERIFY(node.waitFor(Kind::PatchApplied, { { QStringLiteral("repatch"), true } }));
    }

    // istio/cni#85: the owner's plugin stays first, and its original can be had back, over a kill and a start.
    void aConvertedFileSurvivesAKill()
    {
        const QByteArray single = R"({"cniVersion":"0.4.0","name":"mynet","type":"bridge"})";
        Node node;
        QVERIFY(node.startReady("10-a.conf", single));
        const QByteArray list = node.net.read("10-a.conflist");
        QVERIFY(list.indexOf("bridge") < list.indexOf("linkerd-cni"));
        node.crash();
        node.start();
        QVERIFY(node.waitFor(Kind::PassEnd));
        QCOMPARE(node.net.read("10-a.conflist"), list);
        QVERIFY(node.waitReady());
        QCOMPARE(node.stop(), 0);
        QCOMPARE(node.net.names().join(' '), "10-a.conf");
        QCOMPARE(node.net.read("10-a.conf"), single);
    }

    // The history goes on over runs; each has a boot of its own and counts from one.
    void theHistoryGoesOn()
    {
        Node node;
        node.net.writeInPlace("10-a.conflist", owner);
        QCOMPARE(node.run({ "--once" }), 0);
        QCOMPARE(node.run({ "--once" }), 0);
        QSet<QByteArray> boots;
        quint64 last = 0;
        for (const QByteArray &line : NetDir(node.path("history")).read("history.jsonl").split('\n')) {
            const std::optional<Event> event = journal::fromLine(line);
            if (!event)
                continue;
            if (!boots.contains(event->boot))
                last = 0;
            QCOMPARE(event->seq, last + 1);
            last = event->seq;
            boots.insert(event->boot);
        }
        QCOMPARE(boots.size(), 2);
    }
};

QTEST_GUILESS_MAIN(TestReboot)
#include "tst_reboot.moc"
