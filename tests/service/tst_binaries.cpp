// SPDX-License-Identifier: Apache-2.0
#include "binarynode.h"
#include "execloop.h"
#include "sys/failpoint.h"

#include <QCryptographicHash>
#include <QTest>

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <sched.h>
#include <spawn.h>
#include <sys/wait.h>
#include <sys/xattr.h>

using namespace firstwatch;
using namespace firstwatch::service;
using namespace firstwatch::test;
using Outcome = Binaries::Outcome;

class tst_Binaries : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void cleanup() { sys::setFaults({}); }
    void installsRegularFilesOnly();
    void p41_noSpecialRightsWhateverTheSourceHas_data();
    void p41_noSpecialRightsWhateverTheSourceHas();
    void p41_groupOfTheDirectoryIsNotInherited();
    void p41_wrongRightsOnTheNodeAreRepaired_data();
    void p41_wrongRightsOnTheNodeAreRepaired();
    void p42_sameContentIsNotWritten();
    void p42_execLoopDuringCopies();
    void p42_runningBinarySurvives();
    void largeFilesAreCopiedWhole();
    void readOnlyDirectory_data();
    void readOnlyDirectory();
    void deletedOneComesBack();
    void linkOfTheNodeIsFollowedWhenItSwitches();
    void linkInThePlaceOfABinaryIsReplaced();
    void directoryInThePlaceOfABinary();
    void nothingToInstall();
    void missingTargetDirectory();
    void sourceIsTheTarget();
    void leftoversAreSwept();
    void removesOnlyOurs();
    void holds();
    void p45_nothingIsExecuted();

private:
    bool m_ownMounts = false;
};

void tst_Binaries::initTestCase()
{
    if (::geteuid() != 0)
        QSKIP("installing files that belong to root needs root");
    m_ownMounts = ::unshare(CLONE_NEWNS) == 0 && ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
}

void tst_Binaries::installsRegularFilesOnly()
{
    Node node;
    node.put("plugin", "one");
    node.put("other \xff", "two");
    node.put(".hidden", "x");
    node.put("firstwatchd", "x");
    node.put("firstwatch", "x");
    ::mkdir(node.source.path("directory").constData(), 0755);
    ::mkfifo(node.source.path("fifo").constData(), 0755);
    QCOMPARE(::symlink("plugin", node.source.path("link").constData()), 0);
    const QList<Binaries::Result> results = node.binaries.install();
    QCOMPARE(node.names(), (QList<QByteArray>{ "other \xff", "plugin" }));
    QCOMPARE(results.size(), 2);
    QCOMPARE(results.at(1).name, "plugin");
    QCOMPARE(results.at(1).outcome, Outcome::Installed);
    QCOMPARE(results.at(1).sha, QCryptographicHash::hash("one", QCryptographicHash::Sha256).toHex());
    QVERIFY(isInstalled(node, "plugin", "one"));
    QVERIFY(codes(results).isEmpty());
}

void tst_Binaries::p41_noSpecialRightsWhateverTheSourceHas_data()
{
    QTest::addColumn<uint>("mode");
    QTest::addColumn<uint>("mask");
    for (const uint mode : { 0755U, 04755U, 02755U, 06777U, 01777U, 0644U, 0400U, 0U }) {
        for (const uint mask : { 0U, 022U, 077U })
            QTest::addRow("%o umask %o", mode, mask) << mode << mask;
    }
}

void tst_Binaries::p41_noSpecialRightsWhateverTheSourceHas()
{
    QFETCH(uint, mode);
    QFETCH(uint, mask);
    Node node;
    node.put("plugin", "one");
    QCOMPARE(::chown(node.source.path("plugin").constData(), 1000, 1000), 0);
    QCOMPARE(::chmod(node.source.path("plugin").constData(), mode), 0);
    const mode_t oldMask = ::umask(mask);
    const Outcome outcome = node.installOne().outcome;
    ::umask(oldMask);
    QCOMPARE(outcome, Outcome::Installed);
    QVERIFY(isInstalled(node, "plugin", "one"));
}

