// SPDX-License-Identifier: Apache-2.0
#include "conflist/activefile.h"
#include "patch/temporaryname.h"
#include "patchroom.h"
#include "sys/failpoint.h"

#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace firstwatch;
using namespace firstwatch::test;
using journal::FileWord;
using journal::Kind;

namespace {

const QByteArray loopback = R"({"cniVersion":"0.4.0","name":"lo","plugins":[{"type":"loopback"}]})";

bool isActive(const Room &room, const QByteArray &name)
{
    return room.journal->state().files().value(journal::shownName(name)).active;
}

} // namespace

class tst_Reconciler : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup()
    {
        sys::setFaults({});
        sys::setPointHook({});
    }
    void nothingIsWrittenBeforeAPass();
    void nothingIsWrittenWithoutADirectory();
    void p03_aDirectoryThatCannotBeListedIsNotClean_data();
    void p03_aDirectoryThatCannotBeListedIsNotClean();
    void emptyDirectoryIsLeftEmpty();
    void everyWayToWriteIsPatchedOnce_data();
    void everyWayToWriteIsPatchedOnce();
    void temporaryNamesOfOthersCostNothing();
    void p07_periodicPassRepairsWhatWasMissed();
    void p07_whatIsAwaitedIsNotMissed();
    void withdrawnWhileInFlight();
    void exclusiveOwnerIsNotAnswered();
    void ourPluginSecondHandIsNotDoubled();
    void activeFileIsRecomputed();
    void scopeOfTheActiveFile();
    void excludedAndUnusedFilesAreLeft();
    void twoPluginsInOneChain();
    void findingsGoWithTheirFile();
    void unsyncedDirectoryIsSaid();
    void recreatedWithinAMillisecond();
    void whatABurstHasDisplacedIsRemoved();
    void patchTellsWhatItDid();
    void patchTellsTheTexts();
};

void tst_Reconciler::nothingIsWrittenBeforeAPass()
{
    Room room;
    room.dir.writeInPlace(config, ownerText(1));
    watch::Change change;
    change.mask = 0x8; // IN_CLOSE_WRITE
    change.name = config;
    room.reconciler->note(change);
    room.reconciler->settle();
    QCOMPARE(room.dir.read(config), ownerText(1));
    QVERIFY(!room.reconciler->isClean());
    room.pass();
    QVERIFY(room.isPatchedFrom(ownerText(1)));
}

void tst_Reconciler::nothingIsWrittenWithoutADirectory()
{
    Room room;
    room.dir.writeInPlace(config, ownerText(1));
    room.reconciler->setDirectory(-1);
    QCOMPARE(room.pass().files, 0);
    QCOMPARE(room.dir.read(config), ownerText(1));
    QVERIFY(!room.reconciler->isClean());
}

void tst_Reconciler::p03_aDirectoryThatCannotBeListedIsNotClean_data()
{
    QTest::addColumn<QByteArray>("faults");
    QTest::addColumn<bool>("before");
    for (const char *error : { "EIO", "EACCES" }) {
        const QByteArray faults = QByteArray("dir.list:errno=") + error;
        QTest::addRow("from the start, %s", error) << faults << true;
        QTest::addRow("later, %s", error) << faults << false;
    }
}

void tst_Reconciler::p03_aDirectoryThatCannotBeListedIsNotClean()
{
    using patch::PassReason;
    QFETCH(QByteArray, faults);
    QFETCH(bool, before);
    const auto passEnds = [](Room &room, bool clean) {
        const QList<journal::Event> events = room.recorder->events(journal::Kind::PassEnd);
        return std::count_if(events.begin(), events.end(),
            [&](const auto &event) { return event.fields.value(QStringLiteral("clean")).toBool(true) == clean; });
    };
    Room room;
    if (!before)
        QVERIFY(room.settles());
    const auto cleanBefore = passEnds(room, true);
    QSignalSpy settled(room.reconciler.get(), &patch::Reconciler::settled);
    QSignalSpy passDue(room.reconciler.get(), &patch::Reconciler::passDue);
    connect(
        room.reconciler.get(), &patch::Reconciler::passDue, this, [&](PassReason reason) { (void)room.pass(reason); });
    sys::setFaults(faults);
    QVERIFY(!room.pass(PassReason::Periodic).clean);
    QVERIFY(!room.reconciler->isClean());
    QCOMPARE(settled.size(), 1); // so that readiness is looked at
    QVERIFY(room.hasFinding(1010));
    QTRY_COMPARE(passDue.size(), 1); // by itself, and in vain
    QCOMPARE(passEnds(room, false), 1); // said once
    QVERIFY(!room.reconciler->isClean());
    room.dir.writeInPlace(config, ownerText(1)); // no event tells of it here
    sys::setFaults({});
    QTRY_VERIFY(room.isPatchedFrom(ownerText(1)));
    QVERIFY(room.reconciler->isClean());
    QVERIFY(!room.hasFinding(1010));
    QCOMPARE(passEnds(room, true), cleanBefore + 1);
    const qsizetype tries = passDue.size();
    QVERIFY(!passDue.wait(2500)); // and then no more
    QCOMPARE(passDue.size(), tries);
}

