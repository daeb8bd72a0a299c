// SPDX-License-Identifier: Apache-2.0
#include "sys/failpoint.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cerrno>
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

using namespace firstwatch::sys;

class tst_FailPoint : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup() { setFaults({}); }
    void rules_data();
    void rules();
    void aFileSwitchesItOnAndOff();
    void sleepComesFirst();
    void killEndsTheProcess();
    void pointsAreRecordedInOrder();
    void newRulesStartAnew();
};

void tst_FailPoint::rules_data()
{
    QTest::addColumn<QByteArray>("rule");
    QTest::addColumn<QList<int>>("expected"); // of five calls at "a.b"
    const auto row = [](const char *name, const char *rule, const QList<int> &expected) {
        QTest::newRow(name) << QByteArray(rule) << expected;
    };
    row("none", "", { 0, 0, 0, 0, 0 });
    row("always", "a.b:errno=ENOSPC", { ENOSPC, ENOSPC, ENOSPC, ENOSPC, ENOSPC });
    row("count", "a.b:errno=EIO,count=2", { EIO, EIO, 0, 0, 0 });
    row("skip", "a.b:errno=EIO,skip=3", { 0, 0, 0, EIO, EIO });
    row("skip and count", "a.b:errno=EIO,skip=1,count=1", { 0, EIO, 0, 0, 0 });
    row("star", "a.*:errno=EROFS,count=1", { EROFS, 0, 0, 0, 0 });
    row("a star alone", "*:errno=EROFS,count=1", { EROFS, 0, 0, 0, 0 });
    row("another point", "a.bc:errno=EIO;a:errno=EIO", { 0, 0, 0, 0, 0 });
    row("the first that applies", "a.b:errno=EIO,count=1;a.*:errno=EPERM", { EIO, EPERM, EPERM, EPERM, EPERM });
    row("a skipped call goes to the next rule", "a.b:errno=EIO,skip=1;a.b:errno=EPERM", { EPERM, EIO, EIO, EIO, EIO });
    row("drop", "a.b:drop=1,count=1", { dropped, 0, 0, 0, 0 });
    row("blanks", " a.b : errno = EIO , count = 1 ", { EIO, 0, 0, 0, 0 });
    row("nonsense", "a.b;:errno=EIO;;a.b:what", { 0, 0, 0, 0, 0 });
    row("an unknown errno still fails", "a.b:errno=EWHAT,count=1", { EIO, 0, 0, 0, 0 });
}

void tst_FailPoint::rules()
{
    QFETCH(QByteArray, rule);
    QFETCH(QList<int>, expected);
    setFaults(rule);
    QList<int> got;
    for (int call = 0; call < 5; ++call)
        got.append(faultAt("a.b"));
    QCOMPARE(got, expected);
}

void tst_FailPoint::aFileSwitchesItOnAndOff()
{
    const QTemporaryDir dir;
    QFile file(dir.filePath(QStringLiteral("on")));
    setFaults("a.b:errno=EIO,skip=1,while=" + file.fileName().toUtf8());
    for (int round = 0; round < 2; ++round) {
        QCOMPARE(faultAt("a.b"), 0);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(faultAt("a.b"), round == 0 ? 0 : EIO); // the skipped one
        QCOMPARE(faultAt("a.b"), EIO);
        QVERIFY(file.remove());
    }
}

void tst_FailPoint::sleepComesFirst()
{
    setFaults("a.b:sleep=50,errno=EIO");
    QElapsedTimer time;
    time.start();
    QCOMPARE(faultAt("a.b"), EIO);
    QVERIFY(time.elapsed() >= 50);
}

void tst_FailPoint::killEndsTheProcess()
{
    setFaults("a.b:kill=1,skip=1");
    const pid_t child = ::fork();
    if (child == 0) {
        (void)faultAt("a.b");
        (void)faultAt("a.b");
        ::_exit(0);
    }
    int status = 0;
    QCOMPARE(::waitpid(child, &status, 0), child);
    QVERIFY(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

void tst_FailPoint::pointsAreRecordedInOrder()
{
    setFaults("b:errno=EIO");
    for (const char *point : { "a", "b", "a" })
        (void)faultAt(point);
    QCOMPARE(passedPoints(), (QList<QByteArray>{ "a", "b", "a" }));
}

void tst_FailPoint::newRulesStartAnew()
{
    setFaults("a:errno=EIO,count=1");
    QCOMPARE(faultAt("a"), EIO);
    setFaults("a:errno=EIO,count=1");
    QVERIFY(passedPoints().isEmpty());
    QCOMPARE(faultAt("a"), EIO);
    setFaults({});
    QCOMPARE(faultAt("a"), 0);
}

QTEST_GUILESS_MAIN(tst_FailPoint)
#include "tst_failpoint.moc"
