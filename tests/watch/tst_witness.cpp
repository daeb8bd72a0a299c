// SPDX-License-Identifier: Apache-2.0
#include "watchedroom.h"

#include "sys/failpoint.h"

#include <QTest>

using namespace firstwatch;
using test::patienceMs;
using test::WatchedRoom;
using watch::WitnessWord;

// Whatever the second backend does, the first one goes on alone, and a finding is all that changes.
class tst_Witness : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup() { sys::setFaults({}); }
    void p08_witnessConfirmed();
    void p08_witnessAbsent();
    void p08_witnessLate();
    void p08_witnessSilent();
    void p08_witnessLying();
    void p08_wordsOfTheProof();

private:
    static void hearsChanges(WatchedRoom &room, const QByteArray &name)
    {
        room.touch(name);
        QTRY_VERIFY_WITH_TIMEOUT(room.changes.contains(name), patienceMs);
        QVERIFY(room.isProven());
        QCOMPARE(room.count("lost") + room.count("polling"), 0);
    }
};

void tst_Witness::p08_witnessConfirmed()
{
    WatchedRoom room;
    room.start();
    QTRY_VERIFY_WITH_TIMEOUT(room.isProven(), patienceMs);
    QCOMPARE(room.readyOnes.first().witness(), WitnessWord::Confirmed);
    for (int i = 0; i < 20; ++i)
        hearsChanges(room, QByteArray::number(i));
    QVERIFY(room.settle());
    QCOMPARE(room.order, (QList<QByteArray>{ "armed", "proven", "ready" }));
}

void tst_Witness::p08_witnessAbsent()
{
    WatchedRoom room;
    sys::setFaults("qt.arm:errno=ENOSPC");
    room.start();
    QCOMPARE(room.order, (QList<QByteArray>{ "armed", "proven", "ready" })); // nobody is waited for
    QCOMPARE(room.readyOnes.first().witness(), WitnessWord::Absent);
    hearsChanges(room, "a");
}

void tst_Witness::p08_witnessLate()
{
    WatchedRoom room;
    sys::setFaults("qt.signal:errno=EIO,count=1");
    room.start();
    QTRY_VERIFY_WITH_TIMEOUT(room.isProven(), patienceMs);
    QCOMPARE(room.readyOnes.first().witness(), WitnessWord::Late);
    QCOMPARE(sys::passedPoints().count("probe.chmod"), 1); // the watch is proven: no second try for the witness
    hearsChanges(room, "a");
}

void tst_Witness::p08_witnessSilent()
{
    WatchedRoom room;
    room.start();
    QTRY_VERIFY_WITH_TIMEOUT(room.isProven(), patienceMs);
    QVERIFY(room.settle());
    sys::setFaults("qt.signal:errno=EIO");
    hearsChanges(room, "a");
    QTRY_COMPARE_WITH_TIMEOUT(room.count("disagreed"), 1, patienceMs);
    hearsChanges(room, "b");
    QTRY_COMPARE_WITH_TIMEOUT(room.readyOnes.last().witness(), WitnessWord::Late, patienceMs); // asked again by a probe
    QCOMPARE(room.count("disagreed"), 1); // said once
    sys::setFaults({});
    hearsChanges(room, "c");
    QTRY_COMPARE_WITH_TIMEOUT(room.count("agreed"), 1, patienceMs);
    QCOMPARE(room.count("disagreed"), 1);
}

// It tells of a change that inotify knows nothing of.
void tst_Witness::p08_witnessLying()
{
    WatchedRoom room;
    room.start();
    QTRY_VERIFY_WITH_TIMEOUT(room.isProven(), patienceMs);
    QVERIFY(room.settle()); // the probe is compared and done
    sys::setFaults("watch.read:drop=1,count=1");
    QCOMPARE(sys::probeByChmod(room.watch->directory()), 0);
    QTRY_COMPARE_WITH_TIMEOUT(room.count("disagreed"), 1, patienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(sys::passedPoints().count("probe.chmod"), 2, patienceMs); // ours above, and a new proof
    QTRY_COMPARE_WITH_TIMEOUT(room.count("agreed"), 1, patienceMs);
    hearsChanges(room, "a");
}

void tst_Witness::p08_wordsOfTheProof()
{
    QCOMPARE(watch::witnessName(WitnessWord::Confirmed), QLatin1String("confirmed"));
    QCOMPARE(watch::witnessName(WitnessWord::Late), QLatin1String("late"));
    QCOMPARE(watch::witnessName(WitnessWord::Absent), QLatin1String("absent"));
    QCOMPARE(watch::witnessName(WitnessWord::NotAsked), QLatin1String("not_asked"));
    QCOMPARE(watch::probeName(watch::ProbeKind::Chmod), QLatin1String("chmod"));
    QCOMPARE(watch::probeName(watch::ProbeKind::Open), QLatin1String("open"));
}

QTEST_GUILESS_MAIN(tst_Witness)
#include "tst_witness.moc"