void tst_Reconciler::emptyDirectoryIsLeftEmpty()
{
    WatchedRoom watched;
    QVERIFY(watched.start());
    QVERIFY(watched.isAtRest());
    for (int i = 0; i < 5; ++i)
        watched.periodicPass();
    QVERIFY(watched.room.dir.names().isEmpty());
    QVERIFY(watched.room.journal->state().files().isEmpty());
}

void tst_Reconciler::everyWayToWriteIsPatchedOnce_data()
{
    using Way = void (*)(const NetDir &, const QByteArray &);
    QTest::addColumn<Way>("write");
    QTest::newRow("in place") << Way([](const NetDir &dir, const QByteArray &text) { dir.writeInPlace(config, text); });
    QTest::newRow("by rename") << Way(
        [](const NetDir &dir, const QByteArray &text) { dir.writeByRename(config, text); });
    QTest::newRow("in two") << Way([](const NetDir &dir, const QByteArray &text) { dir.writeInTwo(config, text); });
    QTest::newRow("anew") << Way([](const NetDir &dir, const QByteArray &text) { dir.writeNew(config, text); });
    QTest::newRow("from elsewhere") << Way([](const NetDir &dir, const QByteArray &text) {
        const NetDir other(dir.path() + "-other");
        ::mkdir(other.path().constData(), 0700);
        other.writeInPlace("x", text);
        ::rename(other.path("x").constData(), dir.path(config).constData());
        ::rmdir(other.path().constData());
    });
    QTest::newRow("by a hard link") << Way([](const NetDir &dir, const QByteArray &text) {
        dir.writeInPlace(".x", text);
        ::unlink(dir.path(config).constData());
        ::link(dir.path(".x").constData(), dir.path(config).constData());
        ::unlink(dir.path(".x").constData());
    });
}

void tst_Reconciler::everyWayToWriteIsPatchedOnce()
{
    using Way = void (*)(const NetDir &, const QByteArray &);
    QFETCH(Way, write);
    WatchedRoom watched;
    Room &room = watched.room;
    QVERIFY(watched.start());
    for (int i = 1; i <= 5; ++i) {
        write(room.dir, ownerText(i));
        QVERIFY(runUntil([&] { return room.isPatchedFrom(ownerText(i)) && watched.isAtRest(); }));
        QCOMPARE(room.recorder->count(Kind::PatchApplied), i);
    }
    QCOMPARE(room.recorder->count(Kind::FileChange), 5);
    QCOMPARE(room.dir.names(), QList<QByteArray>{ config });
}

void tst_Reconciler::temporaryNamesOfOthersCostNothing()
{
    WatchedRoom watched;
    Room &room = watched.room;
    QVERIFY(watched.start());
    sys::setFaults({});
    for (int i = 0; i < 500; ++i) {
        const QByteArray temporary = ".10-a.conflist." + QByteArray::number(i);
        room.dir.writeInPlace(temporary, ownerText(i));
        QCOMPARE(::rename(room.dir.path(temporary).constData(), room.dir.path(config).constData()), 0);
    }
    QVERIFY(runUntil([&] { return room.isPatchedFrom(ownerText(499)) && watched.isAtRest(); }));
    QVERIFY(room.recorder->count(Kind::PatchApplied) <= 500);
    for (int i = 0; i < 1000; ++i) {
        room.dir.writeInPlace("unrelated" + QByteArray::number(i), "{}");
        room.dir.remove("unrelated" + QByteArray::number(i));
    }
    sys::setFaults({});
    const int before = room.recorder->count(Kind::FileState);
    QVERIFY(runUntil([&] { return watched.isAtRest(); }));
    watched.inotify.drain();
    QCOMPARE(sys::passedPoints().count("file.open"), 0);
    QCOMPARE(room.recorder->count(Kind::FileState), before);
    QCOMPARE(room.dir.names(), QList<QByteArray>{ config });
}

