// SPDX-License-Identifier: Apache-2.0
#include "watch/inotify.h"

#include "sys/failpoint.h"
#include "sys/syscalls.h"

#include "netdir.h"

#include <QFile>
#include <QSignalSpy>
#include <QTest>

#include <cerrno>
#include <sys/inotify.h>

using namespace firstwatch;
using watch::Change;
using watch::Inotify;

namespace {

// A directory, its open descriptor, and an instance whose records are kept.
struct Watched {
    test::NetDir dir;
    sys::FileDescriptor fd = sys::openDirectory({}, dir.path());
    Inotify inotify;
    QList<Change> changes;

    Watched()
    {
        if (!inotify.open())
            qFatal("inotify: errno %d", errno);
        QObject::connect(
            &inotify, &Inotify::changed, &inotify, [this](const Change &change) { changes.append(change); });
    }
    QList<quint32> masks() const
    {
        QList<quint32> all;
        for (const Change &change : changes)
            all.append(change.mask);
        return all;
    }
};

} // namespace

class tst_Inotify : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup() { sys::setFaults({}); }
    void namesAreBytes_data();
    void namesAreBytes();
    void orderAndCookiesAreKept();
    void twoUsersShareAWatch();
    void anEndedWatchIsForgotten();
    void widenIsForAWhile();
    void widenOfAnEndedWatchLeavesNone();
    void drainInASlotKeepsTheOrder();
    void removeInASlot();
    void openTriesAgain();
    void p05_overflowIsDelivered();
    void settledAfterEachBatch();
};

void tst_Inotify::namesAreBytes_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("one byte") << QByteArray("a");
    QTest::newRow("255 bytes") << QByteArray(255, 'n');
    QTest::newRow("newline") << QByteArray("a\nb");
    QTest::newRow("invalid UTF-8") << QByteArray("\xc3\x28\xff");
    QTest::newRow("escape") << QByteArray("\x1b[31m");
    QTest::newRow("15 bytes") << QByteArray(15, 'n'); // names are padded to 16
    QTest::newRow("16 bytes") << QByteArray(16, 'n');
}

void tst_Inotify::namesAreBytes()
{
    QFETCH(QByteArray, name);
    Watched room;
    QVERIFY(room.inotify.add(room.fd.get(), IN_CREATE) >= 0);
    room.dir.writeInPlace(name, "x");
    room.inotify.drain();
    QCOMPARE(room.changes.size(), 1);
    QCOMPARE(room.changes.first().name, name);
    room.dir.remove(name); // QTemporaryDir cannot remove what is not UTF-8
}

void tst_Inotify::orderAndCookiesAreKept()
{
    Watched room;
    (void)room.inotify.add(room.fd.get(), IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE);
    room.dir.writeByRename("a", "x");
    room.dir.remove("a");
    room.inotify.drain();
    QCOMPARE(room.masks(), (QList<quint32>{ IN_CREATE, IN_CLOSE_WRITE, IN_MOVED_FROM, IN_MOVED_TO, IN_DELETE }));
    QVERIFY(room.changes.at(2).cookie != 0);
    QCOMPARE(room.changes.at(2).cookie, room.changes.at(3).cookie);
}

void tst_Inotify::twoUsersShareAWatch()
{
    Watched room;
    const int first = room.inotify.add(room.fd.get(), IN_CREATE);
    const int second = room.inotify.add(room.fd.get(), IN_DELETE);
    QCOMPARE(second, first);
    room.dir.writeInPlace("a", "x");
    room.dir.remove("a");
    room.inotify.drain();
    QCOMPARE(room.masks(), (QList<quint32>{ IN_CREATE, IN_DELETE })); // the second did not replace the first
    room.changes.clear();
    room.inotify.remove(first);
    room.dir.writeInPlace("a", "x");
    room.inotify.drain();
    QCOMPARE(room.masks(), (QList<quint32>{ IN_CREATE })); // one user is left
    room.changes.clear();
    room.inotify.remove(second);
    room.inotify.remove(second); // once too often: nothing happens
    room.dir.remove("a");
    room.inotify.drain();
    QCOMPARE(room.masks(), (QList<quint32>{ IN_IGNORED }));
}

void tst_Inotify::anEndedWatchIsForgotten()
{
    Watched room;
    const QByteArray path = room.dir.path("sub");
    QCOMPARE(::mkdir(path.constData(), 0700), 0);
    const int old = room.inotify.add(sys::openDirectory({}, path).get(), IN_CREATE);
    QCOMPARE(::rmdir(path.constData()), 0);
    room.inotify.drain();
    QCOMPARE(room.masks(), (QList<quint32>{ IN_IGNORED }));
    QCOMPARE(::mkdir(path.constData(), 0700), 0);
    const int fresh = room.inotify.add(sys::openDirectory({}, path).get(), IN_CREATE);
    QVERIFY(fresh != old);
    room.inotify.remove(old); // by an owner who hears of it late: must not end the new one
    room.dir.writeInPlace("sub/a", "x");
    room.inotify.drain();
    QCOMPARE(room.changes.last().watch, fresh);
    QCOMPARE(room.changes.last().name, QByteArray("a"));
    room.dir.remove("sub/a");
    QCOMPARE(::rmdir(path.constData()), 0);
}