void tst_Binaries::p41_groupOfTheDirectoryIsNotInherited()
{
    Node node;
    node.put("plugin", "one");
    QCOMPARE(::chown(node.target({}).constData(), 0, 1000), 0);
    QCOMPARE(::chmod(node.target({}).constData(), 02775), 0);
    QCOMPARE(node.installOne().outcome, Outcome::Installed);
    QVERIFY(isInstalled(node, "plugin", "one"));
}

void tst_Binaries::p41_wrongRightsOnTheNodeAreRepaired_data()
{
    QTest::addColumn<QByteArray>("wrong");
    QTest::newRow("SUID") << QByteArray("suid");
    QTest::newRow("writable by all") << QByteArray("777");
    QTest::newRow("owner") << QByteArray("owner");
    QTest::newRow("file capability") << QByteArray("capability");
}

void tst_Binaries::p41_wrongRightsOnTheNodeAreRepaired()
{
    QFETCH(QByteArray, wrong);
    Node node;
    node.put("plugin", "one");
    (void)node.installOne();
    QCOMPARE(node.installOne().outcome, Outcome::Unchanged);
    const QByteArray path = node.target("plugin");
    if (wrong == "suid")
        QCOMPARE(::chmod(path.constData(), 04755), 0);
    if (wrong == "777")
        QCOMPARE(::chmod(path.constData(), 0777), 0);
    if (wrong == "owner")
        QCOMPARE(::chown(path.constData(), 1000, 0), 0);
    if (wrong == "capability") {
        // struct vfs_cap_data, revision 2: CAP_NET_ADMIN permitted and effective (capabilities(7)).
        const quint32 data[]{ 0x02000001, 1U << 12, 0, 0, 0 };
        if (::setxattr(path.constData(), "security.capability", data, sizeof data, 0) != 0)
            QSKIP("this file system takes no file capabilities");
    }
    QCOMPARE(node.installOne().outcome, Outcome::Installed);
    QVERIFY(isInstalled(node, "plugin", "one"));
    QVERIFY(::getxattr(path.constData(), "security.capability", nullptr, 0) < 0);
    QCOMPARE(node.installOne().outcome, Outcome::Unchanged);
}

void tst_Binaries::p42_sameContentIsNotWritten()
{
    Node node;
    node.put("plugin", "one");
    (void)node.installOne();
    const struct stat before = statOf(node.target("plugin"));
    Binaries again(node.source.path(), node.host.path(), "/opt/bin"); // as after a restart: it knows nothing
    for (int i = 0; i < 2; ++i) {
        sys::setFaults({});
        QCOMPARE(again.install().first().outcome, Outcome::Unchanged);
        QVERIFY(!sys::passedPoints().contains("temp.create"));
        QCOMPARE(sys::passedPoints().contains("bin.read"), i == 0);
    }
    const struct stat after = statOf(node.target("plugin"));
    QCOMPARE(after.st_ino, before.st_ino);
    QCOMPARE(after.st_ctim.tv_nsec, before.st_ctim.tv_nsec);

    node.put("plugin", "two");
    QCOMPARE(again.install().first().outcome, Outcome::Installed);
    QVERIFY(isInstalled(node, "plugin", "two"));
    ::close(::open(node.target("plugin").constData(), O_WRONLY | O_TRUNC | O_CLOEXEC));
    QCOMPARE(again.install().first().outcome, Outcome::Installed);
    QVERIFY(isInstalled(node, "plugin", "two"));
}

