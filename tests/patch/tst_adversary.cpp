// SPDX-License-Identifier: Apache-2.0
#include "patchroom.h"
#include "writers.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QTest>

#include <atomic>
#include <csignal>
#include <memory>
#include <new>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/wait.h>

using namespace firstwatch;
using namespace firstwatch::test;

namespace {

// What the processes of the test share.
struct Shared {
    std::atomic<qint64> counter = 0; // the last that an owner has written, under the lock
    std::atomic<bool> stop = false;
    std::atomic<bool> started = false;
    std::atomic<qint64> reads = 0;
    std::atomic<qint64> holes = 0;
};

Shared &sharedMemory()
{
    void *memory = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        qFatal("mmap");
    return *new (memory) Shared;
}

// A process that ends with its owner's scope.
class Child {
public:
    explicit Child(const std::function<void()> &work)
        : m_pid(::fork())
    {
        if (m_pid == 0) {
            work();
            ::_exit(0);
        }
    }
    ~Child()
    {
        if (m_pid > 0)
            ::kill(m_pid, SIGKILL);
        (void)join();
    }
    Child(const Child &) = delete;
    Child &operator=(const Child &) = delete;
    int join()
    {
        int status = 0;
        if (m_pid > 0)
            ::waitpid(std::exchange(m_pid, -1), &status, 0);
        return status;
    }

private:
    pid_t m_pid;
};

// Puts a rising counter into the file as fast as it can, under a lock that all owners share.
void own(const NetDir &dir, const QByteArray &lockPath, bool byRename, Shared &shared)
{
    const int lock = ::open(lockPath.constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    while (!shared.stop) {
        ::flock(lock, LOCK_EX);
        const QByteArray text = ownerText(shared.counter + 1);
        if (byRename)
            dir.writeByRename(config, text);
        else
            dir.writeInPlace(config, text);
        ++shared.counter;
        ::flock(lock, LOCK_UN);
    }
}

void readAlways(const NetDir &dir, Shared &shared)
{
    while (!shared.stop) {
        ++shared.reads;
        if (counterOf(dir.read(config)) < 0)
            ++shared.holes;
    }
}

// The service's loop in a process of its own, as it would run on a node.
void serve(const QByteArray &path, Shared &shared)
{
    int argc = 0;
    const QCoreApplication application(argc, nullptr);
    journal::Journal journal;
    watch::Inotify inotify;
    watch::DirectoryWatch watch(inotify, { .prefix = {}, .hostPath = path });
    patch::Reconciler reconciler(optionsOf(), journal);
    QObject::connect(&watch, &watch::DirectoryWatch::ready, &reconciler, [&](const watch::Proof &proof) {
        reconciler.setDirectory(watch.directory());
        (void)reconciler.pass(proof, patch::PassReason::Start);
        shared.started = true;
    });
    QObject::connect(&watch, &watch::DirectoryWatch::changed, &reconciler, &patch::Reconciler::note);
    QObject::connect(&inotify, &watch::Inotify::settled, &reconciler, &patch::Reconciler::settle);
    QObject::connect(&inotify, &watch::Inotify::overflowed, &reconciler, [&] {
        if (watch.evidence())
            (void)reconciler.pass(*watch.evidence(), patch::PassReason::Overflow);
    });
    watch.start();
    QCoreApplication::exec();
}

} // namespace

class tst_Adversary : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void p17_fastWritersKeepTheirLastWord_data();
    void p17_fastWritersKeepTheirLastWord();
};

void tst_Adversary::p17_fastWritersKeepTheirLastWord_data()
{
    QTest::addColumn<QByteArray>("base");
    QTest::addColumn<bool>("renames");
    QTest::addColumn<bool>("inPlace");
    for (const QByteArray &base : { tmpfs, disk }) {
        QTest::addRow("both, %s", base.constData()) << base << true << true;
        if (base == disk && !isLong())
            continue;
        QTest::addRow("renames, %s", base.constData()) << base << true << false;
        QTest::addRow("writes in place, %s", base.constData()) << base << false << true;
    }
}

void tst_Adversary::p17_fastWritersKeepTheirLastWord()
{
    QFETCH(QByteArray, base);
    QFETCH(bool, renames);
    QFETCH(bool, inPlace);
    const qint64 writes = isLong() ? 100'000 : 10'000;
    Room room(base);
    const NetDir elsewhere;
    Shared &shared = sharedMemory();
    room.dir.writeByRename(config, ownerText(0));
    {
        const Child service([&] { serve(room.dir.path(), shared); });
        QTRY_VERIFY_WITH_TIMEOUT(shared.started, 20'000);
        QList<std::shared_ptr<Child>> children;
        for (const bool byRename : { true, false }) {
            if (byRename ? renames : inPlace)
                children.append(std::make_shared<Child>(
                    [&, byRename] { own(room.dir, elsewhere.path("lock"), byRename, shared); }));
        }
        if (!inPlace) // such a writer makes holes itself
            children.append(std::make_shared<Child>([&] { readAlways(room.dir, shared); }));
        const auto isFought = [&] { return shared.counter >= writes && (inPlace || shared.reads > 1000); };
        QVERIFY(runUntil(isFought, 4 * patienceMs));
        shared.stop = true;
        for (const auto &child : children)
            QCOMPARE(child->join(), 0);
        const QByteArray last = ownerText(shared.counter);
        QTRY_VERIFY2_WITH_TIMEOUT(
            room.isPatchedFrom(last), QByteArray(room.dir.read(config) + " and not " + last).constData(), 30'000);
        QTRY_VERIFY_WITH_TIMEOUT(room.temporaries().isEmpty(), 30'000);
        room.dir.writeByRename("20-b.conflist", ownerText(0)); // all that came before has been seen by then
        QTRY_VERIFY_WITH_TIMEOUT(room.isPatchedFrom(ownerText(0), "20-b.conflist"), 30'000);
        QTRY_VERIFY_WITH_TIMEOUT(room.temporaries().isEmpty(), 30'000);
        QVERIFY(room.isPatchedFrom(last)); // and it stays so
    }
    QCOMPARE(shared.holes.load(), 0);
    QCOMPARE(room.dir.names().contains(config), true);
    ::munmap(&shared, sizeof(Shared));
}

QTEST_GUILESS_MAIN(tst_Adversary)
#include "tst_adversary.moc"
