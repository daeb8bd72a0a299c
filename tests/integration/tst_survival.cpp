// SPDX-License-Identifier: Apache-2.0
// What may happen to a watch while the service runs: it goes on in place, proves itself anew and misses nothing.
#include "node.h"

#include <QFile>
#include <QTest>

#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

using namespace firstwatch;
using namespace firstwatch::test;
using journal::Event;
using journal::Kind;

namespace {

const QByteArray before = smallConflist("before");
const QByteArray after = smallConflist("after");

void fill(const NetDir &net)
{
    net.writeInPlace("10-a.conflist", after);
}

void makeDirectory(const QByteArray &path)
{
    if (::mkdir(path.constData(), 0755) != 0)
        qFatal("mkdir %s: errno %d", path.constData(), errno);
}

QByteArray oldPath(const QByteArray &path)
{
    return path + ".old";
}

void moveAway(const QByteArray &path)
{
    if (::rename(path.constData(), oldPath(path).constData()) != 0)
        qFatal("rename %s: errno %d", path.constData(), errno);
}

// Each leaves a net dir that holds "10-a.conflist" with the text `after`, not patched.
using Accident = void (*)(Node &node);

void removedAndMadeAgain(Node &node)
{
    node.removeNetDir();
    makeDirectory(node.net.path());
    fill(node.net);
}

void renamedAndMadeAgain(Node &node)
{
    moveAway(node.net.path());
    makeDirectory(node.net.path());
    fill(node.net);
}

void renamedAndBack(Node &node)
{
    moveAway(node.net.path());
    fill(NetDir(oldPath(node.net.path())));
    (void)eventually([&] { return !node.events(Kind::WatchLost).isEmpty(); });
    ::rename(oldPath(node.net.path()).constData(), node.net.path().constData());
}

void replacedByALink(Node &node)
{
    moveAway(node.net.path());
    makeDirectory(node.path("host/etc/cni/other"));
    fill(NetDir(node.path("host/etc/cni/other")));
    (void)!::symlink("other", node.net.path().constData());
}

void theWholeTreeReplaced(Node &node)
{
    moveAway(node.path("host/etc"));
    makeDirectory(node.path("host/etc"));
    makeDirectory(node.path("host/etc/cni"));
    makeDirectory(node.net.path());
    fill(node.net);
}

void exchangedForAPreparedOne(Node &node)
{
    const QByteArray prepared = node.path("host/etc/cni/prepared");
    makeDirectory(prepared);
    fill(NetDir(prepared));
    ::renameat2(AT_FDCWD, prepared.constData(), AT_FDCWD, node.net.path().constData(), RENAME_EXCHANGE);
}

int inNamespaceOf(Node &node, const QByteArray &script)
{
    return execute({ "nsenter", "-m", "-t", QByteArray::number(node.process.pid()), "sh", "-c", script, "sh",
        node.net.path(), node.path("other") });
}

bool hasMountNamespaces()
{
    return execute({ "unshare", "-m", "true" }) == 0;
}

} // namespace

Q_DECLARE_METATYPE(Accident)

