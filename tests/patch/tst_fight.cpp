// SPDX-License-Identifier: Apache-2.0
#include "patchroom.h"
#include "sys/failpoint.h"

#include <QDeadlineTimer>
#include <QTest>

#include <atomic>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace firstwatch;
using namespace firstwatch::test;
using journal::FileWord;
using journal::Kind;

namespace {

// Another writer that restores its text within milliseconds of any change, as a CNI that owns the net dir does.
class Opponent {
public:
    Opponent(const NetDir &dir, const QByteArray &text)
        : m_dir(dir)
        , m_text(text)
        , m_inotify(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK))
    {
        ::inotify_add_watch(m_inotify, dir.path().constData(), IN_MOVED_TO | IN_CLOSE_WRITE);
        m_thread = std::thread([this] { run(); });
    }
    ~Opponent() { stop(); }
    Opponent(const Opponent &) = delete;
    Opponent &operator=(const Opponent &) = delete;
    void stop()
    {
        m_stop = true;
        if (m_thread.joinable()) {
            m_thread.join();
            ::close(m_inotify);
        }
    }
    std::atomic<int> restores = 0;

private:
    void run()
    {
        while (!m_stop) {
            char records[4096];
            while (::read(m_inotify, records, sizeof records) > 0) { }
            if (m_dir.read(config) != m_text) {
                m_dir.writeByRename(config, m_text);
                ++restores;
            }
            pollfd waiting{ m_inotify, POLLIN, 0 };
            (void)::poll(&waiting, 1, 20);
        }
    }

    const NetDir &m_dir;
    QByteArray m_text;
    int m_inotify;
    std::atomic<bool> m_stop = false;
    std::thread m_thread;
};

} // namespace

class tst_Fight : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void p10_fightsAreDamped();
    void p10_newsInAFightIsAnsweredAtOnce();
    void p09_ownWritesCauseNoLoop();
    void p09_idleWritesNothing();
    void manyVersionsAreManyPatches();
};

