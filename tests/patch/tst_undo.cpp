// SPDX-License-Identifier: Apache-2.0
#include "patch/temporaryname.h"
#include "patch/undo.h"
#include "patchroom.h"
#include "sys/clock.h"
#include "sys/failpoint.h"
#include "writers.h"

#include <QDir>
#include <QTest>

#include <atomic>
#include <csignal>
#include <mutex>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <thread>
#include <utility>

using namespace firstwatch;
using namespace firstwatch::test;

namespace {

constexpr qint64 second = 1'000'000'000;

patch::UndoResult undo(Room &room, qint64 limitNs = 2 * second)
{
    return patch::undoAll(room.fd(), room.options, *room.journal, sys::bootTimeNs() + limitNs);
}

} // namespace

class tst_Undo : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup()
    {
        sys::setFaults({});
        sys::setPointHook({});
    }
    void p16_undoGivesTheOriginalBytes_data();
    void p16_undoGivesTheOriginalBytes();
    void p22_eachFileOnItsOwn();
    void p22_whatStandsInTheWayIsSaid_data();
    void p22_whatStandsInTheWayIsSaid();
    void p15_whatCouldNotBeKeptIsSaid_data();
    void p15_whatCouldNotBeKeptIsSaid();
    void p15_whatALateTextLosesIsSaidToo_data();
    void p15_whatALateTextLosesIsSaidToo();
    void p22_aDirectoryThatCannotBeListedIsSaid();
    void p22_isIdempotent();
    void p22_killedAnywhereConverges();
    void rightAfterAPatchNothingIsLeftBehind();
    void p17_ownersLastTextSurvivesTheWayOut_data();
    void p17_ownersLastTextSurvivesTheWayOut();
    void writerThatNeverClosesDoesNotStopIt();
    void writerThatClosesInTimeIsWaitedFor();
    void onlyOursStays();
    void thousandFilesInTime();
};

void tst_Undo::p16_undoGivesTheOriginalBytes_data()
{
    QTest::addColumn<QByteArray>("folder");
    QTest::addColumn<bool>("two");
    for (const bool two : { false, true }) {
        QTest::addRow("cni, %d", int(two) + 1) << QByteArray(FIRSTWATCH_TEST_DATA "/cni") << two;
        QTest::addRow("synthetic, %d", int(two) + 1) << QByteArray(FIRSTWATCH_TEST_DATA "/synthetic") << two;
    }
    QTest::newRow("public projects") << qgetenv("FIRSTWATCH_CORPUS") << false;
}

// Each file alone in its directory, through the whole recipe and back.
void tst_Undo::p16_undoGivesTheOriginalBytes()
{
    QFETCH(QByteArray, folder);
    QFETCH(bool, two);
    if (folder.isEmpty())
        QSKIP("FIRSTWATCH_CORPUS names no folder: the files of public projects are left out");
    int patchedFiles = 0;
    for (const QFileInfo &info : QDir(QString::fromUtf8(folder)).entryInfoList(QDir::Files)) {
        const QByteArray name = info.fileName().toUtf8();
        QFile file(info.filePath());
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        Room room(tmpfs, optionsOf(two ? QByteArrayList{ "ours", "ours-too" } : QByteArrayList{ "ours" }));
        if (!conflist::isConfigName(name)
            || conflist::unplan(name, text, room.options.chain.types()).action != conflist::Action::None)
            continue;
        room.dir.writeInPlace(name, text);
        patchedFiles += room.pass().patched;
        room.pass();
        QCOMPARE(undo(room).failed, 0);
        QVERIFY2(room.dir.read(name) == text, name.constData());
        QVERIFY2(room.dir.names() == QList<QByteArray>{ name }, name.constData());
    }
    QVERIFY(patchedFiles > 5);
}

