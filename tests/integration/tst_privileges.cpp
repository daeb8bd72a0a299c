// SPDX-License-Identifier: Apache-2.0
// What the service needs, and what it never does: no capability, no other program.
#include "node.h"
#include "schedule.h"

#include <QTest>

#include <csignal>

using namespace firstwatch;
using namespace firstwatch::test;
using journal::Kind;

namespace {

const QByteArray owner = smallConflist("owner");

const QByteArrayList withoutCapabilities{ "setpriv", "--bounding-set=-all", "--inh-caps=-all", "--no-new-privs" };

bool canRun(const QByteArrayList &wrapper)
{
    return execute(wrapper + QByteArrayList{ "true" }) == 0;
}

} // namespace

class TestPrivileges : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void p45_neverExecutesAnything()
    {
        Node node;
        const QByteArrayList strace{ "strace", "-D", "-f", "-q", "-e", "trace=execve,execveat", "-o",
            node.path("trace") };
        if (!canRun({ "strace", "-q", "-o", "/dev/null" }))
            QSKIP("needs strace");
        node.net.writeInPlace("10-a.conflist", owner);
        node.setWrapper(strace);
        node.set("ASAN_OPTIONS", "detect_leaks=0"); // its leak search does not work under ptrace(2)
        node.start();
        QVERIFY(node.waitReady());
        node.net.writeByRename("20-b.conf", R"({"cniVersion":"0.4.0","name":"b","type":"bridge"})");
        QVERIFY(eventually([&] { return node.net.exists("20-b.conflist"); }));
        node.bin.remove(pluginType);
        QVERIFY(eventually([&] { return node.bin.exists(pluginType); }));
        node.account.rotate("another");
        QVERIFY(eventually([&] { return node.net.read(kubeconfigName).contains("another"); }));
        QCOMPARE(node.stop(), 0);
        const auto trace = [&] { return NetDir(node.path("")).read("trace"); };
        QVERIFY(eventually([&] { return trace().contains("exited with 0"); }));
        QCOMPARE(trace().count("execve"), 1);
    }

    // Root without any right beyond that of owning the directories: as the DaemonSet runs it.
    void p46_theMainJobNeedsNoCapability()
    {
        if (!canRun(withoutCapabilities))
            QSKIP("needs setpriv and root");
        Node node;
        node.net.writeInPlace("10-a.conflist", owner);
        node.net.writeInPlace("20-b.conf", R"({"cniVersion":"0.4.0","name":"b","type":"bridge"})");
        ::chmod(node.net.path().constData(), 0700);
        ::chmod(node.bin.path().constData(), 0700);
        node.setWrapper(withoutCapabilities);
        node.start();
        QVERIFY2(node.waitReady(), node.log().constData());
        QVERIFY(node.isPatched("10-a.conflist", owner));
        QVERIFY(node.net.exists("20-b.conflist"));
        const auto witness = node.waitFor(Kind::WatchWitness);
        QCOMPARE(witness->fields[QStringLiteral("witness")].toString(), QStringLiteral("confirmed"));
        everyChangeIsFollowed(node);
        QCOMPARE(node.stop(), 0);
        QCOMPARE(node.net.names().join(' '), "10-a.conflist 20-b.conf");
        QCOMPARE(node.bin.names().join(' '), "");
    }

    // A config of another user: patched, and what could not be kept is said; never a wider mode.
    void p46_aForeignOwnerCannotBeKeptWithoutCapability()
    {
        if (!canRun(withoutCapabilities))
            QSKIP("needs setpriv and root");
        Node node;
        node.net.writeInPlace("10-a.conflist", owner);
        const QByteArray file = node.net.path("10-a.conflist");
        QCOMPARE(::chown(file.constData(), 1234, 1234), 0);
        QCOMPARE(::chmod(file.constData(), 0644), 0);
        node.setWrapper(withoutCapabilities);
        node.start();
        QVERIFY2(node.waitPatched("10-a.conflist", owner), node.log().constData());
        QVERIFY(node.waitForFinding(1206, "10-a.conflist"));
        struct stat info { };
        QCOMPARE(::stat(file.constData(), &info), 0);
        QCOMPARE(info.st_mode & 0022, 0U);
        QCOMPARE(node.stop(), 0);
        QCOMPARE(node.net.read("10-a.conflist"), owner);
    }

private:
    static void everyChangeIsFollowed(Node &node)
    {
        const QByteArray newer = smallConflist("newer");
        node.net.writeInTwo("10-a.conflist", newer, 1000);
        QVERIFY(node.waitPatched("10-a.conflist", newer));
        node.account.rotate("another");
        QVERIFY(eventually([&] { return node.net.read(kubeconfigName).contains("another"); }));
        QCOMPARE(::rename(node.net.path().constData(), node.path("host/etc/cni/old").constData()), 0);
        QCOMPARE(::mkdir(node.net.path().constData(), 0700), 0);
        node.net.writeInPlace("10-a.conflist", owner);
        node.net.writeInPlace("20-b.conf", R"({"cniVersion":"0.4.0","name":"b","type":"bridge"})");
        QVERIFY(node.waitPatched("10-a.conflist", owner));
        QVERIFY(eventually([&] { return node.net.exists("20-b.conflist") && !node.net.exists("20-b.conf"); }));
        node.bin.remove(pluginType);
        QVERIFY(eventually([&] { return node.bin.exists(pluginType); }));
        QVERIFY(node.waitReady());
    }
};

QTEST_GUILESS_MAIN(TestPrivileges)
#include "tst_privileges.moc"
