// SPDX-License-Identifier: Apache-2.0
#include "patchroom.h"
#include "sys/failpoint.h"

#include <QTest>

#include <random>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

using namespace firstwatch;
using namespace firstwatch::test;
using journal::FileWord;

namespace {

const QByteArray good = "50-good.conflist";

using Maker = std::function<void(const NetDir &dir, const QByteArray &name)>;

Maker text(const QByteArray &bytes)
{
    return [bytes](const NetDir &dir, const QByteArray &name) { dir.writeInPlace(name, bytes); };
}

Maker node(mode_t type)
{
    return [type](const NetDir &dir, const QByteArray &name) {
        if (::mknod(dir.path(name).constData(), type | 0600, makedev(1, 5)) != 0)
            qFatal("mknod");
    };
}

Maker link(const QByteArray &target)
{
    return [target](const NetDir &dir, const QByteArray &name) {
        if (::symlink(target.constData(), dir.path(name).constData()) != 0)
            qFatal("symlink");
    };
}

Maker huge(off_t size)
{
    return [size](const NetDir &dir, const QByteArray &name) {
        dir.writeInPlace(name, "{");
        if (::truncate(dir.path(name).constData(), size) != 0)
            qFatal("truncate");
    };
}

} // namespace

class tst_Hostile : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup() { sys::setFaults({}); }
    void p11_hostileInputHarmsNoOther_data();
    void p11_hostileInputHarmsNoOther();
    void p11_fiftyAtOnce();
    void p11_randomBytes();
    void p11_unreadableFileIsTriedAgain();
    void namesOfAnyBytes_data();
    void namesOfAnyBytes();
};