void tst_Binaries::p42_execLoopDuringCopies()
{
    const QByteArray program = programText("/bin/true");
    QVERIFY(program.startsWith("\x7f"
                               "ELF"));
    Node node;
    node.put("plugin", program);
    (void)node.installOne();
    ExecLoop loop(node.target("plugin"));
    int copies = 0;
    for (int i = 0; i < 200; ++i) {
        node.put("plugin", program + QByteArray::number(i)); // what comes after an ELF image is not looked at
        copies += node.installOne().outcome == Outcome::Installed ? 1 : 0;
    }
    const ExecLoop::Count count = loop.stop();
    QCOMPARE(copies, 200);
    QVERIFY2(count.bad == 0, qPrintable(QStringLiteral("%1 failed, last %2").arg(count.bad).arg(count.lastError)));
    QVERIFY(count.good > 0);
}

void tst_Binaries::p42_runningBinarySurvives()
{
    Node node;
    node.put("plugin", programText("/bin/sleep"));
    (void)node.installOne();
    QByteArray path = node.target("plugin");
    char duration[] = "60";
    char *arguments[]{ path.data(), duration, nullptr };
    pid_t running = -1;
    QCOMPARE(::posix_spawn(&running, path.constData(), nullptr, nullptr, arguments, nullptr), 0);
    node.put("plugin", "two");
    const Outcome outcome = node.installOne().outcome;
    const bool alive = ::waitpid(running, nullptr, WNOHANG) == 0;
    ::kill(running, SIGKILL);
    ::waitpid(running, nullptr, 0);
    QCOMPARE(outcome, Outcome::Installed);
    QVERIFY(alive);
    QVERIFY(isInstalled(node, "plugin", "two"));
}

void tst_Binaries::largeFilesAreCopiedWhole()
{
    Node node;
    QByteArray large(3LL * 1024 * 1024 + 7, 'a');
    node.put("plugin", large);
    (void)node.installOne();
    QVERIFY(isInstalled(node, "plugin", large));
    large.back() = 'b';
    node.put("plugin", large);
    QCOMPARE(node.installOne().sha, QCryptographicHash::hash(large, QCryptographicHash::Sha256).toHex());
    QVERIFY(isInstalled(node, "plugin", large));
    node.put("plugin", "");
    (void)node.installOne();
    QVERIFY(isInstalled(node, "plugin", ""));
}

void tst_Binaries::readOnlyDirectory_data()
{
    QTest::addColumn<QByteArray>("there"); // null: nothing
    QTest::addColumn<uint>("mode");
    QTest::addColumn<int>("code");
    QTest::newRow("the right one") << QByteArray("one") << 0755U << 0;
    QTest::newRow("the right one, other mode") << QByteArray("one") << 0555U << 0;
    QTest::newRow("the right one with SUID") << QByteArray("one") << 04755U << 3004;
    QTest::newRow("the right one, not executable") << QByteArray("one") << 0644U << 3004;
    QTest::newRow("another one") << QByteArray("two") << 0755U << 3004;
    QTest::newRow("none") << QByteArray() << 0755U << 3002;
}

void tst_Binaries::readOnlyDirectory()
{
    QFETCH(QByteArray, there);
    QFETCH(uint, mode);
    QFETCH(int, code);
    if (!m_ownMounts)
        QSKIP("needs a mount namespace of its own");
    Node node;
    node.put("plugin", "one");
    if (!there.isNull()) {
        node.host.writeInPlace("opt/bin/plugin", there);
        QCOMPARE(::chmod(node.target("plugin").constData(), mode), 0);
    }
    const ReadOnlyMount mount(node.target({}));
    QVERIFY(mount.isThere());
    const Binaries::Result result = node.installOne();
    QCOMPARE(result.outcome, code == 0 ? Outcome::Unchanged : Outcome::Failed);
    QCOMPARE(codes({ result }), code == 0 ? QList<int>{} : QList<int>{ code });
    QCOMPARE(node.read("plugin"), QByteArray(there));
}

