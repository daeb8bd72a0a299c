// SPDX-License-Identifier: Apache-2.0
#include "conflist/activefile.h"
#include "patch/temporaryname.h"
#include "patch/undo.h"
#include "patchroom.h"
#include "sys/clock.h"
#include "sys/failpoint.h"
#include "writers.h"

#include <QTest>

#include <csignal>
#include <sys/stat.h>
#include <sys/wait.h>

using namespace firstwatch;
using namespace firstwatch::test;
using journal::FileWord;

namespace {

const QByteArray conf = "10-o.conf";
const QByteArray list = "10-o.conflist";
const QByteArray kept = ".10-o.conf.firstwatch-kept";

QByteArray singleText(int counter = 1)
{
    return R"({ "cniVersion": "0.4.0", "name": "tenant-blue", "type": "bridge", "mtu": )" + QByteArray::number(counter)
        + " }\n";
}

} // namespace

class tst_Conversion : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup()
    {
        sys::setFaults({});
        sys::setPointHook({});
    }
    void original_isKeptAndComesBackByteExactly_data();
    void original_isKeptAndComesBackByteExactly();
    void p20_killBetweenStepsLosesNothing();
    void p20_errorAtEachCallLosesNothing();
    void p20_errorAtEachCallOfTheCleanUpIsMadeUpFor_data();
    void p20_errorAtEachCallOfTheCleanUpIsMadeUpFor();
    void p17_ownersLastTextIsConverted_data();
    void p17_ownersLastTextIsConverted();
    void ownerThatMakesItsFileAgain();
    void ownerThatMakesItsFileAgainAndAgainIsDamped();
    void twoFilesOfOneNetwork();
    void foreignListIsNeverOverwritten();
    void mainPluginStaysFirstAfterARestart();
    void fileThatAnotherNamesIsLeft();
    void listChangedByOthersIsTheirsAtCleanUp();
    void unreadableListKeepsTheOriginal();

private:
    [[nodiscard]] static patch::UndoResult undo(Room &room)
    {
        return patch::undoAll(room.fd(), room.options, *room.journal, sys::bootTimeNs() + 2'000'000'000);
    }
};

void tst_Conversion::original_isKeptAndComesBackByteExactly_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("conf") << QByteArray("10-o.conf");
    QTest::newRow("json") << QByteArray("10-o.json");
}

void tst_Conversion::original_isKeptAndComesBackByteExactly()
{
    QFETCH(QByteArray, name);
    Room room(disk);
    room.dir.writeInPlace(name, singleText());
    const QByteArray path = room.dir.path(name);
    QCOMPARE(::chown(path.constData(), 1000, 1001), 0);
    QCOMPARE(::chmod(path.constData(), 0640), 0);
    makeOld(room.dir, name);
    struct stat before { };
    QCOMPARE(::stat(path.constData(), &before), 0);
    QVERIFY(room.settles());
    const QByteArray keptFile = patch::keptName(name);
    QCOMPARE(room.dir.names(), (QList<QByteArray>{ keptFile, list }));
    QCOMPARE(room.dir.read(list), patched(name, singleText(), room.options));
    QCOMPARE(room.dir.read(keptFile), singleText());
    struct stat made { };
    QCOMPARE(::stat(room.dir.path(list).constData(), &made), 0);
    QCOMPARE(int(made.st_mode & 07777), 0640);
    QCOMPARE(made.st_uid, uid_t(1000));
    const patch::UndoResult result = undo(room);
    QCOMPARE(result.undone, 1);
    QCOMPARE(result.failed, 0);
    QCOMPARE(room.dir.names(), QList<QByteArray>{ name });
    QCOMPARE(room.dir.read(name), singleText());
    struct stat after { };
    QCOMPARE(::stat(path.constData(), &after), 0);
    QCOMPARE(after.st_ino, before.st_ino);
    QCOMPARE(after.st_mode, before.st_mode);
    QCOMPARE(after.st_uid, before.st_uid);
    QCOMPARE(after.st_gid, before.st_gid);
    QCOMPARE(after.st_mtim.tv_sec, before.st_mtim.tv_sec);
    QCOMPARE(undo(room).all(), 0); // nothing is left to do
}

