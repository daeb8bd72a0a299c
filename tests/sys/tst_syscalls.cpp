// SPDX-License-Identifier: Apache-2.0
#include "sys/syscalls.h"

#include "netdir.h"

#include <QTest>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/xattr.h>

using namespace firstwatch;

class tst_Syscalls : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void absoluteLinksStayInsideThePrefix_data();
    void absoluteLinksStayInsideThePrefix();
    void openDirectoryRefuses_data();
    void openDirectoryRefuses();
    void identityTellsDirectoriesApart();
    void listHasEveryName();
    void p19_openFileNeverLeavesTheDirectory_data();
    void p19_openFileNeverLeavesTheDirectory();
    void p11_aFifoDoesNotBlock();
    void readIsLimited();
    void leaseTellsWhoWrites();
    void attributesAreCopied();
    void attributesOfTheTargetDoNotStay();
    void manyAndLargeAttributesAreCopied();
    void exchangeSwapsBothNames();
    void renameNewNeverReplaces();
    void createIsExclusive();

private:
    static sys::FileDescriptor opened(const test::NetDir &dir) { return sys::openDirectory({}, dir.path()); }
};

void tst_Syscalls::absoluteLinksStayInsideThePrefix_data()
{
    QTest::addColumn<QByteArray>("target");
    QTest::newRow("absolute") << QByteArray("/real");
    QTest::newRow("relative") << QByteArray("../real");
    QTest::newRow("above the root") << QByteArray("../../../../../../real");
    QTest::newRow("through another link") << QByteArray("/chain");
}

void tst_Syscalls::absoluteLinksStayInsideThePrefix()
{
    QFETCH(QByteArray, target);
    const test::NetDir root;
    QCOMPARE(::mkdir(root.path("real").constData(), 0700), 0);
    QCOMPARE(::mkdir(root.path("etc").constData(), 0700), 0);
    QCOMPARE(::symlink("/real", root.path("chain").constData()), 0);
    QCOMPARE(::symlink(target.constData(), root.path("etc/net.d").constData()), 0);
    const sys::FileDescriptor directory = sys::openDirectory(root.path(), "/etc/net.d");
    QVERIFY(directory.isValid());
    QCOMPARE(sys::pathOf(directory.get()), root.path("real"));
}

void tst_Syscalls::openDirectoryRefuses_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<int>("error");
    QTest::newRow("missing") << QByteArray("/missing") << ENOENT;
    QTest::newRow("a file") << QByteArray("/file") << ENOTDIR;
    QTest::newRow("a loop") << QByteArray("/loop") << ELOOP;
    QTest::newRow("a link to what only the outer root has") << QByteArray("/outer") << ENOENT;
}

void tst_Syscalls::openDirectoryRefuses()
{
    QFETCH(QByteArray, name);
    QFETCH(int, error);
    const test::NetDir root;
    root.writeInPlace("file", "");
    QCOMPARE(::symlink("/loop", root.path("loop").constData()), 0);
    QCOMPARE(::symlink("/usr/lib", root.path("outer").constData()), 0);
    errno = 0;
    QVERIFY(!sys::openDirectory(root.path(), name).isValid());
    QCOMPARE(errno, error);
}

void tst_Syscalls::identityTellsDirectoriesApart()
{
    const test::NetDir root;
    const QByteArray path = root.path("d");
    QCOMPARE(::mkdir(path.constData(), 0700), 0);
    const sys::FileDescriptor held = sys::openDirectory({}, path);
    sys::Identity before;
    sys::Identity again;
    QVERIFY(sys::identify(held.get(), before) && sys::identify(sys::openDirectory({}, path).get(), again));
    QVERIFY(before.sameDirectory(again) && before.links > 0);
    QCOMPARE(::rmdir(path.constData()), 0);
    QCOMPARE(::mkdir(path.constData(), 0700), 0);
    QVERIFY(sys::identify(held.get(), again) && again.links == 0);
    QVERIFY(sys::identify(sys::openDirectory({}, path).get(), again));
    QVERIFY2(!before.sameDirectory(again), "a held directory's inode number must not be given out again");
}

void tst_Syscalls::listHasEveryName()
{
    const test::NetDir dir;
    QList<QByteArray> expected{ QByteArray(255, 'n'), "new\nline", "\xff\xfe", ".hidden", " " };
    for (int i = 0; i < 1000; ++i)
        expected.append("file" + QByteArray::number(i));
    for (const QByteArray &name : expected)
        dir.writeInPlace(name, {});
    const sys::FileDescriptor directory = opened(dir);
    std::sort(expected.begin(), expected.end());
    for (int round = 0; round < 2; ++round) { // a second time: the position of the held descriptor stays
        QList<QByteArray> names;
        QVERIFY(sys::listDirectory(directory.get(), names));
        std::sort(names.begin(), names.end());
        QCOMPARE(names, expected);
    }
    dir.remove("\xff\xfe"); // QTemporaryDir cannot remove what is not UTF-8
}

