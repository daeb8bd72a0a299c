// SPDX-License-Identifier: Apache-2.0
#include "patchroom.h"
#include "sys/failpoint.h"

#include <QCoreApplication>
#include <QTest>

#include <fcntl.h>
#include <sys/inotify.h>
#include <thread>
#include <unistd.h>

using namespace firstwatch;
using namespace firstwatch::test;
using journal::FileWord;
using journal::Kind;

class tst_Partial : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void p12_partialWritesAreWaitedOut_data();
    void p12_partialWritesAreWaitedOut();
    void p12_incompleteForFiveSecondsIsSaid_data();
    void p12_incompleteForFiveSecondsIsSaid();
    void whoIsDoneIsPatchedAtOnce_data();
    void whoIsDoneIsPatchedAtOnce();
    void bytewiseAppendsAreOneEvaluation();
    void writerThatNeverClosesIsNotWaitedFor();
};

void tst_Partial::p12_partialWritesAreWaitedOut_data()
{
    QTest::addColumn<int>("gapMs");
    QTest::addColumn<bool>("closesBetween");
    for (const int gap : { 0, 1, 5, 20, 50, 140, 500 }) {
        QTest::addRow("%d ms, one open file", gap) << gap << false;
        QTest::addRow("%d ms, closed between", gap) << gap << true;
    }
}

// The file is truncated, written to the half, left so, and written to the end; several at once.
void tst_Partial::p12_partialWritesAreWaitedOut()
{
    QFETCH(int, gapMs);
    QFETCH(bool, closesBetween);
    constexpr int files = 10;
    WatchedRoom watched;
    Room &room = watched.room;
    for (int i = 0; i < files; i += 2)
        room.dir.writeInPlace(QByteArray::number(10 + i) + "-a.conflist", ownerText(100 + i));
    QVERIFY(watched.start());
    std::thread writer([&] {
        QList<int> open;
        for (int i = 0; i < files; ++i) {
            const QByteArray half = ownerText(i).first(40);
            const QByteArray path = room.dir.path(QByteArray::number(10 + i) + "-a.conflist");
            open.append(::open(path.constData(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
            if (::write(open.last(), half.constData(), size_t(half.size())) != half.size())
                qFatal("write");
            if (closesBetween) {
                ::close(open.last());
                open.last() = -1;
            }
        }
        ::usleep(useconds_t(gapMs) * 1000); // how long it is left so is what is tested
        for (int i = 0; i < files; ++i) {
            const QByteArray rest = ownerText(i).sliced(40);
            const QByteArray path = room.dir.path(QByteArray::number(10 + i) + "-a.conflist");
            const int fd = open[i] >= 0 ? open[i] : ::open(path.constData(), O_WRONLY | O_APPEND | O_CLOEXEC);
            if (::write(fd, rest.constData(), size_t(rest.size())) != rest.size())
                qFatal("write");
            ::close(fd);
        }
    });
    const bool good = runUntil([&] {
        for (int i = 0; i < files; ++i) {
            if (!room.isPatchedFrom(ownerText(i), QByteArray::number(10 + i) + "-a.conflist"))
                return false;
        }
        return watched.isAtRest();
    });
    writer.join();
    QVERIFY(good);
    QVERIFY(room.journal->state().findings().isEmpty());
    QVERIFY(room.temporaries().isEmpty());
}

void tst_Partial::p12_incompleteForFiveSecondsIsSaid_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("wayOut");
    QTest::newRow("half") << QByteArray("{\"half\":") << QStringLiteral("its owner has to write the rest");
    // What no further writing ends; a text editor does not show it.
    QTest::newRow("a mark of UTF-8") << "\xEF\xBB\xBF" + ownerText(1) << QStringLiteral("save it as UTF-8 without BOM");
    QTest::newRow("UTF-16") << QByteArray("\xFF\xFE{\0}\0", 6) << QStringLiteral("iconv -f UTF-16 -t UTF-8");
}

void tst_Partial::p12_incompleteForFiveSecondsIsSaid()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, wayOut);
    WatchedRoom watched;
    Room &room = watched.room;
    QVERIFY(watched.start());
    room.dir.writeInPlace(config, text);
    QVERIFY(runUntil([&] { return room.word(config) == FileWord::Incomplete; }));
    QVERIFY(!room.hasFinding(1103));
    QVERIFY(runUntil([&] { return room.hasFinding(1103, config); }));
    for (const journal::NodeState::OpenFinding &finding : room.journal->state().findings())
        QVERIFY2(finding.text.contains(wayOut), qPrintable(finding.text)); // the one about the content as well
    QCOMPARE(room.dir.read(config), text);
    QCOMPARE(room.recorder->count(Kind::FileUnreadable), 1); // said once, not with each try
    room.dir.writeInPlace(config, ownerText(1));
    QVERIFY(runUntil([&] { return room.isPatchedFrom(ownerText(1)); }));
    QVERIFY(!room.hasFinding(1103));
}

