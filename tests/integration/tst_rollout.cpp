// SPDX-License-Identifier: Apache-2.0
// Two services on one node, and one that dies: at no moment is a config without the plugin because of it.
#include "node.h"

#include <QDir>
#include <QTest>

#include <atomic>
#include <csignal>
#include <thread>

using namespace firstwatch;
using namespace firstwatch::test;
using journal::Kind;

namespace {

const QByteArray owner = smallConflist("owner");

// Reads a config as often as it can while the object lives, and remembers whether it was ever not patched.
class PatchWitness {
public:
    explicit PatchWitness(const Node &node)
        : m_thread([this, &node] {
            while (!m_done) {
                if (!node.isPatched("10-a.conflist", owner))
                    m_hole = true;
            }
        })
    {
    }
    ~PatchWitness() { finish(); }
    Q_DISABLE_COPY_MOVE(PatchWitness)
    [[nodiscard]] bool sawAHole()
    {
        finish();
        return m_hole;
    }

private:
    void finish()
    {
        m_done = true;
        if (m_thread.joinable())
            m_thread.join();
    }
    std::atomic<bool> m_done = false;
    std::atomic<bool> m_hole = false;
    std::thread m_thread;
};

// The same node seen by the service that comes next: one host, and on it the first one's runtime dir too, or only one
// of its own, as each pod has it.
void shareHost(const Node &first, Node &second, bool isOtherPod = false)
{
    second.set("CONTAINER_MOUNT_PREFIX", first.path("host"));
    second.set("FIRSTWATCH_READY_FILE", second.path("ready"));
    if (isOtherPod)
        return;
    second.set("FIRSTWATCH_RUNTIME_DIR", first.path("run"));
    second.set("FIRSTWATCH_HISTORY_DIR", first.path("history"));
}

QString holderShown(const Node &first, bool isOtherPod)
{
    return isOtherPod ? QStringLiteral("in another pod of this node")
                      : QStringLiteral("\"pid\":%1").arg(first.process.pid());
}

bool isReady(const Node &second)
{
    return NetDir(second.path("")).exists("ready");
}

} // namespace

