// SPDX-License-Identifier: Apache-2.0
#include "watch/prover.h"

#include "sys/clock.h"
#include "sys/failpoint.h"

#include "netdir.h"
#include "watchedroom.h"

#include <QTest>

#include <atomic>
#include <filesystem>
#include <sys/inotify.h>
#include <thread>

using namespace firstwatch;
using test::patienceMs;
using watch::Inotify;
using watch::ProbeKind;
using watch::Proof;
using watch::Prover;
using watch::Witness;
using watch::WitnessWord;

namespace {

struct Bench {
    test::NetDir dir;
    sys::FileDescriptor fd = sys::openDirectory({}, dir.path());
    Inotify inotify;
    Witness witness;
    Prover prover{ inotify, witness };
    Prover::Subject subject;
    QList<QByteArray> order;
    QList<Proof> proofs; // as of ready

    Bench()
    {
        if (!inotify.open() || !witness.arm(dir.path()))
            qFatal("no inotify here");
        subject = { fd.get(), inotify.add(fd.get(), IN_CREATE | IN_ATTRIB), sys::bootTimeNs(), {} };
        QObject::connect(&prover, &Prover::proven, &prover, [this] { order.append("proven"); });
        QObject::connect(&prover, &Prover::ready, &prover, [this](const Proof &proof) {
            order.append("ready");
            proofs.append(proof);
        });
        QObject::connect(&prover, &Prover::failed, &prover, [this] { order.append("failed"); });
    }
};

// What a directory listing shows, and whether the directory was ever seen with a name in it.
bool hasName(const QByteArray &path)
{
    std::error_code error;
    return std::filesystem::directory_iterator(path.constData(), error) != std::filesystem::directory_iterator();
}

} // namespace

class tst_Prover : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup() { sys::setFaults({}); }
    void provenThenReady();
    void p03_aLostProbeIsSentAgain_data();
    void p03_aLostProbeIsSentAgain();
    void p03_unwritableDirectoryIsProvenByOpening();
    void p0P_theProbeDisturbsNobody();
    void p08_witnessSpeaksTwiceOrTooEarly();
    void whatIsQueuedIsNoAnswer();
    void cancelledWhileItStarts();
    void restartedWhileItStarts();
    void cancelledByWhoeverHearsOfTheProof();
};

void tst_Prover::provenThenReady()
{
    Bench bench;
    bench.prover.start(bench.subject);
    QTRY_COMPARE_WITH_TIMEOUT(bench.proofs.size(), 1, patienceMs);
    QCOMPARE(bench.order, (QList<QByteArray>{ "proven", "ready" }));
    const Proof &proof = bench.proofs.first();
    QVERIFY(proof.armedNs() < proof.probedNs() && proof.probedNs() < proof.provenNs());
    QCOMPARE(proof.probe(), ProbeKind::Chmod);
    QCOMPARE(proof.witness(), WitnessWord::Confirmed);
    QVERIFY(!bench.prover.isRunning());
}

void tst_Prover::p03_aLostProbeIsSentAgain_data()
{
    QTest::addColumn<int>("lost");
    QTest::addColumn<QList<QByteArray>>("expected");
    for (int lost = 0; lost < Prover::tries; ++lost)
        QTest::addRow("%d of %d", lost, Prover::tries) << lost << QList<QByteArray>{ "proven", "ready" };
    QTest::addRow("all") << Prover::tries << QList<QByteArray>{ "failed" };
}

// The read that would have brought the event swallows it.
void tst_Prover::p03_aLostProbeIsSentAgain()
{
    QFETCH(int, lost);
    QFETCH(QList<QByteArray>, expected);
    Bench bench;
    int probes = 0;
    sys::setPointHook([&](const char *point) {
        if (qstrcmp(point, "probe.chmod") == 0)
            sys::setFaults(++probes <= lost ? "watch.read:drop=1" : "");
    });
    bench.prover.start(bench.subject);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.prover.isRunning(), patienceMs);
    sys::setPointHook({});
    QCOMPARE(bench.order, expected);
    QCOMPARE(probes, std::min(lost + 1, Prover::tries));
}

void tst_Prover::p03_unwritableDirectoryIsProvenByOpening()
{
    Bench bench;
    sys::setFaults("probe.chmod:errno=EROFS");
    bench.prover.start(bench.subject);
    QTRY_COMPARE_WITH_TIMEOUT(bench.proofs.size(), 1, patienceMs);
    QCOMPARE(bench.proofs.first().probe(), ProbeKind::Open);
    QCOMPARE(bench.proofs.first().witness(), WitnessWord::NotAsked);
    // The mask is as before: opening the directory wakes nobody any more.
    int changes = 0;
    QObject::connect(&bench.inotify, &Inotify::changed, &bench.inotify, [&] { ++changes; });
    QVERIFY(!hasName(bench.dir.path()));
    bench.inotify.drain();
    QCOMPARE(changes, 0);
}

