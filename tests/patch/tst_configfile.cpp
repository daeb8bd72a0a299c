// SPDX-License-Identifier: Apache-2.0
#include "patch/configfile.h"

#include "netdir.h"
#include "sys/failpoint.h"

#include <QTest>

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

using namespace firstwatch;
using namespace firstwatch::patch;
using namespace firstwatch::test;

namespace {
const QByteArray hostDir = "/etc/cni/net.d";
}

class tst_ConfigFile : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { m_dir.emplace(); }
    void cleanup()
    {
        sys::setFaults({});
        for (const QByteArray &name : m_dir->names())
            ::unlink(m_dir->path(name).constData()); // QTemporaryDir cannot remove a name that is not UTF-8
    }
    void readsBytesOfAnyName_data();
    void readsBytesOfAnyName();
    void p11_whatIsNoFileIsNotOpened_data();
    void p11_whatIsNoFileIsNotOpened();
    void p11_hugeFileIsNotRead();
    void missingIsNoError();
    void unreadableSaysWhy();
    void p19_linksStayInside_data();
    void p19_linksStayInside();
    void p19_openNeverFollowsALink();
    void quietAfterASecond();

private:
    ConfigFile read(const QByteArray &name)
    {
        m_fd = sys::openDirectory({}, m_dir->path());
        return readConfig(m_fd.get(), name, hostDir);
    }
    void link(const QByteArray &target, const QByteArray &name)
    {
        QCOMPARE(::symlink(target.constData(), m_dir->path(name).constData()), 0);
    }
    std::optional<NetDir> m_dir;
    sys::FileDescriptor m_fd;
};

void tst_ConfigFile::readsBytesOfAnyName_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("plain") << QByteArray("10-a.conflist");
    QTest::newRow("255 bytes") << QByteArray(246, 'x') + ".conflist";
    QTest::newRow("newline") << QByteArray("a\nb.conf");
    QTest::newRow("not UTF-8") << QByteArray("\xff\xfe\x80.json");
    QTest::newRow("leading dash") << QByteArray("-rf.conf");
    QTest::newRow("space and quote") << QByteArray(" ' \".conf");
}

void tst_ConfigFile::readsBytesOfAnyName()
{
    QFETCH(QByteArray, name);
    const QByteArray text("any\0bytes\xff", 10);
    m_dir->writeInPlace(name, text);
    const ConfigFile file = read(name);
    QCOMPARE(file.status, ReadStatus::Ok);
    QCOMPARE(file.name, name);
    QCOMPARE(file.text, text);
    QCOMPARE(file.info.st_size, text.size());
    QVERIFY(file.fd.isValid());
}

void tst_ConfigFile::p11_whatIsNoFileIsNotOpened_data()
{
    QTest::addColumn<int>("type");
    QTest::newRow("FIFO") << int(S_IFIFO);
    QTest::newRow("device") << int(S_IFCHR);
    QTest::newRow("socket") << int(S_IFSOCK);
    QTest::newRow("directory") << int(S_IFDIR);
}

void tst_ConfigFile::p11_whatIsNoFileIsNotOpened()
{
    QFETCH(int, type);
    const QByteArray path = m_dir->path("a.conf");
    const int made = type == int(S_IFDIR) ? ::mkdir(path.constData(), 0700)
                                          : ::mknod(path.constData(), mode_t(type) | 0600, makedev(1, 5)); // /dev/zero
    QCOMPARE(made, 0);
    sys::setFaults({});
    QCOMPARE(read("a.conf").status, ReadStatus::NotRegular);
    QVERIFY(!sys::passedPoints().contains("file.open"));
    link("a.conf", "b.conf");
    QCOMPARE(read("b.conf").status, ReadStatus::NotRegular); // and without waiting for a writer of the FIFO
}

void tst_ConfigFile::p11_hugeFileIsNotRead()
{
    m_dir->writeInPlace("a.conf", "{");
    QCOMPARE(::truncate(m_dir->path("a.conf").constData(), 64LL * 1024 * 1024), 0);
    sys::setFaults({});
    QCOMPARE(read("a.conf").status, ReadStatus::TooLarge);
    QVERIFY(!sys::passedPoints().contains("file.read"));
    QCOMPARE(::truncate(m_dir->path("a.conf").constData(), largestConfig), 0);
    QCOMPARE(read("a.conf").status, ReadStatus::Ok);
    QCOMPARE(::truncate(m_dir->path("a.conf").constData(), largestConfig + 1), 0);
    QCOMPARE(read("a.conf").status, ReadStatus::TooLarge);
}