// The start of a fight in real time: the damping's own test has the hour. A change is answered ten times, then with
// pauses of 1, 2, 4 s: about 14 writes in 10 s.
void tst_Fight::p10_fightsAreDamped()
{
    WatchedRoom watched;
    Room &room = watched.room;
    room.dir.writeByRename(config, ownerText(1));
    QVERIFY(watched.start());
    Opponent opponent(room.dir, ownerText(1));
    const QDeadlineTimer length(isLong() ? 60'000 : 10'000);
    QVERIFY(runUntil([&] { return room.word(config) == FileWord::Contested; }));
    QVERIFY(room.hasFinding(1102, config));
    QVERIFY(!room.reconciler->isClean());
    (void)runUntil([&] { return length.hasExpired(); }, 120'000);
    const int writes = room.recorder->count(Kind::PatchApplied, config);
    QVERIFY2(writes >= 11 && writes <= 18, qPrintable(QString::number(writes)));
    QVERIFY(opponent.restores >= 10);
    QVERIFY(room.hasFinding(1102, config));
    opponent.stop();
    QVERIFY(runUntil([&] { return room.isPatchedFrom(ownerText(1)); }, 90'000)); // never given up
    QCOMPARE(room.word(config), FileWord::Contested); // until it has been calm for two minutes
    // News from the owner ends nothing by itself; the calm does, and then the finding is closed.
    QCOMPARE(room.recorder->count(Kind::FindingClose), 0);
}

void tst_Fight::p10_newsInAFightIsAnsweredAtOnce()
{
    Room room;
    for (int i = 0; i < 14; ++i) {
        room.dir.writeByRename(config, ownerText(1));
        room.pass();
    }
    QCOMPARE(room.word(config), FileWord::Contested);
    QCOMPARE(room.dir.read(config), ownerText(1));
    room.dir.writeByRename(config, ownerText(2));
    room.pass();
    QVERIFY(room.isPatchedFrom(ownerText(2)));
}

void tst_Fight::p09_ownWritesCauseNoLoop()
{
    WatchedRoom watched;
    Room &room = watched.room;
    room.dir.writeByRename(config, ownerText(0));
    QVERIFY(watched.start());
    QVERIFY(runUntil([&] { return watched.isAtRest(); }));
    for (int i = 1; i <= 50; ++i) {
        sys::setFaults({});
        const QByteArray text = ownerText(i);
        i % 2 == 0 ? room.dir.writeByRename(config, text) : room.dir.writeInPlace(config, text);
        QVERIFY(runUntil([&] { return room.isPatchedFrom(text) && watched.isAtRest(); }));
        const QDeadlineTimer after(60); // nothing ends a loop that must not be there: it is given time to show
        QVERIFY(runUntil([&] { return after.hasExpired(); }));
        QCOMPARE(sys::passedPoints().count("temp.create"), 1);
        // One look patches, one finds our own write; one more is for what came out of the exchange.
        qsizetype looks = sys::passedPoints().count("file.open") - sys::passedPoints().count("file.lease") + 1;
        QVERIFY2(looks <= 3, qPrintable(QString::number(looks)));
    }
    QCOMPARE(room.recorder->count(Kind::PatchApplied), 51);
    QVERIFY(room.temporaries().isEmpty());
}

// An hour of periodic passes.
void tst_Fight::p09_idleWritesNothing()
{
    WatchedRoom watched(disk);
    Room &room = watched.room;
    for (const QByteArray &name : QByteArrayList{ "10-a.conflist", "20-b.conflist", "30-c.conf" })
        room.dir.writeByRename(
            name, name == "30-c.conf" ? QByteArray("{\"name\":\"c\",\"type\":\"x\"}") : ownerText(1));
    QVERIFY(watched.start());
    QVERIFY(runUntil([&] { return watched.isAtRest(); }));
    QVERIFY(runUntil([&] { return !room.dir.exists("30-c.conf"); }));
    const auto inodes = [&room] {
        QList<quint64> all;
        struct stat info { };
        for (const QByteArray &name : QList<QByteArray>{ "." } + room.dir.names()) {
            ::stat(room.dir.path(name).constData(), &info);
            all << info.st_ino << quint64(info.st_mtim.tv_nsec) << quint64(info.st_mtim.tv_sec);
        }
        return all;
    };
    const QList<quint64> before = inodes();
    const int events = room.recorder->count(Kind::PassBegin) + room.recorder->count(Kind::FileState);
    sys::setFaults({});
    for (int i = 0; i < 120; ++i)
        QCOMPARE(watched.periodicPass().patched, 0);
    QCOMPARE(inodes(), before);
    for (const char *writing : { "temp.create", "rename.exchange", "rename.plain", "name.unlink", "dir.sync" })
        QCOMPARE(sys::passedPoints().count(writing), 0);
    QCOMPARE(room.recorder->count(Kind::PassBegin) + room.recorder->count(Kind::FileState), events); // and says nothing
}

// Two files that change by turns, with new content each time: one patch for each, none more.
void tst_Fight::manyVersionsAreManyPatches()
{
    WatchedRoom watched;
    Room &room = watched.room;
    QVERIFY(watched.start());
    for (int i = 1; i <= 200; ++i) {
        for (const QByteArray &name : QByteArrayList{ "10-a.conflist", "20-b.conflist" }) {
            room.dir.writeByRename(name, ownerText(i));
            QVERIFY(runUntil([&] { return room.isPatchedFrom(ownerText(i), name); }));
        }
    }
    QVERIFY(runUntil([&] { return watched.isAtRest(); }));
    QCOMPARE(room.recorder->count(Kind::PatchApplied), 400);
    QVERIFY(room.temporaries().isEmpty());
}

QTEST_GUILESS_MAIN(tst_Fight)
#include "tst_fight.moc"
