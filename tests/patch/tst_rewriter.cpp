// SPDX-License-Identifier: Apache-2.0
// What somebody has looked at is written, and nothing else: without a service, by the same recipe.
#include "patch/rewriter.h"

#include "patch/temporaryname.h"
#include "patchroom.h"
#include "sys/failpoint.h"

#include <QTest>

#include <csignal>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace firstwatch;
using namespace firstwatch::test;
using Result = patch::Rewritten::Result;

namespace {

const QByteArray single = R"({"cniVersion":"1.0.0","name":"s","type":"bridge"})";

// A folder with one config, and what a preview has planned for it.
struct Scene {
    explicit Scene(
        const QByteArray &base = tmpfs, const QByteArray &name = config, const QByteArray &text = ownerText(1))
        : room(base)
        , before(text)
    {
        room.dir.writeInPlace(name, text);
        plan = conflist::plan(name, text, room.options.chain);
    }
    patch::Rewritten write(const QByteArray &name = config)
    {
        return rewriter.write(name, patch::contentHash(before), plan, room.options.chain);
    }

    Room room;
    QByteArray before;
    conflist::Plan plan;
    patch::Rewriter rewriter{ room.fd(), room.dir.path() };
};

struct stat statOf(const QByteArray &path)
{
    struct stat info { };
    if (::lstat(path.constData(), &info) != 0)
        qFatal("%s is gone", path.constData());
    return info;
}

} // namespace

