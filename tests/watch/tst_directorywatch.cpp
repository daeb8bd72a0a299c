// SPDX-License-Identifier: Apache-2.0
#include "watchedroom.h"

#include "sys/failpoint.h"

#include <QDir>
#include <QTest>

#include <sys/stat.h>

using namespace firstwatch;
using test::patienceMs;
using test::WatchedRoom;
using watch::DirectoryWatch;
using watch::ProbeKind;

class tst_DirectoryWatch : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup() { sys::setFaults({}); }
    void p01_noReadyBeforeTheProbeCameBack_data();
    void p01_noReadyBeforeTheProbeCameBack();
    void p01_aChangeBeforeTheProofIsDelivered();
    void p03_missingDirectoryIsNotReady();
    void p03_unwritableDirectoryIsProven();
    void p03_lostProbesMeanPollingAndThenRecovery();
    void p03_aProofThatIsNotRenewedIsWithdrawn();
    void p05_anOverflowIsAReasonToProveAnew();
    void pollingOnRequest();
    void ownShortageGivesNothingUp();
    void twoInstancesAtMost();
    void debugOutput();
};

void tst_DirectoryWatch::p01_noReadyBeforeTheProbeCameBack_data()
{
    QTest::addColumn<QByteArray>("base");
    QTest::addColumn<QByteArray>("faults");
    for (const char *base : { "/dev/shm", "/var/tmp" }) {
        for (const int ms : { 0, 1, 5, 20, 140, 500, 2000 }) {
            if (ms > 140 && qstrcmp(base, "/dev/shm") != 0)
                continue; // the file system makes no difference to a wait that long
            QTest::addRow("%s watch %d ms late", base, ms)
                << QByteArray(base) << "watch.add:count=2,sleep=" + QByteArray::number(ms);
            QTest::addRow("%s probe %d ms late", base, ms)
                << QByteArray(base) << "probe.chmod:count=1,sleep=" + QByteArray::number(ms);
            if (ms > 0 && ms <= 140)
                QTest::addRow("%s answer read %d ms late", base, ms)
                    << QByteArray(base) << "watch.read:count=3,sleep=" + QByteArray::number(ms);
        }
    }
}

void tst_DirectoryWatch::p01_noReadyBeforeTheProbeCameBack()
{
    QFETCH(QByteArray, base);
    QFETCH(QByteArray, faults);
    WatchedRoom room(base);
    room.options.identityMs = 3'600'000; // only what start() does is looked at
    sys::setFaults(faults);
    room.start();
    QTRY_COMPARE_WITH_TIMEOUT(room.count("ready"), 1, patienceMs);
    QCOMPARE(room.order, (QList<QByteArray>{ "armed", "proven", "ready" }));
    QVERIFY(!room.evidenceBeforeProof);
    const watch::Proof &proof = room.readyOnes.first();
    QCOMPARE(proof.armedNs(), room.armedNs);
    QVERIFY(proof.armedNs() < proof.probedNs());
    QVERIFY(proof.probedNs() < proof.provenNs());
    QCOMPARE(room.provenOnes.first().provenNs(), proof.provenNs());
    const QList<QByteArray> passed = sys::passedPoints();
    QVERIFY(passed.lastIndexOf("watch.add") < passed.indexOf("probe.chmod"));
    QVERIFY(passed.indexOf("probe.chmod") < passed.lastIndexOf("watch.read"));
}

void tst_DirectoryWatch::p01_aChangeBeforeTheProofIsDelivered()
{
    WatchedRoom room;
    sys::setPointHook([&](const char *point) { // just after the watch was armed, long before the proof
        if (qstrcmp(point, "probe.chmod") == 0)
            room.touch("early");
    });
    room.start();
    QTRY_COMPARE_WITH_TIMEOUT(room.count("ready"), 1, patienceMs);
    sys::setPointHook({});
    QVERIFY(room.changes.contains("early"));
}

