// SPDX-License-Identifier: Apache-2.0
// Not proven is not ready, and said: each way in which a proof cannot be had.
#include "node.h"
#include "notifysocket.h"

#include <QTest>

#include <csignal>

using namespace firstwatch;
using namespace firstwatch::test;
using journal::Kind;

namespace {

QByteArrayList inUserNamespace(const QByteArray &limit)
{
    return { "unshare", "-Ur", "sh", "-c", "echo 0 >/proc/sys/user/" + limit + R"( && exec "$@")", "sh" };
}

int raiseLimit(const Node &node, const QByteArray &limit)
{
    return execute({ "nsenter", "-U", "--preserve-credentials", "-t", QByteArray::number(node.process.pid()), "sh",
        "-c", "echo 1000 >/proc/sys/user/" + limit });
}

} // namespace

class TestUnproven : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void p03_unprovenIsNotReady_data()
    {
        QTest::addColumn<QByteArray>("faults");
        QTest::addColumn<int>("code");
        QTest::addColumn<QByteArray>("word");
        QTest::newRow("no inotify instance") << QByteArray("watch.init:errno=EMFILE") << 1002 << QByteArray("DEGRADED");
        QTest::newRow("no inotify watch") << QByteArray("watch.add:errno=ENOSPC") << 1003 << QByteArray("DEGRADED");
        QTest::newRow("watch refused") << QByteArray("watch.add:errno=EACCES") << 1005 << QByteArray("DEGRADED");
        QTest::newRow("the probe does not come back")
            << QByteArray("watch.read:drop=1") << 1007 << QByteArray("DEGRADED");
        QTest::newRow("the directory cannot be opened")
            << QByteArray("dir.open:errno=EACCES") << 1010 << QByteArray("BLIND");
    }
    void p03_unprovenIsNotReady()
    {
        QFETCH(const QByteArray, faults);
        QFETCH(const int, code);
        QFETCH(const QByteArray, word);
        Node node;
        NotifySocket systemd(node.path("notify"));
        node.set("NOTIFY_SOCKET", node.path("notify"));
        node.net.writeInPlace("10-a.conflist", smallConflist());
        node.setFaults(faults);
        node.start();
        QVERIFY(node.waitForFinding(code));
        QVERIFY(eventually([&] { return systemd.wasTold("STATUS=" + word); }));
        if (word == "DEGRADED") { // a fallback is no reason to leave pods without the plugin
            QVERIFY(node.waitPatched("10-a.conflist", smallConflist()));
            const auto begin = node.waitFor(Kind::PassBegin);
            QCOMPARE(begin->fields[QStringLiteral("evidence")].toString(), QStringLiteral("polling"));
        }
        QVERIFY(!node.isReady());
        QVERIFY(!systemd.wasTold("READY=1"));
        QVERIFY(node.events(Kind::WatchProven).isEmpty());
        QVERIFY(node.process.isRunning());
    }

    void p03_aProvenWatchIsReady()
    {
        Node node;
        NotifySocket systemd(node.path("notify"));
        node.set("NOTIFY_SOCKET", node.path("notify"));
        node.net.writeInPlace("10-a.conflist", smallConflist());
        node.start();
        QVERIFY(node.waitReady());
        QVERIFY(eventually([&] { return systemd.told().contains("READY=1\nSTATUS=OK"); }));
        QVERIFY(!systemd.told().contains("READY=1\nSTATUS=STARTING"));
        QVERIFY(node.isPatched("10-a.conflist", smallConflist()));
        QCOMPARE(node.stop(), 0);
        QVERIFY(!node.isReady());
        QVERIFY(systemd.wasTold("STOPPING=1"));
    }

    // Without a config there is no further event after the pass that would bring the word.
    void p03_anEmptyDirectoryIsReadyAndWaiting()
    {
        Node node;
        NotifySocket systemd(node.path("notify"));
        node.set("NOTIFY_SOCKET", node.path("notify"));
        node.start();
        QVERIFY(node.waitReady());
        QVERIFY(eventually([&] { return systemd.told().contains("READY=1\nSTATUS=WAITING"); }));
    }

    void p03_aMissingDirectoryIsNotReady()
    {
        Node node;
        node.set("DEST_CNI_NET_DIR", "/etc/cni/later.d");
        node.start();
        QVERIFY(node.waitForFinding(1009));
        QVERIFY(!node.isReady());
        const NetDir later(node.path("host/etc/cni/later.d"));
        QCOMPARE(::mkdir(later.path().constData(), 0755), 0);
        QVERIFY(node.waitReady());
        later.writeInPlace("10-a.conflist", smallConflist());
        QVERIFY(eventually([&] { return ownersText("10-a.conflist", later.read("10-a.conflist")).has_value(); }));
    }

    // Its loss and its absence are over when there is one again, be it only polled.
    void p03_aDirectoryThatCameIsNotMissingAnyMore()
    {
        Node node;
        node.set("DEST_CNI_NET_DIR", "/etc/cni/later.d");
        node.start({ "--poll" });
        QVERIFY(node.waitForFinding(1009));
        QCOMPARE(::mkdir(node.path("host/etc/cni/later.d").constData(), 0755), 0);
        QVERIFY(node.waitFor(Kind::PassEnd));
        QVERIFY(!node.hasOpenFinding(1009));
    }

    // Permissions that the service has lost: said as what they are, and nothing has to be started again afterwards.
    void p03_aForbiddenDirectoryIsNotReady()
    {
        const QByteArrayList wrapper{ "setpriv", "--bounding-set=-all", "--inh-caps=-all" };
        if (execute(wrapper + QByteArrayList{ "true" }) != 0)
            QSKIP("needs setpriv and root");
        Node node;
        node.setWrapper(wrapper);
        QVERIFY(node.startReady("10-a.conflist", smallConflist("first")));
        QCOMPARE(::chmod(node.net.path().constData(), 0), 0);
        QVERIFY(node.waitNotReady());
        QVERIFY(node.waitForFinding(1010));
        node.net.writeByRename("10-a.conflist", smallConflist("meanwhile"));
        QCOMPARE(::chmod(node.net.path().constData(), 0755), 0);
        QVERIFY(node.waitPatched("10-a.conflist", smallConflist("meanwhile")));
        QVERIFY(node.waitReady());
        QVERIFY(!node.hasOpenFinding(1010));
        QVERIFY(node.waitFor(Kind::PassBegin, { { QStringLiteral("reason"), QStringLiteral("rearm") } }));
    }

    void p03_aLostWatchIsNotReadyAnyMore()
    {
        Node node;
        node.net.writeInPlace("10-a.conflist", smallConflist());
        node.start();
        QVERIFY(node.waitReady());
        QCOMPARE(::rename(node.net.path().constData(), node.path("host/etc/cni/away").constData()), 0);
        QVERIFY(node.waitNotReady());
        QVERIFY(node.waitFor(Kind::WatchLost));
        QCOMPARE(::rename(node.path("host/etc/cni/away").constData(), node.net.path().constData()), 0);
        QVERIFY(node.waitReady());
    }

    // A directory that cannot be written to: the watch can be proven by the other probe, but nothing can be patched.
    void p03_aReadOnlyDirectoryIsNotReady()
    {
        if (execute({ "unshare", "-m", "true" }) != 0)
            QSKIP("needs a mount namespace");
        Node node;
        node.set("FIRSTWATCH_SERVICE_ACCOUNT_DIR", node.path("none"));
        node.net.writeInPlace("10-a.conflist", smallConflist());
        node.setWrapper({ "unshare", "-m", "sh", "-c",
            R"(mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@")", node.net.path() });
        node.start();
        QVERIFY(node.waitForFinding(1201, "10-a.conflist"));
        const auto proven = node.waitFor(Kind::WatchProven);
        QVERIFY(proven);
        QCOMPARE(proven->fields[QStringLiteral("probe")].toString(), QStringLiteral("open"));
        QVERIFY(!node.isReady());
        QVERIFY(node.process.isRunning());
    }

    // In a user namespace of its own the limits can be used up without touching anybody else.
    void p04_usedUpLimitsMeanLabelledPolling_data()
    {
        QTest::addColumn<QByteArray>("limit");
        QTest::addColumn<int>("code");
        QTest::newRow("instances") << QByteArray("max_inotify_instances") << 1002;
        QTest::newRow("watches") << QByteArray("max_inotify_watches") << 1003;
    }
    void p04_usedUpLimitsMeanLabelledPolling()
    {
        QFETCH(const QByteArray, limit);
        QFETCH(const int, code);
        if (execute({ "unshare", "-Ur", "true" }) != 0)
            QSKIP("needs a user namespace");
        Node node;
        node.net.writeInPlace("10-a.conflist", smallConflist("first"));
        node.setWrapper(inUserNamespace(limit));
        node.start();
        QVERIFY(node.waitForFinding(code));
        const auto finding = node.waitFor(Kind::FindingOpen, { { QStringLiteral("code"), code } });
        const QString text = finding->fields[QStringLiteral("text")].toString();
        QVERIFY2(text.contains(QStringLiteral("limit reached")) && text.contains(QStringLiteral("sysctl -w")),
            qPrintable(text));
        QVERIFY(!text.contains(QStringLiteral("No space left")));
        QVERIFY(node.waitFor(Kind::WatchPolling));
        QVERIFY(node.waitPatched("10-a.conflist", smallConflist("first")));
        node.net.writeByRename("10-a.conflist", smallConflist("polled"));
        QVERIFY(node.waitPatched("10-a.conflist", smallConflist("polled")));
        QVERIFY(!node.isReady());

        QCOMPARE(raiseLimit(node, limit), 0);
        QVERIFY(node.waitReady());
        QVERIFY(!node.hasOpenFinding(code));
        const auto proven = node.waitFor(Kind::WatchProven);
        const auto pass = node.waitFor(Kind::PassBegin, { { QStringLiteral("evidence"), QStringLiteral("proof") } });
        QVERIFY(proven && pass && proven->seq < pass->seq);
        node.net.writeByRename("10-a.conflist", smallConflist("watched"));
        QVERIFY(node.waitPatched("10-a.conflist", smallConflist("watched")));
        QCOMPARE(node.stop(), 0);
        QCOMPARE(node.net.read("10-a.conflist"), smallConflist("watched"));
    }
};

QTEST_GUILESS_MAIN(TestUnproven)
#include "tst_unproven.moc"
