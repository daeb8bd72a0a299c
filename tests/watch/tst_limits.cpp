// SPDX-License-Identifier: Apache-2.0
#include "watchedroom.h"

#include "sys/failpoint.h"

#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTest>

#include <cstdio>

using namespace firstwatch;
using test::patienceMs;
using test::WatchedRoom;

class tst_Limits : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup() { sys::setFaults({}); }
    void p04_limitsDegradeToPolling_data();
    void p04_limitsDegradeToPolling();
    void p04_retriesBackOff();
    void p04_realLimit_data();
    void p04_realLimit();
};

void tst_Limits::p04_limitsDegradeToPolling_data()
{
    QTest::addColumn<QByteArray>("fault");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("words");
    QTest::newRow("instances") << QByteArray("watch.init:errno=EMFILE") << 1002 << QStringLiteral("max_user_instances");
    QTest::newRow("watches") << QByteArray("watch.add:errno=ENOSPC") << 1003 << QStringLiteral("max_user_watches");
    QTest::newRow("no inotify") << QByteArray("watch.init:errno=ENOSYS") << 1005 << QStringLiteral("not available");
    QTest::newRow("no memory") << QByteArray("watch.add:errno=ENOMEM") << 1005 << QStringLiteral("cannot be watched");
    QTest::newRow("not readable") << QByteArray("watch.add:errno=EACCES") << 1005 << QStringLiteral("denied");
}

void tst_Limits::p04_limitsDegradeToPolling()
{
    QFETCH(QByteArray, fault);
    QFETCH(int, code);
    QFETCH(QString, words);
    WatchedRoom room;
    sys::setFaults(fault);
    room.start();
    QCOMPARE(room.order, (QList<QByteArray>{ "polling" })); // at once, and labelled
    QCOMPARE(room.codes, (QList<int>{ code }));
    QVERIFY2(room.reasons.first().contains(words), qPrintable(room.reasons.first()));
    if (code != 1005) {
        QVERIFY2(
            room.reasons.first().contains(QRegularExpression(QStringLiteral("max_\\w+ = \\d+, uid \\d+.*sysctl -w "))),
            qPrintable(room.reasons.first()));
        QVERIFY(!room.reasons.first().contains(QStringLiteral("space")));
    }
    QTRY_VERIFY_WITH_TIMEOUT(room.polls >= 4, patienceMs);
    QCOMPARE(room.count("polling"), 1);
    sys::setFaults({}); // freed: without a restart
    QTRY_VERIFY_WITH_TIMEOUT(room.isProven(), patienceMs);
    QCOMPARE(room.order, (QList<QByteArray>{ "polling", "armed", "proven", "ready" }));
    room.touch("a");
    QTRY_VERIFY_WITH_TIMEOUT(room.changes.contains("a"), patienceMs);
}

void tst_Limits::p04_retriesBackOff()
{
    WatchedRoom room;
    room.options.identityMs = 3'600'000;
    room.options.retryMs = 1;
    room.options.pollMs = 20;
    sys::setFaults("watch.init:errno=EMFILE");
    room.start();
    QTRY_VERIFY_WITH_TIMEOUT(room.polls >= 50, patienceMs);
    const auto tries = sys::passedPoints().count("watch.init");
    QVERIFY2(tries >= 5 && tries <= 20, qPrintable(QString::number(tries))); // 1, 2, 4 … ms, not one every poll
}

void tst_Limits::p04_realLimit_data()
{
    QTest::addColumn<QByteArray>("sysctl");
    QTest::addColumn<QByteArray>("words");
    QTest::newRow("instances") << QByteArray("max_inotify_instances")
                               << QByteArray("1002 inotify instance limit reached (user.max_inotify_instances = 0,");
    QTest::newRow("watches") << QByteArray("max_inotify_watches")
                             << QByteArray("1003 inotify watch limit reached (user.max_inotify_watches = 0,");
}

// A user namespace has limits of its own: exhausted here without touching anybody else.
void tst_Limits::p04_realLimit()
{
    QFETCH(QByteArray, sysctl);
    QFETCH(QByteArray, words);
    QProcess inner;
    inner.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    inner.start(QStringLiteral("unshare"),
        { QStringLiteral("-Ur"), QCoreApplication::applicationFilePath(), QStringLiteral("inner"),
            QString::fromLatin1(sysctl) });
    QVERIFY(inner.waitForFinished(2 * patienceMs));
    const QByteArray said = inner.readAllStandardOutput();
    if (inner.exitCode() == 77)
        QSKIP("no user namespaces here");
    QVERIFY2(said.contains(words), said.constData());
    QVERIFY2(said.contains("recovered"), said.constData());
    QCOMPARE(inner.exitCode(), 0);
}

namespace {

bool setLimit(const QByteArray &name, const QByteArray &value)
{
    QFile file(QStringLiteral("/proc/sys/user/") + QString::fromLatin1(name));
    return file.open(QIODevice::WriteOnly | QIODevice::Unbuffered) && file.write(value) == value.size();
}

// Runs inside the user namespace: no inotify, then one again. Exit code 77: the namespace's limit cannot be set.
int inner(const QByteArray &sysctl)
{
    if (!setLimit(sysctl, "0"))
        return 77;
    WatchedRoom room;
    room.start();
    for (int i = 0; i < room.codes.size(); ++i)
        std::printf("%d %s\n", room.codes.at(i), qPrintable(room.reasons.at(i)));
    if (!setLimit(sysctl, "100"))
        return 77;
    if (QTest::qWaitFor([&room] { return room.isProven(); }, patienceMs))
        std::puts("recovered");
    return room.order.startsWith("polling") ? 0 : 1;
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    if (argc == 3 && qstrcmp(argv[1], "inner") == 0)
        return inner(argv[2]);
    tst_Limits test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_limits.moc"