class TestSurvival : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void p05_anOverflowLosesNothing()
    {
        QFile limit(QStringLiteral("/proc/sys/fs/inotify/max_queued_events"));
        QVERIFY(limit.open(QIODevice::ReadOnly));
        const int most = limit.readAll().trimmed().toInt();
        Node node;
        QVERIFY(node.startReady("10-a.conflist", before));
        node.process.send(SIGSTOP);
        for (int i = 0; i < most / 3 + 3600; ++i) { // each gives three events or more
            const QByteArray name = "other" + QByteArray::number(i);
            node.net.writeInPlace(name, "x");
            node.net.remove(name);
        }
        node.net.writeByRename("20-late.conflist", after);
        node.process.send(SIGCONT);
        QVERIFY(node.waitPatched("20-late.conflist", after));
        QVERIFY(node.waitFor(Kind::Overflow));
        QVERIFY(node.waitFor(Kind::PassBegin, { { QStringLiteral("reason"), QStringLiteral("overflow") } }));
        QVERIFY(node.hasOpenFinding(1004));
        QVERIFY(node.waitReady());
        QVERIFY(node.isPatched("10-a.conflist", before));
        QCOMPARE(node.stop(), 0);
    }

    void p06_anotherDirectoryIsWatchedProvenAndPatched_data()
    {
        QTest::addColumn<Accident>("accident");
        QTest::newRow("removed and made again") << Accident(removedAndMadeAgain);
        QTest::newRow("renamed and made again") << Accident(renamedAndMadeAgain);
        QTest::newRow("renamed and back") << Accident(renamedAndBack);
        QTest::newRow("replaced by a link") << Accident(replacedByALink);
        QTest::newRow("exchanged for a prepared one") << Accident(exchangedForAPreparedOne);
        QTest::newRow("the whole tree replaced") << Accident(theWholeTreeReplaced);
    }
    void p06_anotherDirectoryIsWatchedProvenAndPatched()
    {
        QFETCH(const Accident, accident);
        Node node;
        QVERIFY(node.startReady("10-a.conflist", before));
        accident(node);
        QVERIFY2(node.waitPatched("10-a.conflist", after), node.log().constData());
        QVERIFY(node.waitReady());
        QVERIFY(!node.net.read(kubeconfigName).isEmpty());
        QVERIFY(node.events(Kind::TokenRotated).isEmpty()); // written anew, but the same token

        const auto rearm = node.waitFor(Kind::PassBegin, { { QStringLiteral("reason"), QStringLiteral("rearm") } });
        QVERIFY(rearm);
        const QList<Event> proven = node.events(Kind::WatchProven);
        QVERIFY(proven.size() >= 2);
        QVERIFY(proven.at(1).seq < rearm->seq);
        node.net.writeByRename("10-a.conflist", before); // the new watch works
        QVERIFY(node.waitPatched("10-a.conflist", before));
        QCOMPARE(node.stop(), 0);
        QCOMPARE(node.net.names().join(' '), "10-a.conflist");
        QCOMPARE(node.net.read("10-a.conflist"), before);
    }

    // No event tells of a mount; it is found all the same, and so is what was below it when it goes.
    void p06_mountedOverAndUnmounted()
    {
        if (!hasMountNamespaces())
            QSKIP("needs a mount namespace");
        Node node;
        makeDirectory(node.path("other"));
        const NetDir other(node.path("other"));
        fill(other);
        node.net.writeInPlace("10-a.conflist", before);
        node.setWrapper({ "unshare", "-m" });
        node.start();
        QVERIFY(node.waitReady());
        QCOMPARE(inNamespaceOf(node, R"(mount --bind "$2" "$1")"), 0);
        QVERIFY(eventually([&] { return ownersText("10-a.conflist", other.read("10-a.conflist")) == after; }));
        QVERIFY(!other.read(kubeconfigName).isEmpty());
        QVERIFY(node.waitReady());

        node.net.writeByRename("10-a.conflist", after); // below the mount, where nobody looks
        QCOMPARE(inNamespaceOf(node, R"(umount --lazy "$1")"), 0);
        QVERIFY(node.waitPatched("10-a.conflist", after));
        QVERIFY(node.waitReady());
        QCOMPARE(node.stop(), 0);
    }

    // A bind mount holds on to the removed directory: nothing that is written to the host's new one can be seen.
    void p06_aDeadBindMountIsSaid()
    {
        if (!hasMountNamespaces())
            QSKIP("needs a mount namespace");
        Node node;
        makeDirectory(node.path("other"));
        node.setWrapper({ "unshare", "-m", "sh", "-c", R"(mount --bind "$0" "$1" && shift && exec "$@")",
            node.path("other"), node.net.path() });
        node.start();
        QVERIFY(node.waitReady());
        QVERIFY(eventually([&] {
            return execute({ "rm", "-rf", node.path("other") }) == 0;
        })); // the kubeconfig is put back
        QVERIFY(node.waitForFinding(1008));
        QVERIFY(node.waitNotReady());
        QVERIFY(node.process.isRunning());
    }

    // containerd#6490: a hundred times in a row, as fast as it goes.
    void p06_replacedAgainAndAgain()
    {
        Node node;
        node.start();
        QVERIFY(node.waitReady());
        for (int round = 0; round < 30; ++round) {
            const QByteArray text = smallConflist("round" + QByteArray::number(round));
            const QByteArray prepared = node.path("prepared.conflist");
            NetDir(node.path("")).writeInPlace("prepared.conflist", text);
            node.removeNetDir();
            makeDirectory(node.net.path());
            QCOMPARE(::rename(prepared.constData(), node.net.path("10-a.conflist").constData()), 0);
            QVERIFY2(node.waitPatched("10-a.conflist", text), node.log().constData());
        }
        QVERIFY(node.waitReady());
    }
};

QTEST_GUILESS_MAIN(TestSurvival)
#include "tst_survival.moc"