void tst_Partial::whoIsDoneIsPatchedAtOnce_data()
{
    QTest::addColumn<quint32>("mask");
    QTest::addColumn<bool>("atOnce");
    QTest::newRow("closed") << quint32(IN_CLOSE_WRITE) << true;
    QTest::newRow("renamed into place") << quint32(IN_MOVED_TO) << true;
    QTest::newRow("still writing") << quint32(IN_MODIFY) << false;
    QTest::newRow("just created") << quint32(IN_CREATE) << false;
}

// By the event that says so, and not by the quiet time after a write: no timer can come in between here.
void tst_Partial::whoIsDoneIsPatchedAtOnce()
{
    QFETCH(quint32, mask);
    Room room;
    (void)room.pass();
    room.dir.writeInPlace(config, ownerText(1));
    room.reconciler->note({ -1, mask, 0, config });
    room.reconciler->settle();
    QTEST(room.isPatchedFrom(ownerText(1)), "atOnce");
    QVERIFY(runUntil([&] { return room.isPatchedFrom(ownerText(1)); }));
}

void tst_Partial::bytewiseAppendsAreOneEvaluation()
{
    WatchedRoom watched;
    Room &room = watched.room;
    QVERIFY(watched.start());
    const QByteArray text = ownerText(1) + QByteArray(100, '\n');
    // The first byte is there already, as an event of the creation alone is answered after 20 ms.
    const int fd = ::open(room.dir.path(config).constData(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    QCOMPARE(::write(fd, text.constData(), 1), 1);
    sys::setFaults({});
    for (qsizetype i = 1; i < text.size(); ++i) {
        QCOMPARE(::write(fd, text.constData() + i, 1), 1);
        ::usleep(5000); // a writer that takes its time, less than would pass for its end
        QCoreApplication::processEvents();
    }
    QCOMPARE(sys::passedPoints().count("file.open"), 0);
    ::close(fd);
    QVERIFY(runUntil([&] { return room.isPatchedFrom(text) && watched.isAtRest(); }));
    QCOMPARE(room.recorder->count(Kind::PatchApplied), 1);
    QCOMPARE(room.recorder->count(Kind::FileUnreadable), 0);
}

void tst_Partial::writerThatNeverClosesIsNotWaitedFor()
{
    WatchedRoom watched;
    Room &room = watched.room;
    QVERIFY(watched.start());
    const QByteArray text = ownerText(1);
    const int fd = ::open(room.dir.path(config).constData(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    QCOMPARE(::write(fd, text.constData(), size_t(text.size())), ssize_t(text.size()));
    QVERIFY(runUntil([&] { return room.isPatchedFrom(text); }));
    // It writes again to what it has open.
    const QByteArray later = ownerText(2);
    QCOMPARE(::pwrite(fd, later.constData(), size_t(later.size()), 0), ssize_t(later.size()));
    QVERIFY(runUntil([&] { return room.isPatchedFrom(later); }));
    ::close(fd);
    QVERIFY(runUntil([&] { return watched.isAtRest(); }));
    QVERIFY(room.temporaries().isEmpty());
}

QTEST_GUILESS_MAIN(tst_Partial)
#include "tst_partial.moc"
