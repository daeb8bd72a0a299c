// SPDX-License-Identifier: Apache-2.0
#include "watchedroom.h"

#include "sys/failpoint.h"

#include <QSignalSpy>
#include <QTest>

#include <cstdio>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

using namespace firstwatch;
using test::patienceMs;
using test::runUntil;
using test::WatchedRoom;
using watch::DirectoryWatch;

// The path stays, what stands there does not. Each case ends with events of the new directory.
class tst_Replaced : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup() { sys::setFaults({}); }
    void p06_directoryRemoved_data() { test::addFileSystemRows(); }
    void p06_directoryRemoved();
    void p06_directoryRecreated_data() { test::addFileSystemRows(); }
    void p06_directoryRecreated();
    void p06_directoryRenamed_data() { test::addFileSystemRows(); }
    void p06_directoryRenamed();
    void p06_directoryRenamedAndBack();
    void p06_directoryReplacedByLink();
    void p06_linkSwitched();
    void p06_parentReplaced();
    void p06_madeStepByStep();
    void p06_trailingSlash();
    void p06_replacedWhileTheProofStarts();
    void p05_lostInAnOverflow();

private:
    static void makeDirectory(const QByteArray &path) { QCOMPARE(::mkdir(path.constData(), 0700), 0); }
    static void move(const QByteArray &from, const QByteArray &to)
    {
        QCOMPARE(::rename(from.constData(), to.constData()), 0);
    }
    static void removeAll(const QByteArray &path)
    {
        std::error_code error;
        std::filesystem::remove_all(path.constData(), error);
        QVERIFY(!error);
    }
    // The slow timer would find all of this too, in the end; here it must not be what helps.
    static void startWithoutTimer(WatchedRoom &room)
    {
        room.options.identityMs = 3'600'000;
        room.start();
        QTRY_VERIFY_WITH_TIMEOUT(room.isProven(), patienceMs);
        room.forget();
    }
    static void hearsTheNewDirectory(WatchedRoom &room)
    {
        QVERIFY(runUntil([&room] { return room.order.endsWith("ready"); }));
        QVERIFY(room.isProven());
        QVERIFY(!room.evidenceBeforeProof);
        struct stat held { };
        struct stat there { };
        QCOMPARE(::fstat(room.watch->directory(), &held), 0);
        QCOMPARE(::stat(room.path().constData(), &there), 0);
        QCOMPARE(held.st_ino, there.st_ino);
        room.changes.clear();
        room.touch("fresh");
        QTRY_VERIFY_WITH_TIMEOUT(room.changes.contains("fresh"), patienceMs);
    }
};

void tst_Replaced::p06_directoryRemoved()
{
    QFETCH(QByteArray, base);
    WatchedRoom room(base);
    startWithoutTimer(room);
    QCOMPARE(::rmdir(room.path().constData()), 0);
    QTRY_COMPARE_WITH_TIMEOUT(room.order, (QList<QByteArray>{ "lost" }), patienceMs);
    QCOMPARE(room.losses.first(), DirectoryWatch::Loss::Missing);
    makeDirectory(room.path());
    hearsTheNewDirectory(room);
    QCOMPARE(room.order, (QList<QByteArray>{ "lost", "armed", "proven", "ready" }));
    QCOMPARE(room.watch->rearms(), quint32(1));
}

// Removed and made again within one turn of the loop: existence never changed for a reader that sleeps.
void tst_Replaced::p06_directoryRecreated()
{
    QFETCH(QByteArray, base);
    WatchedRoom room(base);
    startWithoutTimer(room);
    for (quint32 round = 1; round <= 100; ++round) {
        room.forget();
        const QByteArray aside = room.root() + "/aside";
        FILE *file = std::fopen(aside.constData(), "w");
        QVERIFY(file != nullptr);
        std::fclose(file);
        removeAll(room.path());
        makeDirectory(room.path());
        move(aside, room.path("10-a.conflist"));
        QVERIFY(runUntil([&room] { return room.order.endsWith("ready"); }));
        QCOMPARE(room.order, (QList<QByteArray>{ "lost", "armed", "proven", "ready" }));
        QCOMPARE(room.losses.first(), DirectoryWatch::Loss::Replaced);
        QCOMPARE(room.watch->rearms(), round);
        room.touch("10-a.conflist");
        QVERIFY(runUntil([&room] { return room.changes.contains("10-a.conflist"); }));
    }
}

void tst_Replaced::p06_directoryRenamed()
{
    QFETCH(QByteArray, base);
    WatchedRoom room(base);
    startWithoutTimer(room);
    const QByteArray old = room.root() + "/net.d.old";
    move(room.path(), old);
    makeDirectory(room.path());
    hearsTheNewDirectory(room);
    QCOMPARE(room.order, (QList<QByteArray>{ "lost", "armed", "proven", "ready" }));
    room.changes.clear();
    QCOMPARE(::mknod(QByteArray(old + "/of the old one").constData(), S_IFREG | 0600, 0), 0);
    room.touch("last");
    QTRY_VERIFY_WITH_TIMEOUT(room.changes.contains("last"), patienceMs);
    QVERIFY(!room.changes.contains("of the old one"));
}

