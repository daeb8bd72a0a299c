// SPDX-License-Identifier: Apache-2.0
#include "patchroom.h"
#include "sys/failpoint.h"
#include "writers.h"

#include <QTest>

#include <csignal>
#include <sys/stat.h>
#include <sys/wait.h>

using namespace firstwatch;
using namespace firstwatch::test;

namespace {

enum class Late { No, BeforeRestart, AfterRestart }; // when a writer that has the file open writes

} // namespace

class tst_Crash : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void p14_crashAnywhereLeavesOldOrNew_data();
    void p14_crashAnywhereLeavesOldOrNew();
    void p17_lateWriterAfterACrash_data();
    void p17_lateWriterAfterACrash();
    void p20_othersTemporariesStay();
    void p14_leftoversOfEveryKindGo();

private:
    bool crash(Style style, bool writes, int point, int later);
};

void tst_Crash::p14_crashAnywhereLeavesOldOrNew_data()
{
    QTest::addColumn<Style>("style");
    QTest::addColumn<bool>("writes");
    QTest::addColumn<int>("later"); // so many calls lie between the writer and the kill
    QTest::newRow("nobody writes") << Style::Rename << false << 0;
    for (const auto &[style, name] : styles) {
        if (style == Style::OpensWritesLater || style == Style::TruncatesWritesLater)
            continue; // dies with the child; see the late writer
        for (const int later : { 0, 1, 3 })
            QTest::addRow("%s, killed %d calls later", name, later) << style << true << later;
    }
}

void tst_Crash::p14_crashAnywhereLeavesOldOrNew()
{
    QFETCH(Style, style);
    QFETCH(bool, writes);
    QFETCH(int, later);
    int point = 0;
    while (crash(style, writes, point, later) && !QTest::currentTestFailed())
        ++point;
    QVERIFY2(point > 6, qPrintable(QString::number(point)));
}

// False when the pass ended before that call.
bool tst_Crash::crash(Style style, bool writes, int point, int later)
{
    bool reached = false;
    const auto check = [&] {
        Room room(point % 2 == 0 ? tmpfs : disk);
        room.dir.writeInPlace(config, ownerText(1));
        makeOld(room.dir, config);
        QCOMPARE(::chown(room.dir.path(config).constData(), 1000, 1000), 0);
        QCOMPARE(::chmod(room.dir.path(config).constData(), 0640), 0);
        Writer writer(room.dir, config, style, ownerText(2));
        if (writes)
            writer.prepare();
        const int status = inChild([&] {
            int calls = 0;
            sys::setPointHook([&](const char *) {
                if (writes && calls == point) {
                    writer.act();
                    (void)::chown(room.dir.path(config).constData(), 1000, 1000); // as the owner's own process would
                    (void)::chmod(room.dir.path(config).constData(), 0640);
                }
                if (calls == point + later)
                    ::raise(SIGKILL);
                ++calls;
            });
            room.pass();
            return calls > point ? 0 : 1;
        });
        writer.abandon();
        reached = WIFSIGNALED(status) || WEXITSTATUS(status) == 0;
        const bool acted = writes && reached;
        const QByteArray last = acted ? ownerText(2) : ownerText(1);
        const QByteArray where = "call " + QByteArray::number(point);
        if (!acted || !writer.withdraws()) {
            const QByteArray now = room.dir.read(config);
            QVERIFY2(counterOf(now) == 1 || counterOf(now) == 2, QByteArray(where + " left " + now).constData());
        }
        if (!acted)
            QVERIFY2(room.dir.read(config) == last || room.isPatchedFrom(last), where.constData());
        room.restart();
        QVERIFY2(room.settles(), where.constData());
        if (acted && writer.withdraws()) {
            QVERIFY2(!room.dir.exists(config), where.constData());
            // Whose a file of another user is cannot be told any more; it stays, and is named.
            for (const QByteArray &name : room.temporaries())
                QVERIFY2(room.hasFinding(1204, name), where.constData());
            return;
        }
        QVERIFY2(room.temporaries().isEmpty(), where.constData());
        QVERIFY2(room.isPatchedFrom(last), QByteArray(where + " ends as " + room.dir.read(config)).constData());
        struct stat info { };
        QCOMPARE(::stat(room.dir.path(config).constData(), &info), 0);
        QCOMPARE(int(info.st_mode & 07777), 0640);
        QCOMPARE(info.st_uid, uid_t(1000));
    };
    check();
    return reached;
}

void tst_Crash::p17_lateWriterAfterACrash_data()
{
    QTest::addColumn<Late>("late");
    QTest::newRow("writes before the restart") << Late::BeforeRestart;
    QTest::newRow("writes after the restart") << Late::AfterRestart;
}

// A writer opened the file before the exchange, and we died right after it.
void tst_Crash::p17_lateWriterAfterACrash()
{
    QFETCH(Late, late);
    Room room;
    room.dir.writeInPlace(config, ownerText(1));
    makeOld(room.dir, config);
    Writer writer(room.dir, config, Style::OpenedBefore, ownerText(2));
    writer.prepare();
    const int status = inChild([&] {
        sys::setFaults("dir.sync:kill=1");
        room.pass();
        return 0;
    });
    QVERIFY(WIFSIGNALED(status));
    QVERIFY(room.isPatchedFrom(ownerText(1)));
    QCOMPARE(room.temporaries().size(), 1);
    if (late == Late::BeforeRestart)
        writer.act();
    room.restart();
    room.pass();
    writer.act();
    QVERIFY(room.settles());
    QVERIFY(room.isPatchedFrom(ownerText(2)));
    QVERIFY(room.temporaries().isEmpty());
}

void tst_Crash::p20_othersTemporariesStay()
{
    Room room;
    const QByteArrayList others{ ".10-a.conflist123456", "10-b.conflist.cilium_bak", "10-a.conflist.tmp.9",
        ".10-a.conflist.swp", "README", ".x.firstwatch-", ".x.firstwatch-toolong", "x.firstwatch-abcdef",
        ".x.firstwatch-0123456789abcdef01234" };
    for (const QByteArray &name : others)
        room.dir.writeInPlace(name, "theirs");
    const QByteArray foreign = ".10-a.conflist.firstwatch-0123456789abcdef012345";
    room.dir.writeInPlace(foreign, "another user's");
    QCOMPARE(::chown(room.dir.path(foreign).constData(), 1000, 1000), 0);
    const QByteArray folder = ".d.firstwatch-0123456789abcdef012345";
    QCOMPARE(::mkdir(room.dir.path(folder).constData(), 0700), 0);
    QVERIFY(room.settles());
    for (const QByteArray &name : others)
        QCOMPARE(room.dir.read(name), QByteArray("theirs"));
    QVERIFY(room.dir.exists(foreign));
    QVERIFY(room.dir.exists(folder));
    QVERIFY(room.hasFinding(1204, foreign));
}

void tst_Crash::p14_leftoversOfEveryKindGo()
{
    Room room;
    room.dir.writeInPlace(config, ownerText(1));
    QVERIFY(room.settles());
    for (const QByteArray &name : { QByteArray(".10-a.conflist.firstwatch-0123456789abcdef012345"),
             QByteArray(".gone.conflist.firstwatch-0123456789abcdef012345"),
             QByteArray(".kubeconfig.firstwatch-aB3_xy") })
        room.dir.writeInPlace(name, "");
    room.restart();
    QVERIFY(room.settles());
    QCOMPARE(room.dir.names(), QList<QByteArray>{ config });
    QVERIFY(room.isPatchedFrom(ownerText(1)));
}

QTEST_GUILESS_MAIN(tst_Crash)
#include "tst_crash.moc"
