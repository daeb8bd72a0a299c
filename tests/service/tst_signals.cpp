// SPDX-License-Identifier: Apache-2.0
#include "service/signals.h"

#include <QSignalSpy>
#include <QTest>

#include <csignal>
#include <thread>
#include <unistd.h>

using namespace firstwatch::service;

class tst_Signals : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void terminatingSignalsAreReported_data();
    void terminatingSignalsAreReported();
    void aSecondOneIsReportedAsWell();
    void threadsInheritTheMask();
    void brokenPipeAndIoAreIgnored();
};

void tst_Signals::terminatingSignalsAreReported_data()
{
    QTest::addColumn<int>("number");
    QTest::newRow("SIGTERM") << SIGTERM;
    QTest::newRow("SIGINT") << SIGINT;
}

void tst_Signals::terminatingSignalsAreReported()
{
    QFETCH(int, number);
    const SignalFd signalFd;
    QVERIFY(signalFd.isValid());
    QSignalSpy terminated(&signalFd, &SignalFd::terminated);
    QCOMPARE(::kill(::getpid(), number), 0);
    QTRY_COMPARE(terminated.size(), 1);
    QCOMPARE(terminated.first().first().toInt(), number);
}

void tst_Signals::aSecondOneIsReportedAsWell()
{
    const SignalFd signalFd;
    QSignalSpy terminated(&signalFd, &SignalFd::terminated);
    for (int i = 1; i <= 2; ++i) {
        QCOMPARE(::kill(::getpid(), SIGTERM), 0);
        QTRY_COMPARE(terminated.size(), i);
    }
}

void tst_Signals::threadsInheritTheMask()
{
    const SignalFd signalFd;
    QSignalSpy terminated(&signalFd, &SignalFd::terminated);
    std::thread([] { ::raise(SIGTERM); }).join(); // to that very thread: would end the process were it not blocked
    QCOMPARE(::kill(::getpid(), SIGINT), 0);
    QTRY_COMPARE(terminated.size(), 1);
    QCOMPARE(terminated.first().first().toInt(), SIGINT);
}

void tst_Signals::brokenPipeAndIoAreIgnored()
{
    prepareSignals(); // the test framework has put handlers of its own in between
    QCOMPARE(::raise(SIGPIPE), 0);
    QCOMPARE(::raise(SIGIO), 0);
    struct sigaction action { };
    QCOMPARE(::sigaction(SIGPIPE, nullptr, &action), 0);
    QVERIFY(action.sa_handler == SIG_IGN);
}

int main(int argc, char **argv)
{
    prepareSignals();
    QCoreApplication app(argc, argv);
    tst_Signals test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_signals.moc"