void tst_Undo::p22_eachFileOnItsOwn()
{
    Room room;
    for (const QByteArray &name : QByteArrayList{ "10-a.conflist", "20-b.conflist", "30-c.conflist" })
        room.dir.writeInPlace(name, ownerText(1));
    QVERIFY(room.settles());
    // One of three is immutable: neither exchange nor a second name.
    int calls = 0;
    sys::setFaults("temp.create:errno=EACCES,count=1");
    const patch::UndoResult retried = undo(room); // a passing failure is tried again
    QCOMPARE(retried.undone, 3);
    QVERIFY(room.settles());
    sys::setPointHook([&](const char *point) {
        if (QByteArrayView(point) == "temp.create")
            ++calls;
    });
    sys::setFaults("temp.create:errno=EACCES,skip=1");
    const patch::UndoResult result = undo(room, second / 5);
    sys::setPointHook({});
    QCOMPARE(result.undone, 1);
    QCOMPARE(result.failed, 2);
    QVERIFY(calls > 3);
    QCOMPARE(room.recorder->count(journal::Kind::PatchUndone), 4);
    QVERIFY(room.temporaries().isEmpty());
    sys::setFaults({});
    const patch::UndoResult rest = undo(room);
    QCOMPARE(rest.undone, 2);
    QCOMPARE(rest.failed, 0);
    for (const QByteArray &name : room.dir.names())
        QCOMPARE(room.dir.read(name), ownerText(1));
}

void tst_Undo::p22_whatStandsInTheWayIsSaid_data()
{
    QTest::addColumn<QByteArray>("faults");
    QTest::addColumn<int>("code");
    QTest::newRow("read-only") << QByteArray("temp.create:errno=EROFS") << 1201;
    QTest::newRow("full") << QByteArray("temp.write:errno=ENOSPC") << 1202;
    QTest::newRow("cannot be read") << QByteArray("file.read:errno=EIO") << 1107;
}

// Of a file whose patch stays, the reason; of one that failed and then worked, none.
void tst_Undo::p22_whatStandsInTheWayIsSaid()
{
    QFETCH(QByteArray, faults);
    QFETCH(int, code);
    Room room;
    room.dir.writeInPlace(config, ownerText(1));
    QVERIFY(room.settles());
    sys::setFaults(faults + ",count=1");
    QCOMPARE(undo(room).undone, 1);
    QVERIFY(!room.hasFinding(code));
    QVERIFY(room.settles());
    sys::setFaults(faults);
    QCOMPARE(undo(room, second / 10).failed, 1);
    QVERIFY(room.hasFinding(code, config));
}

void tst_Undo::p15_whatCouldNotBeKeptIsSaid_data()
{
    QTest::addColumn<QByteArray>("faults");
    QTest::addColumn<bool>("said");
    QTest::newRow("owner") << QByteArray("temp.chown:errno=EPERM") << true;
    QTest::newRow("mode") << QByteArray("temp.chmod:errno=EPERM") << true;
    QTest::newRow("attribute") << QByteArray("temp.xattr:errno=EACCES") << true;
    QTest::newRow("all kept") << QByteArray() << false;
}

void tst_Undo::p15_whatCouldNotBeKeptIsSaid()
{
    QFETCH(QByteArray, faults);
    QFETCH(bool, said);
    Room room(disk);
    room.dir.writeInPlace(config, ownerText(1));
    if (::setxattr(room.dir.path(config).constData(), "user.test", "kept", 4, 0) != 0)
        QSKIP("no user attributes on this file system");
    QVERIFY(room.settles());
    sys::setFaults(faults);
    QCOMPARE(undo(room).undone, 1);
    QCOMPARE(room.hasFinding(1206, config), said);
    QCOMPARE(room.dir.read(config), ownerText(1));
}

void tst_Undo::p15_whatALateTextLosesIsSaidToo_data()
{
    QTest::addColumn<bool>("held");
    QTest::newRow("renamed into place just before the exchange") << false;
    QTest::newRow("written after it, through a descriptor of before") << true;
}

// The owner's text is undone as well, and only that second time costs something.
void tst_Undo::p15_whatALateTextLosesIsSaidToo()
{
    QFETCH(bool, held);
    Room room;
    room.dir.writeInPlace(config, ownerText(1));
    QVERIFY(room.settles());
    makeOld(room.dir, config);
    const QByteArray late = patched(config, ownerText(2), room.options);
    sys::FileDescriptor writer(held ? ::open(room.dir.path(config).constData(), O_WRONLY | O_CLOEXEC) : -1);
    bool written = false;
    int asked = 0; // who writes; the third time is a later look at what came out
    sys::setPointHook([&](const char *point) {
        asked += QByteArrayView(point) == "file.lease" ? 1 : 0;
        const bool due = held ? asked == 3 : QByteArrayView(point) == "rename.exchange";
        if (!due || std::exchange(written, true))
            return;
        if (!held)
            return room.dir.writeByRename(config, late);
        if (::ftruncate(writer.get(), 0) != 0
            || ::write(writer.get(), late.constData(), size_t(late.size())) != late.size())
            qFatal("the late text could not be written");
        writer.reset();
    });
    sys::setFaults("temp.chown:errno=EPERM,skip=1");
    QCOMPARE(undo(room).undone, 1);
    sys::setPointHook({});
    QVERIFY(written);
    QCOMPARE(room.dir.read(config), ownerText(2));
    QVERIFY(room.hasFinding(1206, config));
}