void tst_Reconciler::p07_periodicPassRepairsWhatWasMissed()
{
    WatchedRoom watched;
    Room &room = watched.room;
    room.dir.writeByRename(config, ownerText(1));
    QVERIFY(watched.start());
    QVERIFY(runUntil([&] { return watched.isAtRest(); }));
    const QJsonObject start = room.recorder->events(Kind::PassEnd).first().fields;
    QCOMPARE(start[QLatin1String("patched")].toInt(), 1);
    QCOMPARE(start[QLatin1String("missed")].toInt(), 0); // it was there before the watch
    sys::setFaults("watch.read:drop=1"); // the kernel's events are lost
    room.dir.writeByRename(config, ownerText(2));
    room.dir.writeByRename("20-b.conflist", ownerText(3));
    watched.inotify.drain();
    QCOMPARE(room.dir.read(config), ownerText(2));
    const patch::PassResult result = watched.periodicPass();
    QCOMPARE(result.patched, 2);
    QCOMPARE(result.missed, 2);
    QVERIFY(room.isPatchedFrom(ownerText(2)));
    QVERIFY(room.isPatchedFrom(ownerText(3), "20-b.conflist"));
    QCOMPARE(watched.periodicPass().missed, 0);
}

// A file that is known to wait, for a lasting error here, is no surprise to the periodic pass.
void tst_Reconciler::p07_whatIsAwaitedIsNotMissed()
{
    WatchedRoom watched;
    Room &room = watched.room;
    QVERIFY(watched.start());
    sys::setFaults("temp.create:errno=ENOSPC");
    room.dir.writeByRename(config, ownerText(1));
    QVERIFY(runUntil([&] { return room.hasFinding(1202, config); }));
    sys::setFaults({});
    const patch::PassResult result = watched.periodicPass();
    QCOMPARE(result.patched, 1);
    QCOMPARE(result.missed, 0);
}

void tst_Reconciler::withdrawnWhileInFlight()
{
    WatchedRoom watched;
    Room &room = watched.room;
    QVERIFY(watched.start());
    sys::setPointHook([&](const char *point) {
        if (QByteArrayView(point) == "rename.exchange" && room.dir.exists(config))
            room.dir.remove(config);
    });
    room.dir.writeByRename(config, ownerText(1));
    QVERIFY(runUntil([&] { return room.recorder->count(Kind::FileState, config) > 0 && watched.isAtRest(); }));
    sys::setPointHook({});
    QVERIFY(room.dir.names().isEmpty());
    QCOMPARE(room.recorder->count(Kind::PatchApplied), 0);
    QVERIFY(room.journal->state().findings().isEmpty());
}

void tst_Reconciler::exclusiveOwnerIsNotAnswered()
{
    WatchedRoom watched;
    Room &room = watched.room;
    room.dir.writeByRename(config, ownerText(1));
    QVERIFY(watched.start());
    QVERIFY(room.isPatchedFrom(ownerText(1)));
    const QByteArray aside = config + ".cilium_bak";
    QCOMPARE(::rename(room.dir.path(config).constData(), room.dir.path(aside).constData()), 0);
    room.dir.writeByRename("05-cilium.conflist", ownerText(2));
    QVERIFY(runUntil([&] { return room.isPatchedFrom(ownerText(2), "05-cilium.conflist"); }));
    QVERIFY(runUntil([&] { return watched.isAtRest(); }));
    QCOMPARE(room.dir.names(), (QList<QByteArray>{ "05-cilium.conflist", aside }));
    QVERIFY(room.isPatchedFrom(ownerText(1), aside)); // as it was when it was moved
    QCOMPARE(room.word(config), FileWord::Gone);
    bool said = false;
    for (const journal::Event &event : room.recorder->events(Kind::FindingOpen))
        said = said || event.fields.value(QStringLiteral("code")).toInt() == 1109;
    QVERIFY(said);
    // It puts it back: as new.
    room.dir.writeByRename(config, ownerText(3));
    QVERIFY(runUntil([&] { return room.isPatchedFrom(ownerText(3)); }));
}

void tst_Reconciler::ourPluginSecondHandIsNotDoubled()
{
    Room room;
    const QByteArray once = patched(config, ownerText(1), room.options);
    room.dir.writeByRename("05-cilium.conflist", once);
    QCOMPARE(room.pass().patched, 0);
    QCOMPARE(room.dir.read("05-cilium.conflist"), once);
    QByteArray twice = once;
    twice.insert(twice.indexOf(R"({"type":"bridge"})"), R"({"type":"ours"},)");
    room.dir.writeByRename("05-cilium.conflist", twice);
    QCOMPARE(room.pass().patched, 1);
    QCOMPARE(conflist::verdict("05-cilium.conflist", room.dir.read("05-cilium.conflist")).chain,
        (QByteArrayList{ "bridge", "ours" }));
}