void tst_Conversion::p20_killBetweenStepsLosesNothing()
{
    bool killed = true;
    int point = 0;
    for (; killed; ++point) {
        Room room(point % 2 == 0 ? tmpfs : disk);
        room.dir.writeInPlace(conf, singleText());
        const int status = inChild([&] {
            int calls = 0;
            sys::setPointHook([&](const char *) {
                if (calls++ == point)
                    ::raise(SIGKILL);
            });
            room.pass();
            return 0;
        });
        killed = WIFSIGNALED(status);
        const QByteArray where = "call " + QByteArray::number(point);
        // The owner's bytes are there, and a runtime finds the network.
        const bool hasConf = room.dir.read(conf) == singleText();
        QVERIFY2(hasConf || room.dir.read(kept) == singleText(), where.constData());
        QVERIFY2(hasConf || room.isPatchedFrom(patched(conf, singleText(), room.options), list), where.constData());
        room.restart();
        QVERIFY2(room.settles(), where.constData());
        QCOMPARE(room.dir.names(), (QList<QByteArray>{ kept, list }));
        QCOMPARE(room.dir.read(list), patched(conf, singleText(), room.options));
        QCOMPARE(undo(room).undone, 1);
        QCOMPARE(room.dir.names(), QList<QByteArray>{ conf });
        QCOMPARE(room.dir.read(conf), singleText());
    }
    QVERIFY2(point > 20, qPrintable(QString::number(point)));
}

void tst_Conversion::p20_errorAtEachCallLosesNothing()
{
    bool reached = true;
    int calls = 0;
    for (; reached; ++calls) {
        Room room;
        room.dir.writeInPlace(conf, singleText());
        sys::setFaults("*:errno=EIO,count=1,skip=" + QByteArray::number(calls));
        room.pass();
        reached = sys::passedPoints().size() > calls;
        const QByteArray where = sys::passedPoints().value(calls);
        QVERIFY2(room.dir.read(conf) == singleText() || room.dir.read(kept) == singleText(), where.constData());
        QVERIFY2(room.settles([&room] { return room.dir.exists(list) && !room.dir.exists(conf); }), where.constData());
        QCOMPARE(room.dir.names(), (QList<QByteArray>{ kept, list }));
        QCOMPARE(room.dir.read(list), patched(conf, singleText(), room.options));
    }
    QVERIFY2(calls > 20, qPrintable(QString::number(calls)));
}

void tst_Conversion::p20_errorAtEachCallOfTheCleanUpIsMadeUpFor_data()
{
    QTest::addColumn<QByteArray>("error");
    QTest::addColumn<bool>("runsAgain");
    for (const QByteArray error : { "EIO", "ENOENT" }) {
        QTest::addRow("%s, the next clean-up", error.constData()) << error << false;
        QTest::addRow("%s, the next run", error.constData()) << error << true;
    }
}

// Both files there and nothing kept would be a list that the next run takes for its owner's.
void tst_Conversion::p20_errorAtEachCallOfTheCleanUpIsMadeUpFor()
{
    QFETCH(const QByteArray, error);
    QFETCH(const bool, runsAgain);
    bool reached = true;
    int calls = 0;
    for (; reached; ++calls) {
        Room room;
        room.dir.writeInPlace(conf, singleText());
        QVERIFY(room.settles());
        sys::setFaults("*:errno=" + error + ",count=1,skip=" + QByteArray::number(calls));
        (void)undo(room);
        reached = sys::passedPoints().size() > calls;
        const QByteArray where = QByteArray::number(calls) + ' ' + sys::passedPoints().value(calls);
        sys::setFaults({});
        QVERIFY2(room.dir.read(conf) == singleText() || room.dir.read(kept) == singleText(), where.constData());
        if (runsAgain) {
            room.restart();
            QVERIFY2(room.settles([&room] { return !room.dir.exists(conf); }), where.constData());
            QCOMPARE(room.dir.read(list), patched(conf, singleText(), room.options));
        }
        QVERIFY2(undo(room).failed == 0, where.constData());
        const QByteArray names = room.dir.names().join(' ');
        QVERIFY2(names == conf, QByteArray(where + " left " + names).constData());
        QCOMPARE(room.dir.read(conf), singleText());
    }
    QVERIFY2(calls > 8, qPrintable(QString::number(calls)));
}

