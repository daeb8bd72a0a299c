// SPDX-License-Identifier: Apache-2.0
#include "service/netdirlock.h"

#include "netdir.h"
#include "sys/syscalls.h"

#include <QTest>

#include <csignal>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace firstwatch;
using namespace firstwatch::service;

namespace {

sys::FileDescriptor opened(const test::NetDir &directory)
{
    return sys::openDirectory({}, directory.path(""));
}

} // namespace

class tst_NetDirLock : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void p23_oneHolder()
    {
        const test::NetDir netDir;
        const sys::FileDescriptor directory = opened(netDir);
        NetDirLock holder;
        NetDirLock other;
        QVERIFY(holder.tryTake(directory.get()));
        QVERIFY(holder.tryTake(directory.get()));
        QVERIFY(!other.tryTake(directory.get()));
        QVERIFY(!other.tryTake(directory.get()));
        holder.release();
        QVERIFY(other.tryTake(directory.get()));
        QVERIFY(!holder.tryTake(directory.get()));
        QCOMPARE(netDir.names(), QList<QByteArray>()); // nothing is written for it
    }

    void p23_holderSeesItsSuccessors()
    {
        const test::NetDir netDir;
        const sys::FileDescriptor directory = opened(netDir);
        NetDirLock holder;
        NetDirLock second;
        QVERIFY(!holder.successorWaiting());
        QVERIFY(holder.tryTake(directory.get()));
        QVERIFY(!holder.successorWaiting());
        QVERIFY(!second.tryTake(directory.get()));
        {
            NetDirLock third;
            QVERIFY(!third.tryTake(directory.get()));
            QVERIFY(holder.successorWaiting());
            QVERIFY(!second.successorWaiting()); // only who works is followed
        }
        QVERIFY(holder.successorWaiting());
        holder.release();
        QVERIFY(second.tryTake(directory.get()));
        QVERIFY(!second.successorWaiting());
    }

    void p23_killedHolderFreesTheLock()
    {
        const test::NetDir netDir;
        const sys::FileDescriptor directory = opened(netDir);
        int answer[2];
        QCOMPARE(::pipe2(answer, O_CLOEXEC), 0);
        const pid_t child = ::fork();
        if (child == 0) {
            NetDirLock lock;
            (void)!::write(answer[1], lock.tryTake(directory.get()) ? "y" : "n", 1);
            for (;;)
                ::pause();
        }
        char held = 'n';
        QCOMPARE(::read(answer[0], &held, 1), 1);
        QCOMPARE(held, 'y');
        NetDirLock lock;
        QVERIFY(!lock.tryTake(directory.get()));
        QCOMPARE(::kill(child, SIGKILL), 0);
        QCOMPARE(::waitpid(child, nullptr, 0), child);
        QVERIFY(lock.tryTake(directory.get()));
    }

    void aDirectoryMadeAgainIsAnotherLock()
    {
        const test::NetDir parent;
        const QByteArray path = parent.path("net.d");
        QCOMPARE(::mkdir(path.constData(), 0755), 0);
        const sys::FileDescriptor before = sys::openDirectory({}, path);
        NetDirLock holder;
        QVERIFY(holder.tryTake(before.get()));
        QCOMPARE(::rmdir(path.constData()), 0);
        QCOMPARE(::mkdir(path.constData(), 0755), 0);
        const sys::FileDescriptor after = sys::openDirectory({}, path);
        NetDirLock other;
        QVERIFY(other.tryTake(after.get()));
        QVERIFY(!holder.tryTake(after.get()));
        QVERIFY(other.successorWaiting());
    }

    void withoutADirectoryThereIsNoRival()
    {
        NetDirLock one;
        NetDirLock other;
        QVERIFY(one.tryTake(-1));
        QVERIFY(other.tryTake(-1));
        QVERIFY(!one.successorWaiting());
    }
};

QTEST_GUILESS_MAIN(tst_NetDirLock)
#include "tst_netdirlock.moc"
