// SPDX-License-Identifier: Apache-2.0
#include "service/lock.h"

#include "netdir.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <csignal>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace firstwatch;
using namespace firstwatch::service;

namespace {

// Another process that took the lock (and, when asked, waits for it) and lives until it is killed.
class OtherProcess {
public:
    enum class Does { Holds, Waits };
    OtherProcess(const QByteArrayList &directories, Does does)
    {
        int ready[2];
        if (::pipe2(ready, O_CLOEXEC) != 0)
            qFatal("pipe2");
        m_pid = ::fork();
        if (m_pid == 0) {
            InstanceLock lock(directories, "/host", "/etc/cni/net.d");
            const bool done = does == Does::Holds ? lock.tryTake() : lock.waitAsNext();
            (void)!::write(ready[1], done ? "y" : "n", 1);
            for (;;)
                ::pause();
        }
        char answer = 'n';
        m_succeeded = ::read(ready[0], &answer, 1) == 1 && answer == 'y';
        ::close(ready[0]);
        ::close(ready[1]);
    }
    OtherProcess(const OtherProcess &) = delete;
    OtherProcess &operator=(const OtherProcess &) = delete;
    ~OtherProcess() { kill(); }
    void kill()
    {
        if (m_pid > 0) {
            ::kill(m_pid, SIGKILL);
            ::waitpid(m_pid, nullptr, 0);
        }
        m_pid = -1;
    }
    [[nodiscard]] bool succeeded() const { return m_succeeded; }
    [[nodiscard]] pid_t pid() const { return m_pid; }

private:
    pid_t m_pid = -1;
    bool m_succeeded = false;
};

InstanceLock lockIn(const QByteArrayList &directories)
{
    return { directories, "/host", "/etc/cni/net.d" };
}

} // namespace

class tst_Lock : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void oneHolder();
    void holderIsShown();
    void otherNetDirIsAnotherLock();
    void p23_killedHolderFreesTheLock();
    void p23_holderSeesItsSuccessor();
    void onlyOneIsNext();
    void successorStopsWaitingOnceItHolds();
    void createsTheDirectoryForRootAlone();
    void fallsBackToTheSecondDirectory();
    void worksWithoutAnyDirectory();
    void neverFollowsALink();
};

void tst_Lock::oneHolder()
{
    const test::NetDir runtime;
    InstanceLock first = lockIn({ runtime.path() });
    InstanceLock second = lockIn({ runtime.path() });
    QVERIFY(first.tryTake());
    QVERIFY(first.isTaken() && first.tryTake());
    QVERIFY(!second.tryTake());
    QVERIFY(!second.isTaken());
    first = lockIn({ runtime.path() });
    QVERIFY(second.tryTake());
}

void tst_Lock::holderIsShown()
{
    const test::NetDir runtime;
    const OtherProcess other({ runtime.path() }, OtherProcess::Does::Holds);
    QVERIFY(other.succeeded());
    const InstanceLock lock = lockIn({ runtime.path() });
    const QJsonObject holder = QJsonDocument::fromJson(lock.holder()).object();
    QCOMPARE(holder.value(u"pid").toInt(), other.pid());
    QVERIFY(!holder.value(u"host").toString().isEmpty());
    QVERIFY(holder.value(u"since").toString().endsWith(u'Z'));
    QVERIFY(!lock.holder().contains('\n'));
}

void tst_Lock::otherNetDirIsAnotherLock()
{
    const test::NetDir runtime;
    InstanceLock first({ runtime.path() }, "/host", "/etc/cni/net.d");
    InstanceLock second({ runtime.path() }, "/host", "/etc/cni/other");
    QVERIFY(first.tryTake() && second.tryTake());
    QCOMPARE(runtime.names().size(), 4);
    QCOMPARE(runtime.names().first().size(), 16 + 5);
}