void tst_Syscalls::p19_openFileNeverLeavesTheDirectory_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("link to a neighbour") << QByteArray("link");
    QTest::newRow("link to outside") << QByteArray("outside");
    QTest::newRow("dangling") << QByteArray("dangling");
    QTest::newRow("below a linked directory") << QByteArray("linked/file");
    QTest::newRow("the parent") << QByteArray("../secret");
    QTest::newRow("absolute") << QByteArray("/etc/passwd");
}

void tst_Syscalls::p19_openFileNeverLeavesTheDirectory()
{
    QFETCH(QByteArray, name);
    const test::NetDir root;
    const QByteArray path = root.path("net.d");
    QCOMPARE(::mkdir(path.constData(), 0700), 0);
    root.writeInPlace("secret", "secret");
    root.writeInPlace("net.d/file", "text");
    QCOMPARE(::symlink("file", QByteArray(path + "/link").constData()), 0);
    QCOMPARE(::symlink("../secret", QByteArray(path + "/outside").constData()), 0);
    QCOMPARE(::symlink("nothing", QByteArray(path + "/dangling").constData()), 0);
    QCOMPARE(::symlink(".", QByteArray(path + "/linked").constData()), 0);
    const sys::FileDescriptor directory = sys::openDirectory({}, path);
    QVERIFY(sys::openFile(directory.get(), "file").isValid());
    QVERIFY(!sys::openFile(directory.get(), name).isValid());
}

void tst_Syscalls::p11_aFifoDoesNotBlock()
{
    const test::NetDir dir;
    QCOMPARE(::mkfifo(dir.path("fifo").constData(), 0600), 0);
    const sys::FileDescriptor directory = opened(dir);
    // Nobody writes: open(2) without O_NONBLOCK would wait here until the test is killed.
    const sys::FileDescriptor fifo = sys::openFile(directory.get(), "fifo");
    struct stat info { };
    QVERIFY(sys::statFile(fifo.get(), info) && S_ISFIFO(info.st_mode));
    QVERIFY(sys::openFollowing(directory.get(), "fifo").isValid());
}