void tst_Undo::p22_aDirectoryThatCannotBeListedIsSaid()
{
    Room room;
    room.dir.writeInPlace(config, ownerText(1));
    QVERIFY(room.settles());
    sys::setFaults("dir.list:errno=EIO");
    QCOMPARE(undo(room).failed, 1);
    QVERIFY(room.hasFinding(1010));
}

void tst_Undo::p22_isIdempotent()
{
    Room room;
    room.dir.writeInPlace(config, ownerText(1));
    room.dir.writeInPlace("99-never-patched.conflist", "{\"broken\":");
    QCOMPARE(undo(room).all(), 0);
    room.pass();
    QCOMPARE(undo(room).undone, 1);
    struct stat before { };
    QCOMPARE(::stat(room.dir.path(config).constData(), &before), 0);
    QCOMPARE(undo(room).all(), 0);
    struct stat after { };
    QCOMPARE(::stat(room.dir.path(config).constData(), &after), 0);
    QCOMPARE(after.st_ino, before.st_ino);
    QCOMPARE(room.dir.read("99-never-patched.conflist"), QByteArray("{\"broken\":"));
}

void tst_Undo::p22_killedAnywhereConverges()
{
    bool killed = true;
    int point = 0;
    for (; killed; ++point) {
        Room room;
        room.dir.writeInPlace(config, ownerText(1));
        room.dir.writeInPlace("20-b.conf", R"({"cniVersion":"0.4.0","name":"b","type":"bridge"})");
        QVERIFY(room.settles());
        const QByteArray before = room.dir.read(config);
        const int status = inChild([&] {
            int calls = 0;
            sys::setPointHook([&](const char *) {
                if (calls++ == point)
                    ::raise(SIGKILL);
            });
            (void)undo(room);
            return 0;
        });
        killed = WIFSIGNALED(status);
        const QByteArray now = room.dir.read(config);
        QVERIFY(now == before || now == ownerText(1));
        QVERIFY(room.dir.exists("20-b.conf") || room.dir.exists("20-b.conflist"));
        room.restart();
        QVERIFY(room.settles());
        QCOMPARE(room.dir.read(config), before);
        QCOMPARE(undo(room).failed, 0);
        QCOMPARE(room.dir.names(), (QList<QByteArray>{ config, "20-b.conf" }));
        QCOMPARE(room.dir.read(config), ownerText(1));
    }
    QVERIFY2(point > 30, qPrintable(QString::number(point)));
}

void tst_Undo::rightAfterAPatchNothingIsLeftBehind()
{
    Room room;
    room.dir.writeInPlace(config, ownerText(1));
    QCOMPARE(room.pass().patched, 1);
    QCOMPARE(room.temporaries().size(), 1); // still looked after
    QCOMPARE(undo(room).undone, 1);
    QCOMPARE(room.dir.names(), QList<QByteArray>{ config });
    QCOMPARE(room.dir.read(config), ownerText(1));
}

void tst_Undo::p17_ownersLastTextSurvivesTheWayOut_data()
{
    QTest::addColumn<Style>("style");
    for (const auto &[style, name] : styles)
        QTest::newRow(name) << style;
}