class TestRewriter final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup()
    {
        sys::setFaults({});
        sys::setPointHook({});
    }

    void p15_ownerAndModeAreKept()
    {
        Scene scene(disk);
        const QByteArray path = scene.room.dir.path(config);
        QCOMPARE(::chown(path.constData(), 1000, 1001), 0);
        QCOMPARE(::chmod(path.constData(), 0640), 0);
        QCOMPARE(scene.write().result, Result::Done);
        const auto finished = scene.rewriter.finish();
        QVERIFY(finished.isDurable && finished.open.isEmpty() && finished.overtaken.isEmpty());
        QCOMPARE(scene.room.dir.read(config), scene.plan.text);
        QCOMPARE(statOf(path).st_uid, uid_t(1000));
        QCOMPARE(statOf(path).st_gid, gid_t(1001));
        QCOMPARE(int(statOf(path).st_mode & 07777), 0640);
        QCOMPARE(scene.room.dir.names(), QList<QByteArray>{ config });
    }

    void anotherTextIsNotWrittenOver()
    {
        Scene scene;
        scene.room.dir.writeByRename(config, ownerText(2));
        QCOMPARE(scene.write().result, Result::Changed);
        scene.room.dir.remove(config);
        QCOMPARE(scene.write().result, Result::Changed);
        (void)scene.rewriter.finish();
        QVERIFY(scene.room.dir.names().isEmpty());
    }

    void p17_whatIsBeingWrittenIsLeft()
    {
        Scene scene;
        const sys::FileDescriptor writer(::open(scene.room.dir.path(config).constData(), O_WRONLY | O_CLOEXEC));
        QCOMPARE(scene.write().result, Result::Busy);
        QCOMPARE(scene.room.dir.read(config), scene.before);
    }

    void p17_whoWritesAtTheSameTimeWins_data()
    {
        QTest::addColumn<QByteArray>("moment");
        for (const char *moment : { "temp.create", "temp.sync", "rename.exchange" })
            QTest::newRow(moment) << QByteArray(moment);
    }
    void p17_whoWritesAtTheSameTimeWins()
    {
        QFETCH(const QByteArray, moment);
        Scene scene;
        bool isDone = false;
        sys::setPointHook([&](const char *point) {
            if (!std::exchange(isDone, isDone || moment == point) && moment == point)
                scene.room.dir.writeByRename(config, ownerText(2));
        });
        const patch::Rewritten done = scene.write();
        sys::setPointHook({});
        const auto finished = scene.rewriter.finish();
        QVERIFY(isDone);
        QVERIFY(done.result == Result::Changed || finished.overtaken == QByteArrayList{ config });
        QCOMPARE(scene.room.dir.read(config), ownerText(2));
        QCOMPARE(scene.room.dir.names(), QList<QByteArray>{ config });
    }

    void p17_aLateWriterWins()
    {
        Scene scene;
        sys::FileDescriptor writer;
        sys::setPointHook([&](const char *point) {
            if (QByteArrayView(point) == "rename.exchange")
                writer = sys::FileDescriptor(
                    ::open(scene.room.dir.path(config).constData(), O_WRONLY | O_TRUNC | O_CLOEXEC));
        });
        QCOMPARE(scene.write().result, Result::Done);
        sys::setPointHook({});
        const QByteArray text = ownerText(2);
        QCOMPARE(::write(writer.get(), text.constData(), size_t(text.size())), text.size());
        writer = {};
        QCOMPARE(scene.rewriter.finish().overtaken, QByteArrayList{ config });
        QCOMPARE(scene.room.dir.read(config), text);
    }

    void aSinglePluginBecomesAList()
    {
        Scene scene(tmpfs, "10-s.conf", single);
        QCOMPARE(scene.write("10-s.conf").result, Result::Done);
        (void)scene.rewriter.finish();
        QCOMPARE(scene.room.dir.names(), QList<QByteArray>({ ".10-s.conf.firstwatch-kept", "10-s.conflist" }));
        QCOMPARE(scene.room.dir.read("10-s.conflist"), scene.plan.text);
        QCOMPARE(scene.room.dir.read(".10-s.conf.firstwatch-kept"), single);
    }

    void aListThatIsThereIsNotWrittenOver()
    {
        Scene scene(tmpfs, "10-s.conf", single);
        scene.room.dir.writeInPlace("10-s.conflist", ownerText(1));
        const patch::Rewritten done = scene.write("10-s.conf");
        QCOMPARE(done.result, Result::Failed);
        QVERIFY(done.text.contains(QLatin1String("10-s.conflist")));
        QCOMPARE(scene.room.dir.read("10-s.conf"), single);
    }

    void p14_aKillAnywhereLeavesOldOrNew_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("a list") << config << ownerText(1);
        QTest::newRow("a single plugin") << QByteArray("10-s.conf") << single;
    }
    void p14_aKillAnywhereLeavesOldOrNew()
    {
        QFETCH(const QByteArray, name);
        QFETCH(const QByteArray, text);
        bool wasKilled = true;
        for (int point = 0; wasKilled && point < 200; ++point) {
            Scene scene(point % 2 == 0 ? tmpfs : disk, name, text);
            wasKilled = WIFSIGNALED(inChild([&] {
                int calls = 0;
                sys::setPointHook([&](const char *) {
                    if (calls++ == point)
                        ::raise(SIGKILL);
                });
                (void)scene.write(name);
                (void)scene.rewriter.finish();
                return 0;
            }));
            const QByteArray old = scene.room.dir.read(name);
            const QByteArray made = scene.room.dir.read(scene.plan.targetName);
            QVERIFY2(old == text || made == scene.plan.text, QByteArray::number(point).constData());
            QVERIFY2(made.isEmpty() || made == text || made == scene.plan.text, QByteArray::number(point).constData());
            QVERIFY2(wasKilled || point > 10, QByteArray::number(point).constData());
            for (const QByteArray &each : scene.room.dir.names())
                QVERIFY2(each == name || each == scene.plan.targetName || each.startsWith('.'), each.constData());
        }
        QVERIFY(!wasKilled);
    }

    void aCallThatFailsLeavesNothingBehind_data()
    {
        QTest::addColumn<QByteArray>("point");
        for (const char *point : { "temp.create", "temp.write", "temp.sync", "rename.exchange" })
            QTest::newRow(point) << QByteArray(point);
    }
    void aCallThatFailsLeavesNothingBehind()
    {
        QFETCH(const QByteArray, point);
        Scene scene;
        sys::setFaults(point + ":errno=EROFS");
        const patch::Rewritten done = scene.write();
        sys::setFaults({});
        (void)scene.rewriter.finish();
        QCOMPARE(done.result, Result::Failed);
        QVERIFY(done.text.contains(QLatin1String("read-only")));
        QCOMPARE(scene.room.dir.read(config), scene.before);
        QCOMPARE(scene.room.dir.names(), QList<QByteArray>{ config });
    }
};

QTEST_GUILESS_MAIN(TestRewriter)
#include "tst_rewriter.moc"
