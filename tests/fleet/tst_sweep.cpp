// SPDX-License-Identifier: Apache-2.0
#include "ui/fleet/sweep.h"

#include "fakecluster.h"
#include "journal/findingcodes.h"

#include <QJsonArray>
#include <QSignalSpy>
#include <QTest>

using namespace firstwatch;
using namespace firstwatch::fleet;
using namespace firstwatch::test;

namespace {

constexpr int patienceMs = 60'000;

// Nodes of one cluster, each with a service of its own.
class FakeFleet {
public:
    explicit FakeFleet(int count)
    {
        QJsonArray pods;
        QJsonObject sockets;
        for (int i = 0; i < count; ++i) {
            auto node = std::make_unique<FakeNode>();
            const QString name = QStringLiteral("node-%1").arg(i, 2, 10, QLatin1Char('0'));
            node->hello = { { QStringLiteral("node"), name } };
            node->addEvents(1, quint64(i) + 1);
            const QString pod = QStringLiteral("pod-%1").arg(i);
            pods.prepend(podJson(pod, name));
            sockets.insert(pod, node->endpoint().path);
            nodes.push_back(std::move(node));
        }
        m_script = { { QStringLiteral("pods"), pods } };
        m_forward = { { QStringLiteral("sockets"), sockets } };
        cluster.play(m_script, m_forward);
    }
    std::vector<std::unique_ptr<FakeNode>> nodes;
    FakeCluster cluster;

private:
    QJsonObject m_script;
    QJsonObject m_forward;
};

struct Outcome {
    QList<Sweep::Report> reports;
    std::optional<KubectlTrouble> trouble;
    int progressed = 0;
};

Outcome swept(const Cluster &cluster, const Sweep::Options &options = {})
{
    Outcome outcome;
    bool isFinished = false;
    Sweep sweep(cluster, options);
    QObject::connect(&sweep, &Sweep::progressed, &sweep, [&] { ++outcome.progressed; });
    QObject::connect(&sweep, &Sweep::finished, &sweep,
        [&](const QList<Sweep::Report> &reports, const std::optional<KubectlTrouble> &trouble) {
            outcome.reports = reports;
            outcome.trouble = trouble;
            isFinished = true;
        });
    sweep.start();
    if (!QTest::qWaitFor([&] { return isFinished; }, patienceMs))
        qWarning("the sweep did not end");
    return outcome;
}

QString shown(const QList<Sweep::Report> &reports)
{
    QStringList texts;
    for (const Sweep::Report &report : reports)
        texts.append(QStringLiteral("%1:%2:%3").arg(report.node).arg(report.view.seq).arg(report.events.size()));
    return texts.join(u' ');
}

} // namespace

class tst_Sweep : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyNodeIsSeenOnce()
    {
        const FakeFleet fleet(5);
        Sweep::Options options;
        options.atATime = 2;
        const Outcome outcome = swept(fleet.cluster.cluster, options);
        QVERIFY(!outcome.trouble);
        QCOMPARE(shown(outcome.reports), QStringLiteral("node-00:1:1 node-01:2:2 node-02:3:3 node-03:4:4 node-04:5:5"));
        QCOMPARE(outcome.progressed, 5);
        for (const std::unique_ptr<FakeNode> &node : fleet.nodes)
            QCOMPARE(node->connections(), 1);
    }

    void nodesAreChosenByPattern()
    {
        const FakeFleet fleet(3);
        Sweep::Options options;
        options.nodes = QStringLiteral("*-0[12]");
        QCOMPARE(shown(swept(fleet.cluster.cluster, options).reports), QStringLiteral("node-01:2:2 node-02:3:3"));
        options.nodes = QStringLiteral("none*");
        QCOMPARE(swept(fleet.cluster.cluster, options).reports.size(), 0);
    }

    void oneBadNodeCostsItsOwnReportOnly()
    {
        const FakeFleet fleet(3);
        fleet.nodes[1]->isSilent = true;
        fleet.nodes[2]->hello = { { QStringLiteral("major"), 2 } };
        Sweep::Options options;
        options.timeoutMs = 5000;
        const QList<Sweep::Report> reports = swept(fleet.cluster.cluster, options).reports;
        QCOMPARE(reports.size(), 3);
        QVERIFY(reports[0].isReached);
        QVERIFY(!reports[1].isReached);
        QCOMPARE(reports[1].trouble, QStringLiteral("no answer within 5 s"));
        QVERIFY(!reports[2].isReached);
        QVERIFY2(reports[2].trouble.contains(QStringLiteral("protocol 2")), qPrintable(reports[2].trouble));
    }

    void aClusterThatRefusesIsSaid()
    {
        const FakeCluster fake;
        fake.play({ { QStringLiteral("fail"), QStringLiteral("Error from server (Forbidden): pods is forbidden") } });
        const Outcome outcome = swept(fake.cluster);
        QVERIFY(outcome.trouble);
        QCOMPARE(outcome.trouble->code, journal::code::forbidden);
    }
};

QTEST_GUILESS_MAIN(tst_Sweep)
#include "tst_sweep.moc"