void tst_Lock::p23_killedHolderFreesTheLock()
{
    const test::NetDir runtime;
    OtherProcess other({ runtime.path() }, OtherProcess::Does::Holds);
    QVERIFY(other.succeeded());
    InstanceLock lock = lockIn({ runtime.path() });
    QVERIFY(!lock.tryTake());
    other.kill();
    QVERIFY(lock.tryTake());
    QCOMPARE(QJsonDocument::fromJson(lock.holder()).object().value(u"pid").toInt(), ::getpid());
}

void tst_Lock::p23_holderSeesItsSuccessor()
{
    const test::NetDir runtime;
    InstanceLock lock = lockIn({ runtime.path() });
    QVERIFY(lock.tryTake());
    QVERIFY(!lock.successorWaiting());
    OtherProcess other({ runtime.path() }, OtherProcess::Does::Waits);
    QVERIFY(other.succeeded());
    QVERIFY(lock.successorWaiting());
    other.kill();
    QVERIFY(!lock.successorWaiting());
}

void tst_Lock::onlyOneIsNext()
{
    const test::NetDir runtime;
    OtherProcess other({ runtime.path() }, OtherProcess::Does::Waits);
    InstanceLock lock = lockIn({ runtime.path() });
    QVERIFY(!lock.waitAsNext());
    other.kill();
    QVERIFY(lock.waitAsNext());
    QVERIFY(lock.waitAsNext());
}

void tst_Lock::successorStopsWaitingOnceItHolds()
{
    const test::NetDir runtime;
    OtherProcess holder({ runtime.path() }, OtherProcess::Does::Holds);
    InstanceLock lock = lockIn({ runtime.path() });
    QVERIFY(lock.waitAsNext());
    holder.kill();
    QVERIFY(lock.tryTake());
    const OtherProcess third({ runtime.path() }, OtherProcess::Does::Waits);
    QVERIFY(third.succeeded());
    QVERIFY(lock.successorWaiting());
}

void tst_Lock::createsTheDirectoryForRootAlone()
{
    const test::NetDir parent;
    InstanceLock lock = lockIn({ parent.path("run") });
    QVERIFY(lock.tryTake());
    struct stat info { };
    QCOMPARE(::stat(parent.path("run").constData(), &info), 0);
    QCOMPARE(info.st_mode & 07777, 0700U);
}

void tst_Lock::fallsBackToTheSecondDirectory()
{
    const test::NetDir second;
    InstanceLock lock = lockIn({ "/proc/firstwatch", second.path() });
    QVERIFY(lock.findings().isEmpty());
    QVERIFY(lock.tryTake());
    QCOMPARE(second.names().size(), 2);
}

void tst_Lock::worksWithoutAnyDirectory()
{
    InstanceLock lock = lockIn({ "/proc/firstwatch", "/nonexistent/a" });
    QCOMPARE(lock.findings().size(), 1);
    QCOMPARE(lock.findings().first().code, 1403);
    QVERIFY(lock.findings().first().text.contains(u"/proc/firstwatch: "));
    QVERIFY(lock.tryTake());
    QVERIFY(!lock.waitAsNext() && !lock.successorWaiting() && lock.holder().isEmpty());
}

void tst_Lock::neverFollowsALink()
{
    const test::NetDir runtime;
    const test::NetDir elsewhere;
    elsewhere.writeInPlace("victim", "precious");
    {
        InstanceLock lock = lockIn({ runtime.path() });
        QVERIFY(lock.tryTake());
    }
    const QByteArray name = runtime.names().first();
    runtime.remove(name);
    QCOMPARE(::symlink(elsewhere.path("victim").constData(), runtime.path(name).constData()), 0);
    InstanceLock lock = lockIn({ runtime.path() });
    QCOMPARE(lock.findings().size(), 1);
    QVERIFY(lock.tryTake());
    QCOMPARE(elsewhere.read("victim"), "precious");
}

QTEST_GUILESS_MAIN(tst_Lock)
#include "tst_lock.moc"
