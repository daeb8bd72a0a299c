// SPDX-License-Identifier: Apache-2.0
#include "patchroom.h"
#include "sys/failpoint.h"
#include "writers.h"

#include <QTest>

#include <atomic>
#include <sys/stat.h>
#include <thread>

using namespace firstwatch;
using namespace firstwatch::test;

namespace {

// A file outside of the net dir that must never change.
class Outside {
public:
    Outside()
    {
        m_dir.writeInPlace("passwd.conflist", ownerText(7));
        ::stat(path().constData(), &m_before);
    }
    [[nodiscard]] QByteArray path() const { return m_dir.path("passwd.conflist"); }
    [[nodiscard]] bool isUntouched() const
    {
        struct stat now { };
        ::stat(path().constData(), &now);
        return m_dir.read("passwd.conflist") == ownerText(7) && now.st_ino == m_before.st_ino
            && now.st_mtim.tv_nsec == m_before.st_mtim.tv_nsec && now.st_mode == m_before.st_mode
            && m_dir.names() == QList<QByteArray>{ "passwd.conflist" };
    }

private:
    NetDir m_dir;
    struct stat m_before { };
};

void putLink(const NetDir &dir, const QByteArray &target, const QByteArray &name)
{
    const QByteArray temporary = dir.path(".link");
    if (::symlink(target.constData(), temporary.constData()) != 0
        || ::rename(temporary.constData(), dir.path(name).constData()) != 0)
        qFatal("symlink");
}

} // namespace

class tst_Links : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup() { sys::setPointHook({}); }
    void p19_neverFollowsLinksOut();
    void p19_linkPutThereAtEachCall_data();
    void p19_linkPutThereAtEachCall();
    void p19_swapRace();
    void p19_hardLinksElsewhereStay();
    void linkInsideIsKeptAndItsTargetPatched_data();
    void linkInsideIsKeptAndItsTargetPatched();
    void danglingLinkIsPatchedWhenItsTargetComes();
};

void tst_Links::p19_neverFollowsLinksOut()
{
    const Outside outside;
    Room room;
    putLink(room.dir, outside.path(), config);
    room.dir.writeInPlace("20-b.conflist", ownerText(1));
    QVERIFY(room.settles());
    QVERIFY(outside.isUntouched());
    QVERIFY(room.hasFinding(1104, config));
    QVERIFY(room.isPatchedFrom(ownerText(1), "20-b.conflist"));
    QCOMPARE(room.word(config), journal::FileWord::Refused);
}

void tst_Links::p19_linkPutThereAtEachCall_data()
{
    QTest::addColumn<bool>("inside");
    QTest::newRow("leads out") << false;
    QTest::newRow("leads to another file of the net dir") << true;
}

// The owner puts a link in the place of its file at each call in turn; that is its last word, and it stands in the end.
void tst_Links::p19_linkPutThereAtEachCall()
{
    QFETCH(bool, inside);
    bool reached = true;
    for (int point = 0; reached; ++point) {
        const Outside outside;
        Room room;
        room.dir.writeInPlace("real.txt", ownerText(5));
        room.dir.writeInPlace(config, ownerText(1));
        const QByteArray target = inside ? "real.txt" : outside.path();
        int calls = 0;
        sys::setPointHook([&](const char *) {
            if (calls++ == point)
                putLink(room.dir, target, config);
        });
        room.pass();
        sys::setPointHook({});
        reached = calls > point;
        const QByteArray where = "call " + QByteArray::number(point);
        QVERIFY2(room.settles(), where.constData());
        QVERIFY2(outside.isUntouched(), where.constData());
        QVERIFY2(room.temporaries().isEmpty(), where.constData());
        if (!reached)
            continue;
        struct stat info { };
        QCOMPARE(::lstat(room.dir.path(config).constData(), &info), 0);
        QVERIFY2(S_ISLNK(info.st_mode), where.constData());
        QCOMPARE(room.isPatchedFrom(ownerText(5), "real.txt"), inside);
    }
}

void tst_Links::p19_swapRace()
{
    const Outside outside;
    Room room;
    room.dir.writeInPlace(config, ownerText(1));
    std::atomic<bool> stop = false;
    const int swaps = isLong() ? 10'000 : 1000;
    std::thread swapper([&] {
        for (int i = 0; i < swaps; ++i) {
            putLink(room.dir, outside.path(), config);
            room.dir.writeByRename(config, ownerText(i));
        }
        stop = true;
    });
    int passes = 0;
    for (; !stop; ++passes)
        room.pass();
    swapper.join();
    QVERIFY(passes > 10);
    QVERIFY(room.settles());
    QVERIFY(outside.isUntouched());
    QVERIFY(room.isPatchedFrom(ownerText(swaps - 1)));
    QVERIFY(room.temporaries().isEmpty());
}

void tst_Links::p19_hardLinksElsewhereStay()
{
    Room room(disk);
    NetDir elsewhere;
    elsewhere.writeInPlace("original", ownerText(1));
    QCOMPARE(::link(elsewhere.path("original").constData(), room.dir.path(config).constData()), 0);
    QVERIFY(room.settles());
    QVERIFY(room.isPatchedFrom(ownerText(1)));
    QCOMPARE(elsewhere.read("original"), ownerText(1));
}

void tst_Links::linkInsideIsKeptAndItsTargetPatched_data()
{
    QTest::addColumn<QByteArray>("real");
    QTest::addColumn<bool>("absolute");
    QTest::newRow("relative") << QByteArray("real.txt") << false;
    QTest::newRow("by the host's path") << QByteArray("real.txt") << true;
    QTest::newRow("to another config") << QByteArray("20-real.conflist") << false;
}

void tst_Links::linkInsideIsKeptAndItsTargetPatched()
{
    QFETCH(QByteArray, real);
    QFETCH(bool, absolute);
    Room room;
    room.dir.writeInPlace(real, ownerText(1));
    putLink(room.dir, absolute ? room.dir.path(real) : real, config);
    QVERIFY(room.settles());
    QVERIFY(room.isPatchedFrom(ownerText(1), real));
    QCOMPARE(room.word(config), journal::FileWord::Patched);
    struct stat info { };
    QCOMPARE(::lstat(room.dir.path(config).constData(), &info), 0);
    QVERIFY(S_ISLNK(info.st_mode));
    QCOMPARE(room.dir.names().size(), 2);
}

void tst_Links::danglingLinkIsPatchedWhenItsTargetComes()
{
    WatchedRoom watched;
    Room &room = watched.room;
    putLink(room.dir, "real.txt", config);
    putLink(room.dir, "20-b.conflist", "15-b.conflist");
    QVERIFY(watched.start());
    QVERIFY(room.hasFinding(1104, config));
    room.dir.writeInPlace("real.txt", ownerText(1));
    room.dir.writeInPlace("20-b.conflist", ownerText(2));
    QVERIFY(runUntil([&] { return room.isPatchedFrom(ownerText(1), "real.txt") && watched.isAtRest(); }));
    QVERIFY(runUntil([&] { return room.word("15-b.conflist") == journal::FileWord::Patched; }));
    QCOMPARE(room.word(config), journal::FileWord::Patched);
    QVERIFY(room.journal->state().findings().isEmpty());
    room.dir.writeInPlace("real.txt", ownerText(3)); // and a change of the target alone is seen
    QVERIFY(runUntil([&] { return room.isPatchedFrom(ownerText(3), "real.txt"); }));
    room.dir.remove("real.txt");
    QVERIFY(runUntil([&] { return room.hasFinding(1104, config); }));
}

QTEST_GUILESS_MAIN(tst_Links)
#include "tst_links.moc"
