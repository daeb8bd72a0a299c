// SPDX-License-Identifier: Apache-2.0
// Binaries, directories and permissions as nodes have them.
#include "node.h"

#include <QTest>

#include <fcntl.h>
#include <sys/xattr.h>

using namespace firstwatch;
using namespace firstwatch::test;
using journal::Kind;

namespace {

const QByteArray owner = smallConflist("owner");
constexpr uid_t someUser = 1234;

struct stat statOf(const QByteArray &path)
{
    struct stat info { };
    (void)::lstat(path.constData(), &info);
    return info;
}

mode_t modeOf(const QByteArray &path)
{
    return statOf(path).st_mode & 07777;
}

void copyFile(const QByteArray &from, const QByteArray &to)
{
    if (execute({ "cp", from, to }) != 0)
        qFatal("cp %s", from.constData());
}

} // namespace

class TestPlaces : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void p41_installedBinariesArePlain_data()
    {
        QTest::addColumn<int>("mode");
        QTest::newRow("set-user-id") << 04755;
        QTest::newRow("set-group-id") << 02755;
        QTest::newRow("writable for all") << 0777;
        QTest::newRow("not executable") << 0644;
    }
    void p41_installedBinariesArePlain()
    {
        QFETCH(const int, mode);
        Node node;
        ::chmod(node.source.path(pluginType).constData(), mode_t(mode));
        node.start();
        QVERIFY(node.waitReady());
        QCOMPARE(modeOf(node.bin.path(pluginType)), mode_t(0755));
        QCOMPARE(statOf(node.bin.path(pluginType)).st_uid, ::geteuid());
        QCOMPARE(node.bin.read(pluginType), node.source.read(pluginType));
    }

    void p42_theSameBinaryIsNotRewritten()
    {
        Node node;
        node.start();
        QVERIFY(node.waitReady());
        const ino_t inode = statOf(node.bin.path(pluginType)).st_ino;
        node.crash();
        node.start();
        QVERIFY(node.waitFor(Kind::PassEnd));
        QVERIFY(node.waitReady());
        QCOMPARE(statOf(node.bin.path(pluginType)).st_ino, inode);
        QVERIFY(node.events(Kind::BinaryInstalled).isEmpty());
    }

    // An old version runs: it goes on with its own file, the new one is there for the next call ("Text file busy").
    void p42_aRunningBinarySurvives()
    {
        Node node;
        copyFile("/bin/sleep", node.bin.path(pluginType));
        const ino_t inode = statOf(node.bin.path(pluginType)).st_ino;
        Process running;
        running.start({ node.bin.path(pluginType), "600" }, {}, "/dev/null", "/dev/null");
        node.start();
        QVERIFY(node.waitReady());
        QVERIFY(running.isRunning());
        QVERIFY(statOf(node.bin.path(pluginType)).st_ino != inode);
        QCOMPARE(node.bin.read(pluginType), node.source.read(pluginType));
    }

    // Somebody runs the plugin all the time while its image changes again and again: it is always a whole file.
    void p42_readersSeeWholeBinaries()
    {
        Node node;
        const QByteArray first = "#!/bin/sh\nexit 7\n" + QByteArray(300'000, '#');
        const QByteArray second = "#!/bin/sh\nexit 7\n" + QByteArray(400'000, '+');
        node.source.writeByRename(pluginType, first);
        node.start();
        QVERIFY(node.waitReady());
        for (int round = 0; round < 20; ++round) {
            node.source.writeByRename(pluginType, round % 2 == 0 ? second : first);
            node.bin.remove(pluginType); // what makes the service look
            QVERIFY(eventually([&] { return node.bin.exists(pluginType); }));
            QCOMPARE(execute({ node.bin.path(pluginType) }), 7);
            QVERIFY(node.bin.read(pluginType) == first || node.bin.read(pluginType) == second);
        }
    }

    // flannel-io/flannel#1721: a package upgrade wiped the directory.
    void aDeletedBinaryIsPutBack()
    {
        Node node;
        QVERIFY(node.startReady("10-a.conflist", owner));
        node.bin.remove(pluginType);
        QVERIFY(eventually([&] { return node.bin.read(pluginType) == node.source.read(pluginType); }));
        QVERIFY(node.waitForFinding(3003));
        QCOMPARE(::rename(node.bin.path().constData(), node.path("host/opt/cni/wiped").constData()), 0);
        QVERIFY(eventually([&] { return node.hasOpenFinding(3002); }));
        QVERIFY(node.waitNotReady());
        QCOMPARE(::mkdir(node.bin.path().constData(), 0755), 0);
        QVERIFY(eventually([&] { return node.bin.read(pluginType) == node.source.read(pluginType); }));
        QVERIFY(node.waitReady());
    }

    // k3s: /opt/cni/bin is a link to a directory that changes with each release.
    void aBinDirThatIsALinkIsFollowed()
    {
        Node node;
        const NetDir first(node.path("host/opt/cni/hash-a"));
        const NetDir second(node.path("host/opt/cni/hash-b"));
        const QByteArray link = node.path("host/opt/cni/current");
        ::mkdir(first.path().constData(), 0755);
        ::mkdir(second.path().constData(), 0755);
        QCOMPARE(::symlink("hash-a", link.constData()), 0);
        node.set("DEST_CNI_BIN_DIR", "/opt/cni/current");
        node.start();
        QVERIFY(node.waitReady());
        QVERIFY(first.exists(pluginType));
        const QByteArray next = link + ".new";
        QCOMPARE(::symlink("hash-b", next.constData()), 0);
        QCOMPARE(::rename(next.constData(), link.constData()), 0);
        QVERIFY2(eventually([&] { return second.exists(pluginType); }), node.log().constData());
        QVERIFY(node.waitReady());
    }

    void aReadOnlyBinDir_data()
    {
        QTest::addColumn<bool>("isRight");
        QTest::newRow("with the right binary") << true;
        QTest::newRow("with another one") << false;
    }
    void aReadOnlyBinDir()
    {
        QFETCH(const bool, isRight);
        if (execute({ "unshare", "-m", "true" }) != 0)
            QSKIP("needs a mount namespace");
        Node node;
        node.net.writeInPlace("10-a.conflist", owner);
        node.bin.writeInPlace(pluginType, isRight ? node.source.read(pluginType) : "another");
        ::chmod(node.bin.path(pluginType).constData(), 0755);
        node.setWrapper({ "unshare", "-m", "sh", "-c",
            R"(mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@")", node.bin.path() });
        node.start();
        if (isRight) {
            QVERIFY(node.waitReady());
            QVERIFY(!node.hasOpenFinding(3004));
        } else {
            QVERIFY(node.waitForFinding(3004));
        }
        QVERIFY(node.waitPatched("10-a.conflist", owner)); // a plugin of that name is there in both
    }

    // istio#36821: one binary cannot be copied. No config names what is not there; the rest is said.
    void noConfigNamesABinaryThatIsNotThere()
    {
        Node node;
        node.net.writeInPlace("10-a.conflist", owner);
        node.setFaults("temp.write:errno=ENOSPC,count=40");
        node.start();
        QVERIFY(node.waitForFinding(3002));
        QVERIFY(!node.isReady());
        QCOMPARE(node.net.read("10-a.conflist"), owner);
        QVERIFY(node.waitPatched("10-a.conflist", owner)); // once there is space again
        QVERIFY(node.bin.exists(pluginType));
        QVERIFY(node.waitReady());
    }

    void p15_modeOwnerAndAttributesStay_data()
    {
        QTest::addColumn<int>("mode");
        QTest::addColumn<int>("mask");
        for (const int mode : { 0600, 0640, 0644 }) {
            for (const int mask : { 0, 077 })
                QTest::addRow("mode %o, umask %o", unsigned(mode), unsigned(mask)) << mode << mask;
        }
    }
    void p15_modeOwnerAndAttributesStay()
    {
        QFETCH(const int, mode);
        QFETCH(const int, mask);
        if (::geteuid() != 0)
            QSKIP("needs root to give files away");
        Node node;
        const QByteArray file = node.net.path("10-a.conflist");
        node.net.writeInPlace("10-a.conflist", owner);
        QCOMPARE(::chown(file.constData(), 0, someUser), 0);
        QCOMPARE(::chmod(file.constData(), mode_t(mode)), 0);
        const bool hasAttributes = ::setxattr(file.constData(), "user.label", "kept", 4, 0) == 0;
        node.setWrapper({ "sh", "-c", "umask $0 && exec \"$@\"", QByteArray::number(mask, 8) });
        node.start();
        QVERIFY(node.waitPatched("10-a.conflist", owner));
        QVERIFY(node.waitReady());
        const auto check = [&] {
            char value[8] = {};
            QCOMPARE(modeOf(file), mode_t(mode));
            QCOMPARE(statOf(file).st_uid, uid_t(0));
            QCOMPARE(statOf(file).st_gid, gid_t(someUser));
            if (hasAttributes)
                QCOMPARE(::getxattr(file.constData(), "user.label", value, sizeof value), ssize_t(4));
        };
        check();
        QCOMPARE(modeOf(node.net.path(kubeconfigName)), mode_t(0600));
        QCOMPARE(node.stop(), 0);
        check();
        QCOMPARE(node.net.read("10-a.conflist"), owner);
    }

    // SELinux and the like: files can be read, none can be made. Said with path and reason, retried, no crash loop.
    void aRefusedWriteIsSaidAndTriedAgain()
    {
        Node node;
        node.net.writeInPlace("10-a.conflist", owner);
        node.set("FIRSTWATCH_SERVICE_ACCOUNT_DIR", node.path("none"));
        node.bin.writeInPlace(pluginType, node.source.read(pluginType));
        ::chmod(node.bin.path(pluginType).constData(), 0755);
        node.setFaults("temp.create:errno=EACCES,count=4");
        node.start();
        QVERIFY(node.waitForFinding(1205, "10-a.conflist"));
        QVERIFY(!node.isReady());
        QVERIFY(node.waitPatched("10-a.conflist", owner));
        QVERIFY(node.waitReady());
        QVERIFY(!node.hasOpenFinding(1205));
    }
};

QTEST_GUILESS_MAIN(TestPlaces)
#include "tst_places.moc"
