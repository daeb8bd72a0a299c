// SPDX-License-Identifier: Apache-2.0
#include "watchedroom.h"

#include "watch/mountwatch.h"

#include <QSignalSpy>
#include <QTest>

#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>

using namespace firstwatch;
using test::patienceMs;
using test::WatchedRoom;
using watch::DirectoryWatch;

namespace {
bool privateMounts = false;
}

// Mounts of a namespace of our own. Nothing of it gives an inotify event.
class tst_Mounts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (!privateMounts)
            QSKIP("needs a mount namespace of its own (root)");
    }
    void mountWatchHears();
    void p06_directoryMountedOver_data();
    void p06_directoryMountedOver();
    void p06_directoryUnmounted();
    void p06_directoryDeadBindMount();
    void p06_startedOnADeadBindMount();

private:
    static void bind(const QByteArray &from, const QByteArray &to)
    {
        QCOMPARE(::mount(from.constData(), to.constData(), nullptr, MS_BIND, nullptr), 0);
    }
    // Without the slow timer: what the kernel says of mounts must be enough.
    static void start(WatchedRoom &room, int identityMs)
    {
        room.options.identityMs = identityMs;
        room.start();
        QTRY_VERIFY_WITH_TIMEOUT(room.isProven(), patienceMs);
        room.forget();
    }
    static void isDead(WatchedRoom &room)
    {
        QCOMPARE(room.losses, (QList<DirectoryWatch::Loss>{ DirectoryWatch::Loss::DeadMount }));
        QVERIFY(room.reasons.first().contains(QStringLiteral("must be restarted")));
        QVERIFY(!room.watch->evidence());
    }
    static void hearsTheNewDirectory(WatchedRoom &room)
    {
        QTRY_COMPARE_WITH_TIMEOUT(room.order, (QList<QByteArray>{ "lost", "armed", "proven", "ready" }), patienceMs);
        QCOMPARE(room.losses.first(), DirectoryWatch::Loss::Replaced);
        QVERIFY(!room.evidenceBeforeProof);
        room.touch("fresh");
        QTRY_VERIFY_WITH_TIMEOUT(room.changes.contains("fresh"), patienceMs);
        room.forget();
    }
};

void tst_Mounts::mountWatchHears()
{
    const WatchedRoom room;
    watch::MountWatch mounts;
    QSignalSpy changed(&mounts, &watch::MountWatch::changed);
    bind(room.root(), room.path());
    QTRY_VERIFY_WITH_TIMEOUT(!changed.isEmpty(), patienceMs);
    changed.clear();
    QCOMPARE(::umount(room.path().constData()), 0);
    QTRY_VERIFY_WITH_TIMEOUT(!changed.isEmpty(), patienceMs);
}

void tst_Mounts::p06_directoryMountedOver_data()
{
    QTest::addColumn<QByteArray>("type");
    QTest::newRow("tmpfs") << QByteArray("tmpfs");
    QTest::newRow("another directory") << QByteArray();
    QTest::newRow("the same directory") << QByteArray("same"); // the mount id alone differs
}

void tst_Mounts::p06_directoryMountedOver()
{
    QFETCH(QByteArray, type);
    WatchedRoom room;
    start(room, 3'600'000);
    const QByteArray other = room.root() + "/other";
    QCOMPARE(::mkdir(other.constData(), 0700), 0);
    if (type == "tmpfs")
        QCOMPARE(::mount("none", room.path().constData(), "tmpfs", 0, nullptr), 0);
    else
        bind(type == "same" ? room.path() : other, room.path());
    hearsTheNewDirectory(room);
    QCOMPARE(::umount2(room.path().constData(), MNT_DETACH), 0);
    hearsTheNewDirectory(room);
}

void tst_Mounts::p06_directoryUnmounted()
{
    WatchedRoom room;
    QCOMPARE(::mount("none", room.path().constData(), "tmpfs", 0, nullptr), 0);
    start(room, 3'600'000);
    QCOMPARE(::umount2(room.path().constData(), MNT_DETACH), 0); // as a host does with what somebody holds
    hearsTheNewDirectory(room);
}

// The host removes and makes again what is bind-mounted here: this mount stays with the removed directory.
void tst_Mounts::p06_directoryDeadBindMount()
{
    WatchedRoom room;
    const QByteArray source = room.root() + "/host";
    QCOMPARE(::mkdir(source.constData(), 0700), 0);
    bind(source, room.path());
    start(room, 100); // the slow timer is all there is
    QCOMPARE(::rmdir(source.constData()), 0);
    QCOMPARE(::mkdir(source.constData(), 0700), 0);
    QTRY_COMPARE_WITH_TIMEOUT(room.order, (QList<QByteArray>{ "lost" }), patienceMs);
    isDead(room);
    QCOMPARE(::umount2(room.path().constData(), MNT_DETACH), 0);
    QTRY_VERIFY_WITH_TIMEOUT(room.isProven(), patienceMs); // the directory below the mount
}

void tst_Mounts::p06_startedOnADeadBindMount()
{
    WatchedRoom room;
    const QByteArray source = room.root() + "/host";
    QCOMPARE(::mkdir(source.constData(), 0700), 0);
    bind(source, room.path());
    QCOMPARE(::rmdir(source.constData()), 0);
    room.start();
    isDead(room);
    QCOMPARE(room.order, (QList<QByteArray>{ "lost" }));
    QCOMPARE(::umount2(room.path().constData(), MNT_DETACH), 0);
}

int main(int argc, char **argv)
{
    privateMounts = ::unshare(CLONE_NEWNS) == 0 && ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
    QCoreApplication app(argc, argv);
    tst_Mounts test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_mounts.moc"
