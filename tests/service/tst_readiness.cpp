// SPDX-License-Identifier: Apache-2.0
#include "service/readiness.h"

#include "netdir.h"
#include "sys/failpoint.h"
#include "sys/filedescriptor.h"

#include <QTest>

#include <algorithm>
#include <cstddef>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

using namespace firstwatch;
using namespace firstwatch::service;

namespace {

// What systemd does: a datagram socket at a path, or at "@name" in the abstract space.
class NotifySocket {
public:
    explicit NotifySocket(const QByteArray &name)
        : m_socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0))
    {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::copy(name.begin(), name.end(), address.sun_path);
        if (name.startsWith('@'))
            address.sun_path[0] = '\0';
        const void *const raw = &address;
        const auto length = socklen_t(offsetof(sockaddr_un, sun_path) + size_t(name.size()));
        if (::bind(m_socket.get(), static_cast<const sockaddr *>(raw), length) != 0)
            qFatal("bind %s", name.constData());
    }
    // The next datagram, empty when none came.
    [[nodiscard]] QByteArray next() const
    {
        char buffer[1024];
        const ssize_t size = ::recv(m_socket.get(), buffer, sizeof buffer, 0);
        return size > 0 ? QByteArray(buffer, qsizetype(size)) : QByteArray();
    }

private:
    sys::FileDescriptor m_socket;
};

} // namespace

class tst_Readiness : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup() { sys::setFaults({}); }
    void p03_leftoverIsRemovedAtOnce();
    void p03_fileIsThereOnlyWhileReady();
    void fileAppearsWhole();
    void unwritableDirectoryIsSaidAndTriedAgain();
    void tellsSystemd_data();
    void tellsSystemd();
    void oneLineOfStatus();
    void fullSocketNeverBlocks();
};

void tst_Readiness::p03_leftoverIsRemovedAtOnce()
{
    const test::NetDir runtime;
    runtime.writeInPlace("ready", "ready\n");
    runtime.writeInPlace(".ready.firstwatch-abc123", "");
    Readiness readiness(runtime.path("ready"), {});
    readiness.set(false, {});
    QCOMPARE(runtime.names().size(), 2); // they may be another one's, who works
    readiness.takeOverFile();
    QVERIFY(!readiness.isReady());
    QCOMPARE(runtime.names(), QList<QByteArray>());
    QCOMPARE(readiness.error(), QString());
}

void tst_Readiness::p03_fileIsThereOnlyWhileReady()
{
    const test::NetDir runtime;
    Readiness readiness(runtime.path("ready"), {});
    readiness.takeOverFile();
    readiness.set(true, {});
    QCOMPARE(runtime.names(), QList<QByteArray>{ "ready" });
    QVERIFY(readiness.isReady());
    readiness.set(false, {});
    QVERIFY(!runtime.exists("ready"));
    readiness.set(true, {});
    QVERIFY(runtime.exists("ready"));
    readiness.stopping({});
    QVERIFY(!runtime.exists("ready") && !readiness.isReady());
}

void tst_Readiness::fileAppearsWhole()
{
    const test::NetDir runtime;
    Readiness readiness(runtime.path("ready"), {});
    readiness.takeOverFile();
    sys::setFaults("rename.plain:errno=EIO");
    readiness.set(true, {});
    QCOMPARE(runtime.names(), QList<QByteArray>());
    QVERIFY(!readiness.error().isEmpty());
    sys::setFaults({});
    readiness.set(true, {});
    QCOMPARE(runtime.read("ready"), "ready\n");
    QCOMPARE(readiness.error(), QString());
}

void tst_Readiness::unwritableDirectoryIsSaidAndTriedAgain()
{
    const test::NetDir parent;
    Readiness readiness(parent.path("run/ready"), {});
    readiness.takeOverFile();
    QCOMPARE(readiness.error(), QString());
    readiness.set(true, {});
    QVERIFY(!readiness.error().isEmpty());
    QCOMPARE(::mkdir(parent.path("run").constData(), 0700), 0);
    readiness.set(true, {});
    QVERIFY(parent.exists("run/ready"));
    QCOMPARE(readiness.error(), QString());
}

void tst_Readiness::tellsSystemd_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("path") << QByteArray("path");
    QTest::newRow("abstract") << "@firstwatch-test-" + QByteArray::number(::getpid());
}

void tst_Readiness::tellsSystemd()
{
    QFETCH(QByteArray, name);
    const test::NetDir runtime;
    const QByteArray address = name == "path" ? runtime.path("notify") : name;
    const NotifySocket systemd(address);
    Readiness readiness(runtime.path("ready"), address);
    readiness.takeOverFile();
    QCOMPARE(systemd.next(), "");
    readiness.set(false, QStringLiteral("STARTING"));
    QCOMPARE(systemd.next(), "STATUS=STARTING");
    readiness.set(true, QStringLiteral("OK"));
    QCOMPARE(systemd.next(), "READY=1\nSTATUS=OK");
    readiness.set(true, QStringLiteral("OK"));
    QCOMPARE(systemd.next(), "");
    readiness.set(true, QStringLiteral("OK, 2 files"));
    QCOMPARE(systemd.next(), "READY=1\nSTATUS=OK, 2 files");
    readiness.stopping(QStringLiteral("undoing"));
    QCOMPARE(systemd.next(), "STOPPING=1\nSTATUS=undoing");
}

void tst_Readiness::oneLineOfStatus()
{
    const test::NetDir runtime;
    const NotifySocket systemd(runtime.path("notify"));
    Readiness readiness(runtime.path("ready"), runtime.path("notify"));
    readiness.takeOverFile();
    readiness.set(false, QStringLiteral("a\nREADY=1"));
    QCOMPARE(systemd.next(), "STATUS=a READY=1");
}

void tst_Readiness::fullSocketNeverBlocks()
{
    const test::NetDir runtime;
    const NotifySocket systemd(runtime.path("notify"));
    Readiness readiness(runtime.path("ready"), runtime.path("notify"));
    readiness.takeOverFile();
    for (int i = 0; i < 5000; ++i)
        readiness.set(false, QString::number(i));
    while (!systemd.next().isEmpty()) { }
    readiness.set(false, QStringLiteral("4999"));
    QCOMPARE(systemd.next(), "STATUS=4999");
    Readiness tooLong(runtime.path("ready"), QByteArray(200, 'x'));
    tooLong.set(true, {});
    QVERIFY(tooLong.isReady());
}

QTEST_GUILESS_MAIN(tst_Readiness)
#include "tst_readiness.moc"