void tst_DirectoryWatch::p03_missingDirectoryIsNotReady()
{
    WatchedRoom room({}, false);
    room.start();
    QCOMPARE(room.order, (QList<QByteArray>{ "lost" }));
    QCOMPARE(room.losses, (QList<DirectoryWatch::Loss>{ DirectoryWatch::Loss::Missing }));
    QVERIFY(room.reasons.first().contains(QFile::decodeName(room.path())));
    QVERIFY(!room.watch->evidence() && room.watch->directory() < 0);
    sys::setFaults({});
    QTRY_VERIFY_WITH_TIMEOUT(sys::passedPoints().count("dir.open") >= 6, patienceMs);
    QCOMPARE(room.count("lost"), 1); // said once, however often it was looked at
    QCOMPARE(::mkdir(room.path().constData(), 0700), 0);
    QTRY_VERIFY_WITH_TIMEOUT(room.isProven(), patienceMs);
    QCOMPARE(room.order, (QList<QByteArray>{ "lost", "armed", "proven", "ready" }));
    QCOMPARE(room.watch->rearms(), quint32(0)); // the first arming is none
}

void tst_DirectoryWatch::p03_unwritableDirectoryIsProven()
{
    WatchedRoom room;
    sys::setFaults("probe.chmod:errno=EROFS");
    room.start();
    QTRY_VERIFY_WITH_TIMEOUT(room.isProven(), patienceMs);
    QCOMPARE(room.readyOnes.first().probe(), ProbeKind::Open);
    QCOMPARE(room.readyOnes.first().witness(), watch::WitnessWord::NotAsked);
    room.touch("a");
    QTRY_VERIFY_WITH_TIMEOUT(room.changes.contains("a"), patienceMs);
}

void tst_DirectoryWatch::p03_lostProbesMeanPollingAndThenRecovery()
{
    WatchedRoom room;
    sys::setFaults("watch.read:drop=1");
    room.start();
    QTRY_COMPARE_WITH_TIMEOUT(room.count("polling"), 1, patienceMs);
    QCOMPARE(room.order.first(), QByteArray("armed"));
    QCOMPARE(room.count("proven") + room.count("ready"), 0);
    QCOMPARE(room.codes, (QList<int>{ 1007 }));
    QVERIFY(room.isPolling());
    const int polls = room.polls;
    QTRY_VERIFY_WITH_TIMEOUT(room.polls > polls + 3, patienceMs); // the labelled alternative does its work
    QVERIFY(room.count("armed") >= 1);
    QCOMPARE(room.count("polling"), 1); // and is announced once, also when a retry has failed
    sys::setFaults({});
    QTRY_VERIFY_WITH_TIMEOUT(room.isProven(), patienceMs);
    QCOMPARE(room.order.last(), QByteArray("ready"));
    const int pollsAtReady = room.polls;
    room.touch("a");
    QTRY_VERIFY_WITH_TIMEOUT(room.changes.contains("a"), patienceMs);
    QCOMPARE(room.polls, pollsAtReady); // no longer polled
    QCOMPARE(room.watch->rearms(), quint32(0)); // the same directory all the time
}

void tst_DirectoryWatch::p03_aProofThatIsNotRenewedIsWithdrawn()
{
    WatchedRoom room;
    room.options.reproveMs = 100;
    room.start();
    QTRY_VERIFY_WITH_TIMEOUT(room.isProven(), patienceMs);
    const qint64 first = room.readyOnes.first().provenNs();
    QTRY_VERIFY_WITH_TIMEOUT(
        std::get<watch::Proof>(*room.watch->evidence()).provenNs() > first, patienceMs); // renewed when all is quiet
    QCOMPARE(room.count("ready"), 1); // without a word
    sys::setFaults("watch.read:drop=1");
    QTRY_VERIFY_WITH_TIMEOUT(room.isPolling(), patienceMs);
    sys::setFaults({});
    QTRY_VERIFY_WITH_TIMEOUT(room.isProven(), patienceMs);
    QCOMPARE(room.count("ready"), 2);
}