void tst_Syscalls::readIsLimited()
{
    const test::NetDir dir;
    dir.writeInPlace("f", QByteArray(50'000, 'x'));
    const sys::FileDescriptor file = sys::openFile(opened(dir).get(), "f");
    QByteArray text;
    QVERIFY(sys::readAll(file.get(), 60'000, text));
    QCOMPARE(text.size(), qsizetype(50'000));
    QVERIFY(sys::readAll(file.get(), 50'000, text)); // from the start again
    QCOMPARE(text.size(), qsizetype(50'000));
    QVERIFY(sys::readAll(file.get(), 100, text));
    QCOMPARE(text.size(), qsizetype(101)); // one more, so that the caller sees that there is more
}

void tst_Syscalls::leaseTellsWhoWrites()
{
    ::signal(SIGIO, SIG_IGN);
    const test::NetDir dir;
    dir.writeInPlace("f", "text");
    const sys::FileDescriptor file = sys::openFile(opened(dir).get(), "f");
    QCOMPARE(sys::askLease(file.get()), sys::Lease::NobodyWrites);
    {
        const sys::FileDescriptor writer(::open(dir.path("f").constData(), O_WRONLY | O_CLOEXEC));
        QCOMPARE(sys::askLease(file.get()), sys::Lease::SomebodyWrites);
    }
    QCOMPARE(sys::askLease(file.get()), sys::Lease::NobodyWrites);
    // Released at once: a writer who comes now is not kept waiting.
    QVERIFY(sys::FileDescriptor(::open(dir.path("f").constData(), O_WRONLY | O_NONBLOCK | O_CLOEXEC)).isValid());
    QCOMPARE(sys::askLease(opened(dir).get()), sys::Lease::Refused); // a directory has none
}

void tst_Syscalls::attributesAreCopied()
{
    const test::NetDir dir;
    dir.writeInPlace("from", {});
    dir.writeInPlace("to", {});
    if (::setxattr(dir.path("from").constData(), "user.a", "one\0two", 7, 0) != 0)
        QSKIP("no extended attributes on this file system");
    const sys::FileDescriptor directory = opened(dir);
    const sys::FileDescriptor from = sys::openFile(directory.get(), "from");
    const sys::FileDescriptor to(::open(dir.path("to").constData(), O_RDWR | O_CLOEXEC));
    QVERIFY(sys::copyAttributes(from.get(), to.get()).isEmpty());
    char value[16];
    QCOMPARE(::fgetxattr(to.get(), "user.a", value, sizeof value), ssize_t(7));
    QCOMPARE(QByteArray(value, 7), QByteArray("one\0two", 7));
}

void tst_Syscalls::attributesOfTheTargetDoNotStay()
{
    const test::NetDir dir;
    dir.writeInPlace("from", {});
    dir.writeInPlace("to", {});
    if (::setxattr(dir.path("to").constData(), "user.b", "1", 1, 0) != 0)
        QSKIP("no extended attributes on this file system");
    const sys::FileDescriptor from = sys::openFile(opened(dir).get(), "from");
    const sys::FileDescriptor to(::open(dir.path("to").constData(), O_RDWR | O_CLOEXEC));
    QVERIFY(sys::copyAttributes(from.get(), to.get()).isEmpty());
    QCOMPARE(::fgetxattr(to.get(), "user.b", nullptr, 0), ssize_t(-1));
}

// The limits are those of xattr(7), 64 KiB each; only some file systems take that much.
void tst_Syscalls::manyAndLargeAttributesAreCopied()
{
    QTemporaryDir place(QStringLiteral("/dev/shm/tst_syscalls-XXXXXX"));
    const QByteArray path = place.path().toUtf8();
    const sys::FileDescriptor directory = sys::openDirectory({}, path);
    const sys::FileDescriptor from = sys::createExclusive(directory.get(), "from", 0600);
    const sys::FileDescriptor to = sys::createExclusive(directory.get(), "to", 0600);
    const QByteArray large(20'000, 'x');
    if (::fsetxattr(from.get(), "user.large", large.constData(), size_t(large.size()), 0) != 0)
        QSKIP("no large attributes on this tmpfs");
    for (int i = 0; i < 100; ++i) { // 100 names of 80 bytes
        const QByteArray name = "user." + QByteArray::number(i).rightJustified(80, 'n');
        QCOMPARE(::fsetxattr(from.get(), name.constData(), "v", 1, 0), 0);
    }
    QCOMPARE(sys::copyAttributes(from.get(), to.get()), QList<QByteArray>());
    QCOMPARE(::fgetxattr(to.get(), "user.large", nullptr, 0), ssize_t(large.size()));
    QCOMPARE(::flistxattr(to.get(), nullptr, 0), ::flistxattr(from.get(), nullptr, 0));
}

void tst_Syscalls::exchangeSwapsBothNames()
{
    const test::NetDir dir;
    dir.writeInPlace("a", "of a");
    dir.writeInPlace("b", "of b");
    const sys::FileDescriptor directory = opened(dir);
    QVERIFY(sys::exchangeNames(directory.get(), "a", "b"));
    QCOMPARE(dir.read("a"), QByteArray("of b"));
    QCOMPARE(dir.read("b"), QByteArray("of a"));
    QVERIFY(!sys::exchangeNames(directory.get(), "a", "missing"));
    QCOMPARE(errno, ENOENT);
    QCOMPARE(dir.names(), (QList<QByteArray>{ "a", "b" }));
}

void tst_Syscalls::renameNewNeverReplaces()
{
    const test::NetDir dir;
    dir.writeInPlace("a", "of a");
    dir.writeInPlace("b", "of b");
    const sys::FileDescriptor directory = opened(dir);
    QVERIFY(!sys::renameNew(directory.get(), "a", "b"));
    QCOMPARE(errno, EEXIST);
    QCOMPARE(dir.read("b"), QByteArray("of b"));
    QVERIFY(sys::renameNew(directory.get(), "a", "c"));
    QCOMPARE(dir.names(), (QList<QByteArray>{ "b", "c" }));
}

void tst_Syscalls::createIsExclusive()
{
    const test::NetDir dir;
    const sys::FileDescriptor directory = opened(dir);
    const mode_t before = ::umask(0);
    const sys::FileDescriptor created = sys::createExclusive(directory.get(), "t", 0600);
    ::umask(before);
    struct stat info { };
    QVERIFY(sys::statFile(created.get(), info));
    QCOMPARE(int(info.st_mode & 07777), 0600);
    QVERIFY(!sys::createExclusive(directory.get(), "t", 0600).isValid());
    QCOMPARE(errno, EEXIST);
    QCOMPARE(::symlink("elsewhere", dir.path("link").constData()), 0);
    QVERIFY(!sys::createExclusive(directory.get(), "link", 0600).isValid());
    QVERIFY(!dir.exists("elsewhere"));
}

QTEST_GUILESS_MAIN(tst_Syscalls)
#include "tst_syscalls.moc"