// The owner writes at each call of the clean-up in turn: its text stands in the end, without our plugin unless it came
// too late for us to see; and nothing of ours stays beside it.
void tst_Undo::p17_ownersLastTextSurvivesTheWayOut()
{
    QFETCH(Style, style);
    bool reached = true;
    constexpr int most = 40; // while somebody holds the file open, there are calls without end
    for (int point = 0; reached && point < most && !QTest::currentTestFailed(); ++point) {
        Room room;
        room.dir.writeInPlace(config, ownerText(1));
        QVERIFY(room.settles());
        makeOld(room.dir, config);
        Writer writer(room.dir, config, style, ownerText(2));
        writer.prepare();
        int calls = 0;
        std::mutex mutex;
        std::atomic<bool> acted = false;
        sys::setPointHook([&](const char *) {
            if (calls++ != point)
                return;
            const std::scoped_lock lock(mutex);
            writer.act();
            acted = true;
        });
        std::thread closes([&] { // of the styles that take their time, which is the pause
            (void)eventually([&] { return acted.load(); }, 300); // there may be no such call
            ::usleep(5000);
            const std::scoped_lock lock(mutex);
            writer.finish();
        });
        (void)undo(room, 30 * second);
        closes.join();
        sys::setPointHook({});
        reached = calls > point;
        if (!reached)
            break;
        const QByteArray where = "call " + QByteArray::number(point);
        if (writer.withdraws())
            QVERIFY2(!room.dir.exists(config), where.constData());
        else
            QVERIFY2(room.dir.read(config) == ownerText(2), QByteArray(where + room.dir.read(config)).constData());
        QVERIFY2(room.temporaries().isEmpty(), where.constData());
    }
}

void tst_Undo::writerThatNeverClosesDoesNotStopIt()
{
    Room room;
    room.dir.writeInPlace(config, ownerText(1));
    QVERIFY(room.settles());
    makeOld(room.dir, config);
    const int writer = ::open(room.dir.path(config).constData(), O_WRONLY | O_CLOEXEC);
    const patch::UndoResult result = undo(room, second / 2);
    QCOMPARE(result.undone, 1);
    QCOMPARE(room.dir.read(config), ownerText(1));
    // What it writes now is taken up by the next start.
    const QByteArray late = ownerText(2);
    QCOMPARE(::pwrite(writer, late.constData(), size_t(late.size()), 0), ssize_t(late.size()));
    QCOMPARE(::ftruncate(writer, late.size()), 0);
    ::close(writer);
    room.restart();
    QVERIFY(room.settles());
    QVERIFY(room.isPatchedFrom(late));
    QVERIFY(room.temporaries().isEmpty());
}

void tst_Undo::writerThatClosesInTimeIsWaitedFor()
{
    Room room;
    room.dir.writeInPlace(config, ownerText(1));
    QVERIFY(room.settles());
    Writer writer(room.dir, config, Style::TruncatesWritesLater, patched(config, ownerText(2), room.options));
    writer.act();
    std::atomic<int> asked = 0; // who writes
    sys::setPointHook([&](const char *point) { asked += QByteArrayView(point) == "file.lease" ? 1 : 0; });
    std::thread closes([&] {
        (void)eventually([&] { return asked > 1; }); // so it has been told once that we do
        writer.finish();
    });
    (void)undo(room, 10 * second);
    closes.join();
    sys::setPointHook({});
    QVERIFY(asked > 1);
    QVERIFY(room.temporaries().isEmpty());
    QVERIFY(counterOf(room.dir.read(config)) == 2);
}

void tst_Undo::onlyOursStays()
{
    Room room;
    const QByteArray text = R"({"cniVersion":"0.4.0","name":"a","plugins":[{"type":"ours"}]})";
    room.dir.writeInPlace(config, text);
    const patch::UndoResult result = undo(room, second / 10);
    QCOMPARE(result.failed, 1);
    QCOMPARE(room.dir.read(config), text);
}

void tst_Undo::thousandFilesInTime()
{
    Room room;
    for (int i = 0; i < 1000; ++i)
        room.dir.writeInPlace(QByteArray::number(1000 + i) + ".conflist", ownerText(i));
    QVERIFY(room.settles());
    const patch::UndoResult result = undo(room, 60 * second); // the limit of the machine, not of the promise
    QCOMPARE(result.undone, 1000);
    QCOMPARE(result.failed, 0);
    QCOMPARE(room.dir.names().size(), 1000);
    for (int i = 0; i < 1000; ++i)
        QCOMPARE(room.dir.read(QByteArray::number(1000 + i) + ".conflist"), ownerText(i));
}

QTEST_GUILESS_MAIN(tst_Undo)
#include "tst_undo.moc"