void tst_Conversion::p17_ownersLastTextIsConverted_data()
{
    QTest::addColumn<Style>("style");
    for (const auto &[style, name] : styles) {
        if (style != Style::Unlink && style != Style::RenameAway)
            QTest::newRow(name) << style;
    }
}

// The owner writes its .conf at each call of the conversion in turn.
void tst_Conversion::p17_ownersLastTextIsConverted()
{
    QFETCH(Style, style);
    bool reached = true;
    for (int point = 0; reached; ++point) {
        Room room;
        room.dir.writeInPlace(conf, singleText(1));
        Writer writer(room.dir, conf, style, singleText(2));
        writer.prepare();
        int calls = 0;
        bool there = true;
        sys::setPointHook([&](const char *) {
            if (calls++ != point)
                return;
            there = room.dir.exists(conf) || style == Style::OpenedBefore;
            if (there)
                writer.act();
        });
        room.pass();
        sys::setPointHook({});
        reached = calls > point;
        if (!there)
            continue; // converted by then: the owner that makes its file again is another test
        if (room.dir.exists(conf) || style == Style::OpenedBefore)
            writer.act();
        room.pass();
        writer.finish();
        const QByteArray where = "call " + QByteArray::number(point);
        QVERIFY2(room.settles([&room] { return !room.dir.exists(conf); }), where.constData());
        const QByteArray expected = patched(conf, room.dir.read(kept), room.options);
        QVERIFY2(room.dir.read(list) == expected, QByteArray(where + room.dir.read(list)).constData());
        if (reached)
            QVERIFY2(room.dir.read(kept) == singleText(2), where.constData());
    }
}

void tst_Conversion::ownerThatMakesItsFileAgain()
{
    WatchedRoom watched;
    Room &room = watched.room;
    room.dir.writeInPlace(conf, singleText(1));
    QVERIFY(watched.start());
    QVERIFY(runUntil([&] { return room.dir.exists(list) && !room.dir.exists(conf); }));
    room.dir.writeInPlace(conf, singleText(2)); // its owner misses it, and makes it again
    const QByteArray expected = patched(conf, singleText(2), room.options);
    QVERIFY(runUntil([&] { return room.dir.read(list) == expected && watched.isAtRest(); }));
    QCOMPARE(room.dir.names(), (QList<QByteArray>{ kept, list })); // one live file
    QCOMPARE(room.dir.read(kept), singleText(2));
    QCOMPARE(undo(room).undone, 1);
    QCOMPARE(room.dir.read(conf), singleText(2));
}

void tst_Conversion::ownerThatMakesItsFileAgainAndAgainIsDamped()
{
    Room room;
    int conversions = 0;
    for (int i = 0; i < 60; ++i) {
        if (!room.dir.exists(conf))
            room.dir.writeInPlace(conf, singleText());
        conversions += room.pass().patched;
    }
    QVERIFY2(conversions >= 10 && conversions <= 13, qPrintable(QString::number(conversions)));
    QCOMPARE(room.word(conf), FileWord::Contested);
    QVERIFY(room.hasFinding(1102, conf));
}