void tst_Reconciler::activeFileIsRecomputed()
{
    WatchedRoom watched;
    Room &room = watched.room;
    room.dir.writeByRename("10-b.conflist", ownerText(1));
    QVERIFY(watched.start());
    QVERIFY(isActive(room, "10-b.conflist"));
    room.dir.writeByRename("05-a.conflist", ownerText(2));
    QVERIFY(runUntil([&] { return isActive(room, "05-a.conflist"); }));
    QVERIFY(!isActive(room, "10-b.conflist"));
    room.dir.remove("05-a.conflist");
    QVERIFY(runUntil([&] { return isActive(room, "10-b.conflist"); }));
}

void tst_Reconciler::scopeOfTheActiveFile()
{
    patch::PatchOptions options = optionsOf();
    options.activeOnly = true;
    WatchedRoom watched(tmpfs, options);
    Room &room = watched.room;
    room.dir.writeByRename("10-b.conflist", ownerText(1));
    room.dir.writeByRename("20-c.conflist", ownerText(2));
    QVERIFY(watched.start());
    QVERIFY(room.isPatchedFrom(ownerText(1), "10-b.conflist"));
    QCOMPARE(room.dir.read("20-c.conflist"), ownerText(2));
    QCOMPARE(room.word("20-c.conflist"), FileWord::Ignored);
    // Another becomes the first, by an event and not by a pass; then the next.
    room.dir.writeByRename("05-a.conflist", ownerText(3));
    QVERIFY(runUntil([&] { return room.isPatchedFrom(ownerText(3), "05-a.conflist"); }));
    room.dir.remove("05-a.conflist");
    room.dir.remove("10-b.conflist");
    QVERIFY(runUntil([&] { return room.isPatchedFrom(ownerText(2), "20-c.conflist"); }));
    QVERIFY(runUntil([&] { return watched.isAtRest(); }));
}

void tst_Reconciler::excludedAndUnusedFilesAreLeft()
{
    patch::PatchOptions options = optionsOf();
    options.excludes = { "87-*", "not-this.conflist" };
    Room room(tmpfs, options);
    for (const QByteArray &name : QByteArrayList{ "10-a.conflist", "87-podman.conflist", "not-this.conflist" })
        room.dir.writeInPlace(name, ownerText(1));
    room.dir.writeInPlace("99-loopback.conflist", loopback);
    room.dir.writeInPlace("10-a.conflist.bak", ownerText(1));
    room.dir.writeInPlace("README", ownerText(1));
    QVERIFY(room.settles());
    QVERIFY(room.isPatchedFrom(ownerText(1), "10-a.conflist"));
    for (const QByteArray &name :
        QByteArrayList{ "87-podman.conflist", "not-this.conflist", "10-a.conflist.bak", "README" })
        QCOMPARE(room.dir.read(name), ownerText(1));
    QCOMPARE(room.dir.read("99-loopback.conflist"), loopback);
    QCOMPARE(room.word("87-podman.conflist"), FileWord::Ignored);
    QCOMPARE(room.word("99-loopback.conflist"), FileWord::Ignored);
}

void tst_Reconciler::twoPluginsInOneChain()
{
    Room room(tmpfs, optionsOf({ "first", "second" }));
    room.dir.writeInPlace(config, ownerText(1));
    QVERIFY(room.settles());
    QCOMPARE(conflist::verdict(config, room.dir.read(config)).chain, (QByteArrayList{ "bridge", "first", "second" }));
    room.dir.writeInPlace(config, patched(config, ownerText(2), optionsOf({ "second" })));
    QVERIFY(room.settles());
    QCOMPARE(conflist::verdict(config, room.dir.read(config)).chain, (QByteArrayList{ "bridge", "first", "second" }));
    QCOMPARE(counterOf(room.dir.read(config)), 2);
}

void tst_Reconciler::findingsGoWithTheirFile()
{
    Room room;
    room.dir.writeInPlace(config, R"({"name":"a","plugins":[]})");
    room.pass();
    QVERIFY(!room.journal->state().findings().isEmpty());
    room.dir.remove(config);
    room.pass();
    QVERIFY(room.journal->state().findings().isEmpty());
    QVERIFY(room.journal->state().files().isEmpty());
    room.dir.writeInPlace(config, R"({"name":"a","plugins":[]})");
    room.pass();
    QVERIFY(!room.journal->state().findings().isEmpty());
    room.dir.writeInPlace(config, ownerText(1));
    QVERIFY(room.settles());
    QVERIFY(room.journal->state().findings().isEmpty());
}