void tst_ConfigFile::missingIsNoError()
{
    QCOMPARE(read("a.conf").status, ReadStatus::Missing);
}

void tst_ConfigFile::unreadableSaysWhy()
{
    m_dir->writeInPlace("a.conf", "{}");
    QCOMPARE(::chmod(m_dir->path("a.conf").constData(), 0), 0);
    sys::setFaults("file.open:errno=EACCES"); // what mode 000 gives to everyone but root
    ConfigFile file = read("a.conf");
    QCOMPARE(file.status, ReadStatus::Failed);
    QCOMPARE(file.error, EACCES);
    sys::setFaults("file.read:errno=EIO");
    file = read("a.conf");
    QCOMPARE(file.status, ReadStatus::Failed);
    QCOMPARE(file.error, EIO);
}

void tst_ConfigFile::p19_linksStayInside_data()
{
    QTest::addColumn<QByteArray>("target");
    QTest::addColumn<ReadStatus>("status");
    QTest::addColumn<QByteArray>("name");
    const QByteArray none;
    QTest::newRow("inside") << QByteArray("real.txt") << ReadStatus::Ok << QByteArray("real.txt");
    QTest::newRow("inside, dot") << QByteArray("./real.txt") << ReadStatus::Ok << QByteArray("real.txt");
    QTest::newRow("inside, by the host's path") << hostDir + "/real.txt" << ReadStatus::Ok << QByteArray("real.txt");
    QTest::newRow("link to link") << QByteArray("hop") << ReadStatus::Ok << QByteArray("real.txt");
    QTest::newRow("dangling") << QByteArray("not-yet") << ReadStatus::LinkOutside << QByteArray("not-yet");
    QTest::newRow("loop") << QByteArray("a.conflist") << ReadStatus::LinkOutside << none;
    QTest::newRow("absolute") << QByteArray("/etc/hostname") << ReadStatus::LinkOutside << none;
    QTest::newRow("up") << QByteArray("../real.txt") << ReadStatus::LinkOutside << none;
    QTest::newRow("up and in again") << QByteArray("sub/../real.txt") << ReadStatus::LinkOutside << none;
    QTest::newRow("host dir itself") << hostDir << ReadStatus::LinkOutside << none;
    QTest::newRow("up from the host's path") << hostDir + "/../passwd" << ReadStatus::LinkOutside << none;
    QTest::newRow("root") << QByteArray("/real.txt") << ReadStatus::LinkOutside << none;
    QTest::newRow("dot") << QByteArray(".") << ReadStatus::LinkOutside << none;
}

void tst_ConfigFile::p19_linksStayInside()
{
    QFETCH(QByteArray, target);
    QFETCH(ReadStatus, status);
    QFETCH(QByteArray, name);
    m_dir->writeInPlace("real.txt", "text");
    link("real.txt", "hop");
    link(target, "a.conflist");
    const ConfigFile file = read("a.conflist");
    QCOMPARE(file.status, status);
    QCOMPARE(file.name, name);
    QCOMPARE(file.text, status == ReadStatus::Ok ? QByteArray("text") : QByteArray());
    // Where the directory's own path is not known, no absolute link is inside.
    if (target.startsWith('/'))
        QCOMPARE(readConfig(m_fd.get(), "a.conflist", {}).status, ReadStatus::LinkOutside);
}

void tst_ConfigFile::p19_openNeverFollowsALink()
{
    link("/etc/hostname", "a.conflist");
    sys::FileDescriptor directory = sys::openDirectory({}, m_dir->path());
    QVERIFY(!sys::openFile(directory.get(), "a.conflist").isValid());
    QCOMPARE(errno, ELOOP);
}

void tst_ConfigFile::quietAfterASecond()
{
    ConfigFile file;
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    file.info.st_mtim = now;
    QVERIFY(!isQuiet(file));
    file.info.st_mtim.tv_sec = now.tv_sec - 2;
    QVERIFY(isQuiet(file));
    file.info.st_mtim.tv_sec = now.tv_sec + 3600; // the clock was set back meanwhile
    QVERIFY(isQuiet(file));
}

QTEST_GUILESS_MAIN(tst_ConfigFile)
#include "tst_configfile.moc"