void tst_Prover::p0P_theProbeDisturbsNobody()
{
    Bench bench;
    struct stat before { };
    QCOMPARE(::fstat(bench.fd.get(), &before), 0);
    const sys::FileDescriptor other(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
    // All that a runtime's watch asks the kernel for (fsnotify's inotify backend); readers of the directory aside.
    constexpr quint32 asked = IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_MODIFY | IN_ATTRIB | IN_DELETE
        | IN_DELETE_SELF | IN_MOVE_SELF | IN_CLOSE_WRITE;
    QVERIFY(sys::inotifyAdd(other.get(), bench.fd.get(), asked) >= 0);
    std::atomic<bool> over = false;
    std::atomic<int> named = 0;
    std::atomic<int> looks = 0;
    std::thread reader([&, path = bench.dir.path()] {
        while (!over) {
            named += hasName(path) ? 1 : 0;
            ++looks;
        }
    });
    int foreign = 0;
    int probesSeen = 0;
    for (int probe = 0; probe < 1000; ++probe) {
        bench.prover.start(bench.subject);
        while (bench.prover.isRunning())
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        alignas(inotify_event) char buffer[4096];
        const ssize_t size = sys::inotifyRead(other.get(), buffer, sizeof buffer);
        for (ssize_t at = 0; at < size;) {
            inotify_event record{};
            memcpy(&record, buffer + at, sizeof record);
            at += ssize_t(sizeof record + record.len);
            // IN_ATTRIB becomes Chmod, which containerd's and CRI-O's watches drop.
            const bool dropped = record.mask == (IN_ATTRIB | IN_ISDIR) && record.len == 0;
            foreign += dropped ? 0 : 1;
            probesSeen += dropped ? 1 : 0;
        }
    }
    over = true;
    reader.join();
    struct stat after { };
    QCOMPARE(::fstat(bench.fd.get(), &after), 0);
    QCOMPARE(bench.proofs.size(), 1000);
    QCOMPARE(probesSeen, 1000);
    QCOMPARE(foreign, 0);
    QCOMPARE(int(named), 0);
    QVERIFY(looks > 100);
    QCOMPARE(after.st_mtim.tv_sec, before.st_mtim.tv_sec);
    QCOMPARE(after.st_mtim.tv_nsec, before.st_mtim.tv_nsec);
    QCOMPARE(after.st_mode, before.st_mode);
}

void tst_Prover::p08_witnessSpeaksTwiceOrTooEarly()
{
    Bench bench;
    Q_EMIT bench.witness.seen(); // before any probe
    bench.prover.start(bench.subject);
    Q_EMIT bench.witness.seen();
    Q_EMIT bench.witness.seen();
    QTRY_COMPARE_WITH_TIMEOUT(bench.proofs.size(), 1, patienceMs);
    Q_EMIT bench.witness.seen(); // after all
    QCOMPARE(bench.order, (QList<QByteArray>{ "proven", "ready" }));
    // It alone proves nothing.
    sys::setFaults("watch.read:drop=1");
    bench.order.clear();
    bench.prover.start(bench.subject);
    Q_EMIT bench.witness.seen();
    QTRY_COMPARE_WITH_TIMEOUT(bench.order, (QList<QByteArray>{ "failed" }), patienceMs);
}

void tst_Prover::whatIsQueuedIsNoAnswer()
{
    Bench bench;
    QCOMPARE(sys::probeByChmod(bench.fd.get()), 0); // somebody else's change of the mode
    sys::setFaults("probe.chmod:errno=EROFS;probe.open:errno=EIO"); // and our own probes reach nothing
    bench.prover.start(bench.subject);
    QTRY_COMPARE_WITH_TIMEOUT(bench.order, (QList<QByteArray>{ "failed" }), patienceMs);
}

void tst_Prover::cancelledWhileItStarts()
{
    Bench bench;
    QObject::connect(&bench.inotify, &Inotify::changed, &bench.prover, &Prover::cancel);
    bench.dir.writeInPlace("a", {}); // queued: delivered by start() itself
    bench.prover.start(bench.subject);
    QVERIFY(!bench.prover.isRunning());
    QVERIFY(!sys::passedPoints().contains("probe.chmod"));
    QVERIFY(bench.order.isEmpty());
}

void tst_Prover::restartedWhileItStarts()
{
    Bench bench;
    const test::NetDir second;
    const sys::FileDescriptor fd = sys::openDirectory({}, second.path());
    const Prover::Subject next{ fd.get(), bench.inotify.add(fd.get(), IN_ATTRIB), sys::bootTimeNs(), { 1, 2, 3, 4 } };
    const auto once = std::make_shared<QMetaObject::Connection>();
    *once = QObject::connect(&bench.inotify, &Inotify::changed, &bench.prover, [&, once] {
        QObject::disconnect(*once);
        bench.prover.start(next);
    });
    bench.dir.writeInPlace("a", {});
    bench.prover.start(bench.subject);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.prover.isRunning(), patienceMs);
    QCOMPARE(bench.order, (QList<QByteArray>{ "proven", "ready" }));
    QCOMPARE(bench.proofs.first().directory().inode, quint64(2));
    QCOMPARE(sys::passedPoints().count("probe.chmod"), 1);
}

void tst_Prover::cancelledByWhoeverHearsOfTheProof()
{
    Bench bench;
    bench.witness.disarm(); // then "ready" would follow at once
    QObject::connect(&bench.prover, &Prover::proven, &bench.prover, &Prover::cancel);
    bench.prover.start(bench.subject);
    QVERIFY(!bench.prover.isRunning());
    QCOMPARE(bench.order, (QList<QByteArray>{ "proven" }));
}

QTEST_GUILESS_MAIN(tst_Prover)
#include "tst_prover.moc"