void tst_Binaries::deletedOneComesBack()
{
    Node node;
    node.put("plugin", "one");
    QVERIFY(codes({ node.installOne() }).isEmpty());
    for (int i = 0; i < 2; ++i) {
        QCOMPARE(::unlink(node.target("plugin").constData()), 0);
        const Binaries::Result result = node.installOne();
        QCOMPARE(result.outcome, Outcome::Installed);
        QCOMPARE(codes({ result }), QList<int>{ 3003 });
        QVERIFY(isInstalled(node, "plugin", "one"));
        QVERIFY(codes({ node.installOne() }).isEmpty());
    }
}

void tst_Binaries::linkOfTheNodeIsFollowedWhenItSwitches()
{
    Node node;
    node.put("plugin", "one");
    ::mkdir(node.host.path("hashA").constData(), 0755);
    ::mkdir(node.host.path("hashB").constData(), 0755);
    QCOMPARE(::symlink("/hashA", node.host.path("current").constData()), 0); // absolute, as the node sees it
    Binaries binaries(node.source.path(), node.host.path(), "/current");
    QCOMPARE(binaries.install().first().outcome, Outcome::Installed);
    QCOMPARE(node.host.read("hashA/plugin"), "one");
    node.host.remove("current");
    QCOMPARE(::symlink("hashB", node.host.path("current").constData()), 0);
    QCOMPARE(binaries.install().first().outcome, Outcome::Installed);
    QCOMPARE(node.host.read("hashB/plugin"), "one");
}

void tst_Binaries::linkInThePlaceOfABinaryIsReplaced()
{
    Node node;
    node.put("plugin", "one");
    node.host.writeInPlace("victim", "precious");
    QCOMPARE(::symlink("../../victim", node.target("plugin").constData()), 0);
    QCOMPARE(node.installOne().outcome, Outcome::Installed);
    QVERIFY(isInstalled(node, "plugin", "one"));
    QCOMPARE(node.host.read("victim"), "precious");
}

void tst_Binaries::directoryInThePlaceOfABinary()
{
    Node node;
    node.put("a", "one");
    node.put("b", "two");
    ::mkdir(node.target("a").constData(), 0755);
    const QList<Binaries::Result> results = node.binaries.install();
    QCOMPARE(codes(results), QList<int>{ 3002 });
    QVERIFY(Binaries::findings(results).first().text.startsWith(u"plugin binary a: "));
    QVERIFY(isInstalled(node, "b", "two"));
    QCOMPARE(node.names(), (QList<QByteArray>{ "a", "b" }));
}

void tst_Binaries::nothingToInstall()
{
    Node node;
    QCOMPARE(codes(node.binaries.install()), QList<int>{ 3001 });
    Binaries missing("/nonexistent/bin", node.host.path(), "/opt/bin");
    QCOMPARE(codes(missing.install()), QList<int>{ 3001 });
    QVERIFY(missing.remove().isEmpty());
}

void tst_Binaries::missingTargetDirectory()
{
    Node node;
    node.put("plugin", "one");
    Binaries binaries(node.source.path(), node.host.path(), "/later");
    const QList<Binaries::Result> results = binaries.install();
    QCOMPARE(codes(results), QList<int>{ 3002 });
    QVERIFY(Binaries::findings(results).first().text.contains(u"/later cannot be opened: No such file"));
    QVERIFY(binaries.remove().isEmpty());
    ::mkdir(node.host.path("later").constData(), 0755);
    QCOMPARE(binaries.install().first().outcome, Outcome::Installed);
    sys::setFaults("dir.open:errno=EACCES,skip=1");
    QCOMPARE(binaries.remove().first().outcome, Outcome::Failed);
}

void tst_Binaries::sourceIsTheTarget()
{
    Node node;
    node.put("plugin", "one", 0700);
    Binaries binaries(node.source.path(), "", node.source.path());
    QVERIFY(binaries.install().isEmpty());
    QVERIFY(binaries.remove().isEmpty());
    QCOMPARE(node.source.names(), QList<QByteArray>{ "plugin" });
    QCOMPARE(statOf(node.source.path("plugin")).st_mode & 07777, 0700U);
}

