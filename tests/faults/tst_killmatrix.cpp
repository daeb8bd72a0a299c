// SPDX-License-Identifier: Apache-2.0
// The process dies before each call that it makes: nothing is damaged, and the next start puts everything right.
#include "scene.h"
#include "schedule.h"

#include <QTest>

#include <atomic>
#include <csignal>

using namespace firstwatch::test;

namespace {

// From the start over a patch, a conversion, a rewrite and a rotation to the end. True when it died of the fault.
bool runToTheEnd(Scene &scene)
{
    scene.node.start();
    (void)scene.waitSettledOrDead();
    if (scene.node.process.isRunning())
        scene.ownerRewrites();
    (void)scene.waitSettledOrDead();
    scene.node.account.rotate("another");
    return scene.node.stop() == -SIGKILL;
}

bool cleanUp(Scene &scene)
{
    const QByteArray faults = scene.node.faults();
    scene.node.setFaults({});
    (void)scene.node.run({ "--once" });
    scene.node.setFaults(faults);
    return scene.node.run({ "cleanup" }) == -SIGKILL;
}

} // namespace

class TestKillMatrix : public QObject {
    Q_OBJECT

public:
    static void initMain() { allowLongRuns(); }

private Q_SLOTS:
    void p14_p20_aKillAnywhereDamagesNothing_data()
    {
        QTest::addColumn<QByteArray>("point");
        QTest::addColumn<bool>("atCleanUp");
        for (const QByteArray &point : failPoints()) {
            QTest::addRow("%s, in a run", point.constData()) << point << false;
            QTest::addRow("%s, at clean-up", point.constData()) << point << true;
        }
    }
    void p14_p20_aKillAnywhereDamagesNothing()
    {
        QFETCH(const QByteArray, point);
        QFETCH(const bool, atCleanUp);
        std::atomic<int> survivor = sized(6, 200); // the first pass of the point that was never reached
        const auto job = [&](int pass) -> QString {
            if (pass >= survivor)
                return {};
            Scene scene;
            scene.node.setFaults(point + ":kill=1,skip=" + QByteArray::number(pass));
            if (!(atCleanUp ? cleanUp(scene) : runToTheEnd(scene)))
                survivor = std::min<int>(survivor, pass);
            QString wrong = scene.damage();
            if (wrong.isEmpty())
                wrong = scene.recover();
            return wrong.isEmpty() ? wrong : QStringLiteral("killed at pass %1: %2").arg(pass).arg(wrong);
        };
        const QStringList failures = inParallel(survivor, 4, job);
        QVERIFY2(failures.isEmpty(), qPrintable(failures.join(QLatin1Char('\n'))));
    }
};

QTEST_GUILESS_MAIN(TestKillMatrix)
#include "tst_killmatrix.moc"