void tst_Hostile::p11_hostileInputHarmsNoOther_data()
{
    QTest::addColumn<Maker>("make");
    QTest::addColumn<FileWord>("word");
    const QByteArray whole = ownerText(1);
    QTest::newRow("empty") << text("") << FileWord::Incomplete;
    QTest::newRow("one byte") << text("{") << FileWord::Incomplete;
    QTest::newRow("half JSON") << text(whole.first(40)) << FileWord::Incomplete;
    QTest::newRow("NUL bytes") << text(QByteArray(256, '\0')) << FileWord::Incomplete;
    QTest::newRow("NUL at the end") << text(whole + QByteArray(8, '\0')) << FileWord::Incomplete;
    QTest::newRow("two documents") << text(whole + whole) << FileWord::Incomplete;
    QTest::newRow("number") << text("42") << FileWord::Refused;
    QTest::newRow("array") << text("[]") << FileWord::Refused;
    QTest::newRow("string for plugins") << text(R"({"name":"a","plugins":"x"})") << FileWord::Refused;
    QTest::newRow("64 MiB") << huge(64LL * 1024 * 1024) << FileWord::Refused;
    QTest::newRow("depth 100 000") << text(QByteArray(100'000, '[') + QByteArray(100'000, ']')) << FileWord::Incomplete;
    QTest::newRow("FIFO") << node(S_IFIFO) << FileWord::Ignored;
    QTest::newRow("device") << node(S_IFCHR) << FileWord::Ignored;
    QTest::newRow("socket") << node(S_IFSOCK) << FileWord::Ignored;
    QTest::newRow("directory") << Maker([](const NetDir &dir, const QByteArray &name) {
        if (::mkdir(dir.path(name).constData(), 0700) != 0)
            qFatal("mkdir");
    }) << FileWord::Ignored;
    QTest::newRow("dangling link") << link("nowhere") << FileWord::Refused;
    QTest::newRow("loop") << link("10-bad.conflist") << FileWord::Refused;
    QTest::newRow("link to /dev/zero") << link("/dev/zero") << FileWord::Refused;
    QTest::newRow("link up") << link("../../../../etc/hostname") << FileWord::Refused;
    QTest::newRow("byte order mark") << text("\xEF\xBB\xBF" + whole) << FileWord::Incomplete;
    QTest::newRow("lone surrogate") << text(QByteArray(whole).replace("\"net\"", R"("net","x":"\ud800")"))
                                    << FileWord::Patched;
    QTest::newRow("not UTF-8") << text(QByteArray(whole).replace("\"net\"", "\"net\",\"x\":\"\xff\xfe\""))
                               << FileWord::Patched;
    QTest::newRow("key twice") << text(QByteArray(whole).replace("\"net\"", R"("net","name":"net")"))
                               << FileWord::Patched;
}

void tst_Hostile::p11_hostileInputHarmsNoOther()
{
    QFETCH(Maker, make);
    QFETCH(FileWord, word);
    const QByteArray bad = "10-bad.conflist";
    WatchedRoom watched;
    Room &room = watched.room;
    make(room.dir, bad); // there before the start,
    room.dir.writeInPlace(good, ownerText(1));
    QVERIFY(watched.start());
    QVERIFY(runUntil([&] { return room.isPatchedFrom(ownerText(1), good); }));
    make(room.dir, "11-bad.conflist"); // and after it
    room.dir.writeInPlace(good, ownerText(2));
    QVERIFY(runUntil([&] { return room.isPatchedFrom(ownerText(2), good); }));
    if (word == FileWord::Refused && QByteArrayView(QTest::currentDataTag()) == "loop")
        return; // the second link leads to the first: the same word by another way
    QVERIFY2(runUntil([&] { return room.word("11-bad.conflist") == word; }),
        QByteArray::number(int(room.word("11-bad.conflist"))).constData());
    QCOMPARE(room.word(bad), word);
}

void tst_Hostile::p11_fiftyAtOnce()
{
    WatchedRoom watched;
    Room &room = watched.room;
    QVERIFY(watched.start());
    for (int i = 0; i < 50; ++i)
        room.dir.writeInPlace(QByteArray::number(10 + i) + "-bad.conflist", ownerText(i).first(i));
    room.dir.writeInPlace("99-good.conflist", ownerText(1));
    QVERIFY(runUntil([&] { return room.isPatchedFrom(ownerText(1), "99-good.conflist"); }));
    for (int i = 0; i < 50; ++i) // and each is patched once it is whole
        room.dir.writeInPlace(QByteArray::number(10 + i) + "-bad.conflist", ownerText(i));
    QVERIFY(runUntil([&] {
        for (int i = 0; i < 50; ++i) {
            if (!room.isPatchedFrom(ownerText(i), QByteArray::number(10 + i) + "-bad.conflist"))
                return false;
        }
        return watched.isAtRest();
    }));
}

void tst_Hostile::p11_randomBytes()
{
    Room room;
    std::mt19937 random(1);
    room.dir.writeInPlace(good, ownerText(1));
    for (int round = 0; round < 300; ++round) {
        QByteArray bytes = ownerText(round);
        for (int change = 0; change < 3; ++change)
            bytes[qsizetype(random() % unsigned(bytes.size()))] = char(random());
        room.dir.writeInPlace(config, bytes);
        room.pass();
        const QByteArray now = room.dir.read(config);
        QVERIFY(now == bytes || now == patched(config, bytes, room.options));
    }
    QVERIFY(room.isPatchedFrom(ownerText(1), good));
}

void tst_Hostile::p11_unreadableFileIsTriedAgain()
{
    Room room;
    room.dir.writeInPlace(config, ownerText(1));
    room.dir.writeInPlace(good, ownerText(2));
    sys::setFaults("file.open:errno=EACCES,count=1"); // mode 000, for everyone but root
    room.pass();
    QVERIFY(room.hasFinding(1107, config));
    QVERIFY(room.isPatchedFrom(ownerText(2), good));
    QTRY_VERIFY(room.isPatchedFrom(ownerText(1))); // by its own timer
    QVERIFY(!room.hasFinding(1107));
}

void tst_Hostile::namesOfAnyBytes_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("newline") << QByteArray("10-a\nb.conflist");
    QTest::newRow("not UTF-8") << QByteArray("\xff\xfe\x80.conflist");
    QTest::newRow("escape sequence") << QByteArray("\x1b[31m.conflist");
    QTest::newRow("leading dash") << QByteArray("-rf.conflist");
    QTest::newRow("255 bytes") << QByteArray(246, 'x') + ".conflist";
    QTest::newRow("dot file") << QByteArray(".00-x.conflist"); // containerd loads these
}

void tst_Hostile::namesOfAnyBytes()
{
    QFETCH(QByteArray, name);
    WatchedRoom watched;
    Room &room = watched.room;
    QVERIFY(watched.start());
    room.dir.writeInPlace(name, ownerText(1));
    QVERIFY(runUntil([&] { return room.isPatchedFrom(ownerText(1), name) && watched.isAtRest(); }));
    QCOMPARE(room.dir.names(), QList<QByteArray>{ name });
    for (const journal::Event &event : room.recorder->events(journal::Kind::FileState))
        QVERIFY(!event.fields.value(QStringLiteral("file")).toString().contains(QLatin1Char('\n')));
}

QTEST_GUILESS_MAIN(tst_Hostile)
#include "tst_hostile.moc"