void tst_Replaced::p06_directoryRenamedAndBack()
{
    WatchedRoom room;
    startWithoutTimer(room);
    move(room.path(), room.root() + "/aside");
    QTRY_COMPARE_WITH_TIMEOUT(room.order, (QList<QByteArray>{ "lost" }), patienceMs);
    move(room.root() + "/aside", room.path());
    hearsTheNewDirectory(room);
}

void tst_Replaced::p06_directoryReplacedByLink()
{
    WatchedRoom room;
    startWithoutTimer(room);
    makeDirectory(room.root() + "/real");
    QCOMPARE(::rmdir(room.path().constData()), 0);
    QCOMPARE(::symlink("real", room.path().constData()), 0);
    hearsTheNewDirectory(room);
    QCOMPARE(room.order, (QList<QByteArray>{ "lost", "armed", "proven", "ready" }));
}

void tst_Replaced::p06_linkSwitched()
{
    WatchedRoom room({}, false);
    makeDirectory(room.root() + "/one");
    makeDirectory(room.root() + "/two");
    QCOMPARE(::symlink("one", room.path().constData()), 0);
    startWithoutTimer(room);
    const QByteArray next = room.root() + "/next";
    QCOMPARE(::symlink("two", next.constData()), 0);
    move(next, room.path());
    QTRY_COMPARE_WITH_TIMEOUT(room.order, (QList<QByteArray>{ "lost", "armed", "proven", "ready" }), patienceMs);
    hearsTheNewDirectory(room);
}

void tst_Replaced::p06_parentReplaced()
{
    WatchedRoom room;
    const QByteArray parent = room.root() + "/cni";
    makeDirectory(parent);
    move(room.path(), parent + "/net.d");
    QCOMPARE(::symlink("cni/net.d", room.path().constData()), 0); // so that touch() finds it
    room.options.hostPath = parent + "/net.d";
    startWithoutTimer(room);
    move(parent, room.root() + "/cni.old");
    QTRY_COMPARE_WITH_TIMEOUT(room.order, (QList<QByteArray>{ "lost" }), patienceMs);
    makeDirectory(parent);
    makeDirectory(parent + "/net.d");
    hearsTheNewDirectory(room);
}

// A component that appears between the look for the nearest ancestor and the watch on it.
void tst_Replaced::p06_madeStepByStep()
{
    WatchedRoom room;
    const QByteArray parent = room.path("cni");
    room.options.hostPath = parent + "/net.d";
    room.options.identityMs = 3'600'000;
    sys::setPointHook([&parent, made = false](const char *point) mutable {
        if (qstrcmp(point, "watch.add") == 0 && !std::exchange(made, true))
            ::mkdir(parent.constData(), 0700);
    });
    room.start();
    sys::setPointHook({});
    QCOMPARE(room.order, (QList<QByteArray>{ "lost" }));
    makeDirectory(parent + "/net.d");
    QTRY_VERIFY_WITH_TIMEOUT(room.isProven(), patienceMs);
}

void tst_Replaced::p06_trailingSlash()
{
    WatchedRoom room;
    room.options.hostPath += "//";
    startWithoutTimer(room);
    QCOMPARE(::rmdir(room.path().constData()), 0);
    QTRY_COMPARE_WITH_TIMEOUT(room.order, (QList<QByteArray>{ "lost" }), patienceMs);
    makeDirectory(room.path());
    hearsTheNewDirectory(room);
}

// The news that the directory is gone waits in the queue that the proof reads first.
void tst_Replaced::p06_replacedWhileTheProofStarts()
{
    WatchedRoom room;
    room.options.identityMs = 3'600'000;
    sys::setPointHook([&room, adds = 0](const char *point) mutable {
        if (qstrcmp(point, "qt.arm") == 0 && adds++ == 0) // armed, and the proof comes next
            ::rmdir(room.path().constData());
    });
    room.start();
    sys::setPointHook({});
    QTRY_COMPARE_WITH_TIMEOUT(room.order, (QList<QByteArray>{ "armed", "lost" }), patienceMs);
    QVERIFY(!room.watch->evidence());
    sys::setFaults({});
    makeDirectory(room.path());
    hearsTheNewDirectory(room);
    QCOMPARE(room.count("polling"), 0);
    QCOMPARE(sys::passedPoints().count("probe.chmod"), 1);
}

// All records of the change are dropped by the kernel: the overflow alone leads to the new directory.
void tst_Replaced::p05_lostInAnOverflow()
{
    WatchedRoom room;
    startWithoutTimer(room);
    constexpr int more = 9000; // creating and removing each: more than the queue of 16 384
    for (int i = 0; i < more; ++i) {
        const QByteArray name = room.path(QByteArray::number(i));
        QCOMPARE(::mknod(name.constData(), S_IFREG | 0600, 0), 0);
        QCOMPARE(::unlink(name.constData()), 0);
    }
    QCOMPARE(::rmdir(room.path().constData()), 0);
    makeDirectory(room.path());
    QSignalSpy overflowed(&room.inotify, &watch::Inotify::overflowed);
    hearsTheNewDirectory(room);
    QCOMPARE(overflowed.size(), 1);
    QCOMPARE(room.watch->rearms(), quint32(1));
}

QTEST_GUILESS_MAIN(tst_Replaced)
#include "tst_replaced.moc"
