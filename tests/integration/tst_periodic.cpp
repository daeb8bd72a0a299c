// SPDX-License-Identifier: Apache-2.0
// The net below the watch: a pass every half minute finds what no event told of.
#include "node.h"

#include <QTest>

using namespace firstwatch;
using namespace firstwatch::test;
using journal::Kind;

namespace {

constexpr int twoPeriodsMs = 80'000;

QByteArray version(int round)
{
    return smallConflist("round" + QByteArray::number(round));
}

// Waits until the rewrite is patched and nothing of it is left to settle: for that the service looks at the file once
// more by itself, and would find the next rewrite without any event.
bool rewrite(const Node &node, int round)
{
    node.net.writeByRename("10-a.conflist", version(round));
    return eventually(
        [&] { return node.isPatched("10-a.conflist", version(round)) && node.leftovers().isEmpty(); }, twoPeriodsMs);
}

} // namespace

class TestPeriodic : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Events come for the proof and a while longer, and never again. Where the second backend still hears something,
    // that is noticed within seconds; where it does not, the periodic pass is what is left.
    void p07_aSilentWatchMissesNothing_data()
    {
        QTest::addColumn<QByteArray>("faults");
        QTest::addColumn<QString>("reason");
        QTest::addColumn<int>("code");
        QTest::newRow("the second backend hears")
            << QByteArray("watch.read:skip=60,drop=1") << QStringLiteral("poll") << 1007;
        QTest::newRow("nobody hears") << QByteArray("qt.arm:errno=EIO;watch.read:skip=60,drop=1")
                                      << QStringLiteral("periodic") << 1108;
    }
    void p07_aSilentWatchMissesNothing()
    {
        QFETCH(const QByteArray, faults);
        QFETCH(const QString, reason);
        QFETCH(const int, code);
        Node node;
        node.net.writeInPlace("10-a.conflist", smallConflist("first"));
        node.setFaults(faults);
        node.start();
        QVERIFY(node.waitReady());
        const auto isFoundWithoutEvent = [&] {
            return !node.events(Kind::PassBegin, { { QStringLiteral("reason"), reason } }).isEmpty();
        };
        int round = 0;
        while (round < 60 && !isFoundWithoutEvent())
            QVERIFY2(rewrite(node, ++round), node.log().constData());
        QVERIFY2(round > 1 && round < 60, qPrintable(QString::number(round)));
        QVERIFY(node.waitForFinding(code));
        QVERIFY(node.process.isRunning());
    }
};

QTEST_GUILESS_MAIN(TestPeriodic)
#include "tst_periodic.moc"