void tst_Conversion::twoFilesOfOneNetwork()
{
    Room room;
    room.dir.writeInPlace(conf, singleText());
    room.dir.writeInPlace(list, ownerText(1));
    room.pass();
    QTRY_VERIFY(!room.reconciler->hasDisplaced());
    QCOMPARE(room.dir.read(conf), singleText());
    QVERIFY(room.isPatchedFrom(ownerText(1), list));
    QVERIFY(room.hasFinding(2026, conf));
    QCOMPARE(room.word(conf), FileWord::Drift); // it sorts first: the runtime picks it, and it is not patched
    const auto files = room.journal->state().files();
    QVERIFY(files.value(journal::shownName(conf)).active);
    QVERIFY(!files.value(journal::shownName(list)).active);
}

void tst_Conversion::foreignListIsNeverOverwritten()
{
    Room room;
    room.dir.writeInPlace(conf, singleText());
    sys::setPointHook([&](const char *point) { // it appears at the last moment
        if (QByteArrayView(point) == "rename.noreplace" && !room.dir.exists(list))
            room.dir.writeInPlace(list, "{\"theirs\":1}");
    });
    room.pass();
    sys::setPointHook({});
    room.pass();
    QCOMPARE(room.dir.read(list), QByteArray("{\"theirs\":1}"));
    QCOMPARE(room.dir.read(conf), singleText());
    QVERIFY(room.temporaries().isEmpty());
    QVERIFY(room.hasFinding(2026, conf));
}

void tst_Conversion::mainPluginStaysFirstAfterARestart()
{
    Room room;
    room.dir.writeInPlace(conf, singleText());
    const int status = inChild([&room] {
        (void)room.settles();
        ::raise(SIGKILL);
        return 0;
    });
    QVERIFY(WIFSIGNALED(status));
    room.restart();
    QCOMPARE(room.pass().patched, 0);
    QVERIFY(room.settles());
    QCOMPARE(conflist::verdict(list, room.dir.read(list)).chain, (QByteArrayList{ "bridge", "ours" }));
    QCOMPARE(conflist::verdict(list, room.dir.read(list)).network, QByteArray("tenant-blue"));
    QCOMPARE(room.dir.read(kept), singleText());
}

// multus waits for a readiness file of this very name.
void tst_Conversion::fileThatAnotherNamesIsLeft()
{
    Room room;
    room.dir.writeInPlace(conf, singleText());
    room.dir.writeInPlace("00-multus.conflist",
        R"({"cniVersion":"0.4.0","name":"m","plugins":[{"type":"multus","readinessindicatorfile":"/etc/cni/net.d/)"
            + conf + "\"}]}");
    room.pass();
    QCOMPARE(room.dir.read(conf), singleText());
    QVERIFY(!room.dir.exists(list));
    QVERIFY(room.hasFinding(2027, conf));
    room.dir.remove("00-multus.conflist");
    QVERIFY(room.settles([&room] { return room.dir.exists(list); }));
    QVERIFY(!room.hasFinding(2027));
}

void tst_Conversion::listChangedByOthersIsTheirsAtCleanUp()
{
    Room room;
    room.dir.writeInPlace(conf, singleText());
    QVERIFY(room.settles());
    room.dir.writeByRename(list, ownerText(5)); // somebody has taken the list over
    QVERIFY(room.settles());
    QVERIFY(room.isPatchedFrom(ownerText(5), list));
    QCOMPARE(undo(room).failed, 0);
    QCOMPARE(room.dir.read(list), ownerText(5));
    QVERIFY(!room.dir.exists(conf));
}

void tst_Conversion::unreadableListKeepsTheOriginal()
{
    Room room;
    room.dir.writeInPlace(conf, singleText());
    QVERIFY(room.settles());
    sys::setFaults("file.read:errno=EIO");
    QVERIFY(undo(room).failed > 0);
    QCOMPARE(room.dir.read(kept), singleText());
    sys::setFaults({});
    QCOMPARE(undo(room).failed, 0);
    QCOMPARE(room.dir.names(), QList<QByteArray>{ conf });
}

QTEST_GUILESS_MAIN(tst_Conversion)
#include "tst_conversion.moc"