class TestRollout : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void p23_theSecondWaitsAndShowsWhoHoldsTheLock_data()
    {
        QTest::addColumn<bool>("isOtherPod");
        QTest::newRow("one runtime dir") << false;
        QTest::newRow("a pod each") << true;
    }
    void p23_theSecondWaitsAndShowsWhoHoldsTheLock()
    {
        QFETCH(const bool, isOtherPod);
        Node first;
        Node second;
        shareHost(first, second, isOtherPod);
        QVERIFY(first.startReady("10-a.conflist", owner));
        second.start();
        const auto finding = second.waitFor(Kind::FindingOpen, { { QStringLiteral("code"), 1401 } });
        QVERIFY(finding);
        QVERIFY(finding->fields[QStringLiteral("text")].toString().contains(holderShown(first, isOtherPod)));
        QVERIFY(second.waitFor(Kind::WatchProven));
        QVERIFY(second.events(Kind::PassBegin).isEmpty());
        QVERIFY(!isReady(second));
        QCOMPARE(second.stop(), 0); // one that waited has nothing to undo
        QVERIFY(first.isPatched("10-a.conflist", owner));
        QVERIFY(first.isReady());
        QCOMPARE(first.stop(), 0);
        QCOMPARE(first.net.read("10-a.conflist"), owner);
    }

    // Whoever looks at the runtime dir asks about the service that works.
    void p23_theOneThatWaitsLeavesTheHoldersFilesAlone()
    {
        Node first;
        Node second;
        shareHost(first, second);
        second.set("FIRSTWATCH_READY_FILE", {});
        QVERIFY(first.startReady("10-a.conflist", owner));
        second.start();
        QVERIFY(second.waitFor(Kind::LockWaiting));
        QVERIFY(second.waitFor(Kind::WatchProven));
        QVERIFY(first.isReady());
        QCOMPARE(second.stop(), 0);
        QVERIFY(first.isReady());
        QVERIFY(NetDir(first.path("run")).exists("alive"));
    }

    // An init container beside a service that stays: it ends, and is no successor for whom patches are kept.
    void onceDoesNotWaitForEverForTheHolder_data() { p23_theSecondWaitsAndShowsWhoHoldsTheLock_data(); }
    void onceDoesNotWaitForEverForTheHolder()
    {
        QFETCH(const bool, isOtherPod);
        Node first;
        Node second;
        shareHost(first, second, isOtherPod);
        QVERIFY(first.startReady("10-a.conflist", owner));
        QCOMPARE(second.run({ "--once", "--once-timeout=1" }), 3);
        const auto stop = second.waitFor(Kind::ProcessStop);
        QVERIFY(stop);
        QVERIFY(stop->fields[QStringLiteral("summary")].toString().contains(QStringLiteral("another firstwatchd")));
        QVERIFY(first.isReady());
        QCOMPARE(first.stop(), 0);
        QCOMPARE(first.net.read("10-a.conflist"), owner);
    }

    // The lock goes with the directory: of two that wait for one, one works.
    void p23_oneWorksOnADirectoryThatWasMadeAgain()
    {
        Node first;
        Node second;
        shareHost(first, second, true);
        QVERIFY(first.startReady("10-a.conflist", owner));
        second.start();
        QVERIFY(second.waitFor(Kind::LockWaiting));
        const QByteArray netDir = first.net.path("");
        first.removeNetDir();
        QVERIFY(first.waitFor(Kind::WatchLost) && second.waitFor(Kind::WatchLost));
        QVERIFY(second.waitFor(Kind::LockTaken)); // there is nothing to be second at
        QVERIFY(QDir().mkpath(QString::fromLocal8Bit(netDir)));
        first.net.writeByRename("10-a.conflist", owner);
        QVERIFY(first.waitPatched("10-a.conflist", owner));
        QVERIFY(eventually([&] { return first.isReady() != isReady(second); }));
        QVERIFY(eventually([&] { return first.hasOpenFinding(1401) != second.hasOpenFinding(1401); }));
        QCOMPARE(first.events(Kind::PassBegin, { { QStringLiteral("reason"), QStringLiteral("rearm") } }).isEmpty(),
            first.hasOpenFinding(1401));
    }

    void p23_aSuccessorTakesOverWithoutAHole_data()
    {
        QTest::addColumn<int>("signal");
        QTest::addColumn<bool>("isOtherPod");
        QTest::newRow("stopped") << SIGTERM << false;
        QTest::newRow("killed") << SIGKILL << false;
        QTest::newRow("stopped, a pod each") << SIGTERM << true;
        QTest::newRow("killed, a pod each") << SIGKILL << true;
    }
    void p23_aSuccessorTakesOverWithoutAHole()
    {
        QFETCH(const int, signal);
        QFETCH(const bool, isOtherPod);
        Node first;
        Node second;
        shareHost(first, second, isOtherPod);
        QVERIFY(first.startReady("10-a.conflist", owner));
        second.start();
        QVERIFY(second.waitFor(Kind::LockWaiting));
        QVERIFY(second.waitFor(Kind::WatchProven));
        PatchWitness witness(first);
        first.crash(signal);
        QVERIFY(second.waitFor(Kind::LockTaken));
        QVERIFY(eventually([&] { return isReady(second); }));
        QVERIFY(!witness.sawAHole());
        QVERIFY(first.bin.exists(pluginType) && first.net.exists(kubeconfigName));
        QVERIFY(!second.hasOpenFinding(1401));
        const QByteArray newer = smallConflist("newer");
        first.net.writeByRename("10-a.conflist", newer);
        QVERIFY(first.waitPatched("10-a.conflist", newer));
        QCOMPARE(second.stop(), 0);
        QCOMPARE(first.net.names().join(' '), "10-a.conflist");
        QCOMPARE(first.net.read("10-a.conflist"), newer);
        QCOMPARE(first.bin.names().join(' '), "");
    }

    // Two templates that differ must not fight (istio#34777); what stands at the end is the successor's.
    void p23_theSuccessorsTemplateReplacesTheFirst()
    {
        Node first;
        Node second;
        shareHost(first, second);
        second.set("CNI_NETWORK_CONFIG", R"({"name":"linkerd-cni","type":"linkerd-cni","log_level":"debug"})");
        QVERIFY(first.startReady("10-a.conflist", owner));
        second.start();
        QVERIFY(second.waitFor(Kind::LockWaiting));
        QVERIFY(!first.net.read("10-a.conflist").contains("debug"));
        QCOMPARE(first.stop(), 0);
        QVERIFY(eventually([&] { return first.net.read("10-a.conflist").contains("debug"); }));
        QVERIFY(first.isPatched("10-a.conflist", owner));
    }

    void p23_keepOnExitUndoesNothing()
    {
        Node node;
        QVERIFY(node.startReady("10-a.conflist", owner, { "--keep-on-exit" }));
        PatchWitness witness(node);
        QCOMPARE(node.stop(), 0);
        QVERIFY(!witness.sawAHole());
        QVERIFY(node.net.exists(kubeconfigName) && node.bin.exists(pluginType));
        QVERIFY(!node.isReady());
        QCOMPARE(node.leftovers().join(' '), "");
    }

    void p24_aCrashNeverUnpatches_data()
    {
        QTest::addColumn<int>("signal");
        QTest::newRow("abort") << SIGABRT;
        QTest::newRow("segmentation fault") << SIGSEGV;
        QTest::newRow("bus error") << SIGBUS;
        QTest::newRow("kill") << SIGKILL;
    }
    void p24_aCrashNeverUnpatches()
    {
        QFETCH(const int, signal);
        Node node;
        QVERIFY(node.startReady("10-a.conflist", owner));
        const QByteArray patched = node.net.read("10-a.conflist");
        node.crash(signal);
        QVERIFY(!node.process.isRunning());
        QCOMPARE(node.net.read("10-a.conflist"), patched);
        QVERIFY(node.net.exists(kubeconfigName) && node.bin.exists(pluginType));
        node.start(); // adopts what is there without a write, and knows what to give back
        QVERIFY(node.waitFor(Kind::PassEnd));
        QVERIFY(node.events(Kind::PatchApplied).isEmpty());
        QVERIFY(node.waitReady());
        QCOMPARE(node.stop(), 0);
        QCOMPARE(node.net.read("10-a.conflist"), owner);
    }
};

QTEST_GUILESS_MAIN(TestRollout)
#include "tst_rollout.moc"
