// SPDX-License-Identifier: Apache-2.0
#include "sys/failpoint.h"

#include "watchedroom.h"

#include <QFile>
#include <QTest>

#include <csignal>
#include <sys/wait.h>

using namespace firstwatch;
using test::patienceMs;
using test::WatchedRoom;

namespace {

constexpr int pauseMs = 1200; // longer than all tries of a proof together

bool isStopped(pid_t process)
{
    QFile stat(QStringLiteral("/proc/%1/stat").arg(process));
    if (!stat.open(QIODevice::ReadOnly))
        return false;
    const QByteArray text = stat.readAll();
    return text.sliced(text.lastIndexOf(')') + 1).trimmed().startsWith('T');
}

// Stops this process, as a frozen cgroup or a debugger does; a child lets it go on.
void stopAWhile()
{
    const pid_t self = ::getpid();
    const pid_t child = ::fork();
    if (child == 0) {
        (void)test::eventually([self] { return isStopped(self) || ::getppid() != self; });
        ::usleep(pauseMs * 1000); // the time without us is what is tested
        ::kill(self, SIGCONT);
        ::_exit(0);
    }
    ::raise(SIGSTOP);
    ::waitpid(child, nullptr, 0);
}

} // namespace

// A proof's time counts as event loop time: a process that stood still has not been failed by its watch.
class tst_Pause : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup()
    {
        sys::setPointHook({});
        sys::setFaults({});
    }
    void p03_aStoppedProcessIsNoLostProbe_data();
    void p03_aStoppedProcessIsNoLostProbe();
    void p08_aStoppedProcessIsNoLateWitness();
    void p08_aStopAfterAChangeIsNoSilentWitness();
};

void tst_Pause::p03_aStoppedProcessIsNoLostProbe_data()
{
    QTest::addColumn<QByteArray>("point");
    QTest::newRow("before the probe") << QByteArray("probe.chmod");
    QTest::newRow("before its event is read") << QByteArray("watch.read");
}

void tst_Pause::p03_aStoppedProcessIsNoLostProbe()
{
    QFETCH(QByteArray, point);
    WatchedRoom room;
    bool probed = false;
    bool stopped = false;
    sys::setPointHook([&](const char *passed) {
        probed |= qstrcmp(passed, "probe.chmod") == 0;
        if (probed && passed == point && !std::exchange(stopped, true))
            stopAWhile();
    });
    room.start();
    QTRY_COMPARE_WITH_TIMEOUT(room.count("ready"), 1, patienceMs);
    QVERIFY(stopped);
    QCOMPARE(room.order, (QList<QByteArray>{ "armed", "proven", "ready" }));
    QCOMPARE(sys::passedPoints().count("probe.chmod"), 1);
    QCOMPARE(room.readyOnes.first().witness(), watch::WitnessWord::Confirmed);
}

void tst_Pause::p08_aStoppedProcessIsNoLateWitness()
{
    WatchedRoom room;
    room.watch = std::make_unique<watch::DirectoryWatch>(room.inotify, room.options);
    watch::WitnessWord word = watch::WitnessWord::Absent;
    connect(room.watch.get(), &watch::DirectoryWatch::proven, &room, &stopAWhile);
    connect(room.watch.get(), &watch::DirectoryWatch::ready, &room,
        [&word](const watch::Proof &proof) { word = proof.witness(); });
    room.watch->start();
    QTRY_VERIFY_WITH_TIMEOUT(room.isProven(), patienceMs);
    QCOMPARE(word, watch::WitnessWord::Confirmed);
}

void tst_Pause::p08_aStopAfterAChangeIsNoSilentWitness()
{
    WatchedRoom room;
    room.start();
    QTRY_VERIFY_WITH_TIMEOUT(room.isProven(), patienceMs);
    connect(room.watch.get(), &watch::DirectoryWatch::changed, &room, [&, once = false]() mutable {
        if (!std::exchange(once, true))
            stopAWhile();
    });
    room.touch("a");
    QTRY_COMPARE_WITH_TIMEOUT(room.changes.count("a"), 3, patienceMs); // created, written, closed
    QVERIFY(room.settle());
    QCOMPARE(room.count("disagreed"), 0);
}

QTEST_GUILESS_MAIN(tst_Pause)
#include "tst_pause.moc"