void tst_Binaries::leftoversAreSwept()
{
    Node node;
    node.put("plugin", "one");
    const auto leave = [&](const QByteArray &name) { node.host.writeInPlace("opt/bin/" + name, "x"); };
    const QList<QByteArray> notOurs{ ".plugin.firstwatch-ABCDEF", ".plugin.firstwatch-abc", ".plugin.new",
        "plugin.firstwatch-abc123" };
    for (const QByteArray &name : notOurs)
        leave(name);
    leave(".plugin.firstwatch-abc123");
    leave(".gone.firstwatch-000000");
    leave(".busy.firstwatch-000000");
    leave(".user.firstwatch-000000");
    QCOMPARE(::chown(node.target(".user.firstwatch-000000").constData(), 1000, 1000), 0);
    const int writer = ::open(node.target(".busy.firstwatch-000000").constData(), O_WRONLY | O_CLOEXEC);
    (void)node.installOne();
    ::close(writer);
    QList<QByteArray> expected =
        notOurs + QList<QByteArray>{ ".busy.firstwatch-000000", ".user.firstwatch-000000", "plugin" };
    std::sort(expected.begin(), expected.end());
    QCOMPARE(node.names(), expected);
}

void tst_Binaries::removesOnlyOurs()
{
    Node node;
    for (const QByteArray &name : QByteArrayList{ "changed", "kept", "link", "missing", "ours" })
        node.put(name, name);
    (void)node.binaries.install();
    node.host.writeInPlace("opt/bin/foreign", "x");
    node.host.writeInPlace("opt/bin/changed", "CHANGED");
    node.host.remove("opt/bin/missing");
    node.host.remove("opt/bin/link");
    QCOMPARE(::symlink("ours", node.target("link").constData()), 0);
    node.host.writeInPlace("opt/bin/.ours.firstwatch-abcdef", "x");
    QList<Outcome> outcomes;
    Binaries later(node.source.path(), node.host.path(), "/opt/bin"); // another process than the one that installed
    for (const Binaries::Result &result : later.remove({ "kept" }))
        outcomes.append(result.outcome);
    QCOMPARE(outcomes,
        (QList<Outcome>{ Outcome::Foreign, Outcome::Unchanged, Outcome::Foreign, Outcome::Removed, Outcome::Removed }));
    QCOMPARE(node.names(), (QList<QByteArray>{ "changed", "foreign", "kept", "link" }));

    (void)node.binaries.install();
    sys::setFaults("name.unlink:errno=EROFS");
    for (const Binaries::Result &result : later.remove())
        QCOMPARE(result.outcome, Outcome::Failed);
}

void tst_Binaries::holds()
{
    Node node;
    node.host.writeInPlace("opt/bin/plain", "x");
    QVERIFY(!node.binaries.holds("plain"));
    QCOMPARE(::chmod(node.target("plain").constData(), 0755), 0);
    QVERIFY(node.binaries.holds("plain"));
    QCOMPARE(::symlink("/nix/store/x", node.target("link").constData()), 0);
    QVERIFY(node.binaries.holds("link"));
    ::mkdir(node.target("directory").constData(), 0755);
    QVERIFY(!node.binaries.holds("directory"));
    QVERIFY(!node.binaries.holds("missing"));
}

void tst_Binaries::p45_nothingIsExecuted()
{
    Node node;
    const QByteArray mark = node.host.path("was-run");
    node.put("plugin", "#!/bin/sh\ntouch " + mark + '\n');
    (void)node.binaries.install();
    (void)node.binaries.install();
    (void)node.binaries.remove();
    QVERIFY(!node.host.exists("was-run"));
}

QTEST_GUILESS_MAIN(tst_Binaries)
#include "tst_binaries.moc"