void tst_Inotify::widenIsForAWhile()
{
    Watched room;
    const int watch = room.inotify.add(room.fd.get(), IN_CREATE);
    QVERIFY(room.inotify.widen(room.fd.get(), watch, IN_OPEN));
    QCOMPARE(sys::probeByOpen(room.fd.get()), 0);
    QVERIFY(room.inotify.widen(room.fd.get(), watch, 0));
    QCOMPARE(sys::probeByOpen(room.fd.get()), 0);
    room.dir.writeInPlace("a", "x");
    room.inotify.drain();
    QCOMPARE(room.masks(), (QList<quint32>{ IN_OPEN | IN_ISDIR, IN_CREATE }));
}

void tst_Inotify::widenOfAnEndedWatchLeavesNone()
{
    Watched room;
    const int watch = room.inotify.add(room.fd.get(), IN_CREATE);
    room.inotify.remove(watch);
    room.inotify.drain();
    room.changes.clear();
    QVERIFY(!room.inotify.widen(room.fd.get(), watch, IN_OPEN));
    QCOMPARE(sys::probeByOpen(room.fd.get()), 0);
    room.inotify.drain();
    QCOMPARE(room.masks(), (QList<quint32>{ IN_IGNORED }));
}

void tst_Inotify::drainInASlotKeepsTheOrder()
{
    Watched room;
    (void)room.inotify.add(room.fd.get(), IN_CREATE);
    QObject::connect(&room.inotify, &Inotify::changed, &room.inotify, [&room](const Change &change) {
        if (change.name.size() == 1) // each of the first ones brings one more while the batch is delivered
            room.dir.writeInPlace(change.name + "2", {});
        room.inotify.drain();
    });
    for (const char *name : { "a", "b", "c" })
        room.dir.writeInPlace(name, {});
    room.inotify.drain();
    QList<QByteArray> names;
    for (const Change &change : room.changes)
        names.append(change.name);
    QCOMPARE(names, (QList<QByteArray>{ "a", "b", "c", "a2", "b2", "c2" }));
}

void tst_Inotify::removeInASlot()
{
    Watched room;
    const int watch = room.inotify.add(room.fd.get(), IN_CREATE);
    QObject::connect(&room.inotify, &Inotify::changed, &room.inotify, [&] { room.inotify.remove(watch); });
    for (const char *name : { "a", "b", "c" })
        room.dir.writeInPlace(name, {});
    room.inotify.drain();
    QCOMPARE(room.masks(), (QList<quint32>{ IN_CREATE, IN_CREATE, IN_CREATE, IN_IGNORED }));
}

void tst_Inotify::openTriesAgain()
{
    sys::setFaults("watch.init:errno=EMFILE,count=2");
    Inotify inotify;
    for (int i = 0; i < 2; ++i) {
        errno = 0;
        QVERIFY(!inotify.open());
        QCOMPARE(errno, EMFILE);
        QVERIFY(!inotify.isOpen());
        inotify.drain(); // harmless
        QCOMPARE(inotify.add(0, IN_CREATE), -1);
    }
    QVERIFY(inotify.open());
    QVERIFY(inotify.open()); // the same one
    QCOMPARE(sys::passedPoints().count("watch.init"), 3);
}

void tst_Inotify::p05_overflowIsDelivered()
{
    QFile sysctl(QStringLiteral("/proc/sys/fs/inotify/max_queued_events"));
    QVERIFY(sysctl.open(QIODevice::ReadOnly));
    const int longest = sysctl.readAll().trimmed().toInt();
    if (longest > 100'000)
        QSKIP("fs.inotify.max_queued_events is too large here");
    Watched room;
    QSignalSpy overflowed(&room.inotify, &Inotify::overflowed);
    (void)room.inotify.add(room.fd.get(), IN_CREATE | IN_DELETE);
    for (int i = 0; i < longest / 2 + 10; ++i) {
        const QByteArray name = QByteArray::number(i);
        QCOMPARE(::mknod(room.dir.path(name).constData(), S_IFREG | 0600, 0), 0);
        QCOMPARE(::unlink(room.dir.path(name).constData()), 0);
    }
    room.dir.writeInPlace("late", {});
    while (overflowed.isEmpty() && room.changes.size() < longest)
        room.inotify.drain();
    room.inotify.drain();
    QCOMPARE(overflowed.size(), 1);
    QCOMPARE(room.changes.size(), longest); // no record of the overflow among the changes, and "late" is lost
    QVERIFY(room.changes.last().name != "late");
    room.dir.remove("late");
    room.inotify.drain();
    QCOMPARE(room.changes.last().name, QByteArray("late")); // it goes on
}

void tst_Inotify::settledAfterEachBatch()
{
    Watched room;
    QList<qsizetype> seenAtSettled;
    QObject::connect(
        &room.inotify, &Inotify::settled, &room.inotify, [&] { seenAtSettled.append(room.changes.size()); });
    (void)room.inotify.add(room.fd.get(), IN_CREATE);
    for (const char *name : { "a", "b", "c" })
        room.dir.writeInPlace(name, {});
    QTRY_COMPARE(room.changes.size(), 3); // by the event loop
    QCOMPARE(seenAtSettled, (QList<qsizetype>{ 3 }));
}

QTEST_GUILESS_MAIN(tst_Inotify)
#include "tst_inotify.moc"
