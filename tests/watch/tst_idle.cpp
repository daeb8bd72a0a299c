// SPDX-License-Identifier: Apache-2.0
#include "watchedroom.h"

#include "sys/failpoint.h"
#include "watch/mountwatch.h"

#include <QAbstractEventDispatcher>
#include <QEventLoop>
#include <QTest>

using namespace firstwatch;
using test::patienceMs;
using test::WatchedRoom;

// Nothing but the stated timers wakes an idle watch: neither its own looks at the directory nor its own probes.
class tst_Idle : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void wakeUps_data();
    void wakeUps();
};

void tst_Idle::wakeUps_data()
{
    QTest::addColumn<bool>("polling");
    QTest::newRow("proven") << false;
    QTest::newRow("polling") << true;
}

void tst_Idle::wakeUps()
{
    QFETCH(bool, polling);
    WatchedRoom room;
    room.options.identityMs = 500;
    room.options.pollMs = 500;
    room.options.forcePolling = polling;
    room.start();
    QTRY_VERIFY_WITH_TIMEOUT(room.isProven() || room.isPolling(), patienceMs);
    sys::setFaults({});
    QTRY_VERIFY_WITH_TIMEOUT(sys::passedPoints().count("dir.stat") >= 2, patienceMs); // the comparison is over
    int wakeUps = 0;
    int mounts = 0; // of anybody on this machine: each asks for a look
    const watch::MountWatch mountWatch;
    QEventLoop loop;
    connect(&mountWatch, &watch::MountWatch::changed, &loop, [&mounts] { ++mounts; });
    connect(QAbstractEventDispatcher::instance(), &QAbstractEventDispatcher::awake, &loop, [&wakeUps] { ++wakeUps; });
    QTimer::singleShot(3000, Qt::PreciseTimer, &loop, &QEventLoop::quit); // the window that is counted
    sys::setFaults({});
    loop.exec();
    const auto looks = sys::passedPoints().count("dir.stat");
    const int due = 6 * (polling ? 2 : 1); // timers of 500 ms in 3 s
    QVERIFY2(looks >= 1 && looks <= 7 + mounts, qPrintable(QString::number(looks)));
    // Each is one wake-up, some of Qt's coarse timers two; beside them the end of the window and its start.
    QVERIFY2(wakeUps <= 2 * due + 3 + mounts, qPrintable(QString::number(wakeUps)));
    QCOMPARE(sys::passedPoints().count("watch.read"), 0); // no event of our own making
}

QTEST_GUILESS_MAIN(tst_Idle)
#include "tst_idle.moc"