void tst_Reconciler::unsyncedDirectoryIsSaid()
{
    Room room;
    room.dir.writeInPlace(config, ownerText(1));
    sys::setFaults("dir.sync:errno=EIO,count=1");
    room.pass();
    QVERIFY(room.hasFinding(1207));
    room.dir.writeInPlace(config, ownerText(2));
    QVERIFY(room.settles());
    QVERIFY(!room.hasFinding(1207));
}

// More than are removed at once, and no pass comes to help.
void tst_Reconciler::whatABurstHasDisplacedIsRemoved()
{
    WatchedRoom watched;
    QVERIFY(watched.start());
    QList<QByteArray> files;
    for (int i = 100; i < 200; ++i) {
        files.append("20-" + QByteArray::number(i) + ".conflist");
        watched.room.dir.writeByRename(files.constLast(), ownerText(i));
    }
    const auto isPatched = [&](int i) { return watched.room.isPatchedFrom(ownerText(100 + i), files[i]); };
    QVERIFY(runUntil([&] { return isPatched(int(files.size()) - 1) && watched.isAtRest(); }));
    for (int i = 0; i < files.size(); ++i)
        QVERIFY(isPatched(i));
    QCOMPARE(watched.room.dir.names(), files);
}

void tst_Reconciler::recreatedWithinAMillisecond()
{
    WatchedRoom watched;
    Room &room = watched.room;
    QVERIFY(watched.start());
    for (qint64 i = 1; i <= 100; ++i) {
        room.dir.writeInPlace(config, ownerText(2 * i));
        room.dir.remove(config);
        room.dir.writeInPlace(config, ownerText(2 * i + 1));
        QVERIFY(runUntil([&] { return room.isPatchedFrom(ownerText(2 * i + 1)); }));
    }
    QVERIFY(runUntil([&] { return watched.isAtRest(); }));
    QCOMPARE(room.dir.names(), QList<QByteArray>{ config });
}

void tst_Reconciler::patchTellsWhatItDid()
{
    Room room;
    room.dir.writeInPlace(config, ownerText(1));
    room.pass();
    room.dir.writeInPlace(config, ownerText(2));
    room.pass();
    const QList<journal::Event> patches = room.recorder->events(Kind::PatchApplied);
    QCOMPARE(patches.size(), 2);
    QCOMPARE(patches[0].fields.value(QStringLiteral("repatch")).toBool(), false);
    QCOMPARE(patches[1].fields.value(QStringLiteral("repatch")).toBool(), true);
    QVERIFY(
        patches[0].fields.value(QStringLiteral("sha_before")) != patches[0].fields.value(QStringLiteral("sha_after")));
    QCOMPARE(room.recorder->count(Kind::FileChange), 2);
}

// The texts are those of the event's digests, also of a conversion.
void tst_Reconciler::patchTellsTheTexts()
{
    const QByteArray conf = R"({"cniVersion":"0.4.0","name":"b","type":"bridge"})";
    Room room;
    room.dir.writeInPlace(config, ownerText(1));
    room.dir.writeInPlace("20-b.conf", conf);
    const QSignalSpy spy(room.reconciler.get(), &patch::Reconciler::patched);
    room.pass();
    room.dir.writeByRename(config, ownerText(2));
    room.pass();
    const QList<journal::Event> events = room.recorder->events(Kind::PatchApplied);
    QCOMPARE(events.size(), 3);
    QCOMPARE(spy.size(), 3);
    const QByteArrayList befores{ ownerText(1), conf, ownerText(2) };
    for (qsizetype i = 0; i < 3; ++i) {
        const QByteArray name = spy[i][1].toByteArray();
        QCOMPARE(spy[i][0].toULongLong(), events[i].seq);
        QCOMPARE(QString::fromLatin1(name), events[i].fields[QStringLiteral("file")].toString());
        QCOMPARE(spy[i][2].toByteArray(), befores[i]);
        QCOMPARE(QString::fromLatin1(patch::contentHash(spy[i][2].toByteArray())),
            events[i].fields[QStringLiteral("sha_before")].toString());
        QCOMPARE(QString::fromLatin1(patch::contentHash(spy[i][3].toByteArray())),
            events[i].fields[QStringLiteral("sha_after")].toString());
    }
    QCOMPARE(spy[2][3].toByteArray(), room.dir.read(config));
}

QTEST_GUILESS_MAIN(tst_Reconciler)
#include "tst_reconciler.moc"