// The kernel's word that the watch has ended may be among what was lost.
void tst_DirectoryWatch::p05_anOverflowIsAReasonToProveAnew()
{
    WatchedRoom room;
    room.options.reproveMs = 600'000;
    room.start();
    QTRY_VERIFY_WITH_TIMEOUT(room.isProven(), patienceMs);
    const auto provenNs = [&] { return std::get<watch::Proof>(*room.watch->evidence()).provenNs(); };
    const qint64 before = provenNs();
    Q_EMIT room.inotify.overflowed();
    QTRY_VERIFY_WITH_TIMEOUT(provenNs() > before, patienceMs);
    QCOMPARE(room.count("ready"), 1); // it is no news
}

void tst_DirectoryWatch::pollingOnRequest()
{
    WatchedRoom room;
    room.options.forcePolling = true;
    sys::setFaults({});
    room.start();
    QCOMPARE(room.order, (QList<QByteArray>{ "polling" }));
    QCOMPARE(room.codes, (QList<int>{ 0 })); // no finding
    QTRY_VERIFY_WITH_TIMEOUT(room.polls > 3, patienceMs);
    QVERIFY(!sys::passedPoints().contains("watch.init"));
    QCOMPARE(::rmdir(room.path().constData()), 0);
    QTRY_COMPARE_WITH_TIMEOUT(room.count("lost"), 1, patienceMs);
    const int polls = room.polls;
    QCOMPARE(::mkdir(room.path().constData(), 0700), 0);
    QTRY_COMPARE_WITH_TIMEOUT(room.count("polling"), 2, patienceMs);
    QVERIFY(room.polls > polls);
}

void tst_DirectoryWatch::ownShortageGivesNothingUp()
{
    WatchedRoom room;
    room.start();
    QTRY_VERIFY_WITH_TIMEOUT(room.isProven(), patienceMs);
    sys::setFaults("dir.open:errno=EMFILE,count=6");
    QTRY_VERIFY_WITH_TIMEOUT(sys::passedPoints().count("dir.open") > 8, patienceMs);
    QCOMPARE(room.count("lost"), 0);
    QVERIFY(room.isProven());
}

void tst_DirectoryWatch::twoInstancesAtMost()
{
    WatchedRoom room;
    room.start();
    QTRY_VERIFY_WITH_TIMEOUT(room.isProven(), patienceMs);
    const QDir descriptors(QStringLiteral("/proc/self/fd"));
    int instances = 0;
    for (const QString &fd : descriptors.entryList(QDir::Files | QDir::System | QDir::NoDotAndDotDot)) {
        if (sys::pathOf(fd.toInt()) == "anon_inode:inotify")
            ++instances;
    }
    QCOMPARE(instances, 2); // ours and Qt's
}

void tst_DirectoryWatch::debugOutput()
{
    WatchedRoom room;
    room.start();
    const auto text = [&room] {
        QString out;
        QDebug(&out) << *room.watch << "after";
        return out;
    };
    QTRY_VERIFY_WITH_TIMEOUT(room.isProven(), patienceMs);
    for (const QByteArray &part : { QByteArray("DirectoryWatch("), room.path(), QByteArray("inode "),
             QByteArray("watch "), QByteArray("rearms 0"), QByteArray("witness "), QByteArray("after") })
        QVERIFY2(text().contains(QString::fromUtf8(part)), qPrintable(text()));
    sys::setFaults("watch.read:drop=1");
    room.options.hostPath += "/none";
    room.start();
    QVERIFY2(text().contains(QStringLiteral("no evidence")), qPrintable(text()));
    room.options.hostPath.chop(5);
    room.options.forcePolling = true;
    room.start();
    QVERIFY2(text().contains(QStringLiteral("polling: ")), qPrintable(text()));
}

QTEST_GUILESS_MAIN(tst_DirectoryWatch)
#include "tst_directorywatch.moc"
