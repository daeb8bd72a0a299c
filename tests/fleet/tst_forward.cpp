// SPDX-License-Identifier: Apache-2.0
// A node behind a port-forward that does what port-forwards do to people.
#include "ui/fleet/sweep.h"

#include "fakecluster.h"
#include "journal/findingcodes.h"
#include "stream/client.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QSignalSpy>
#include <QTest>

#include <csignal>

using namespace firstwatch;
using namespace firstwatch::fleet;
using namespace firstwatch::stream;
using namespace firstwatch::test;
namespace code = journal::code;
using Link = Client::Link;

// A kubectl is a process each time: on a busy machine the usual five seconds may not do.
#define FW_TRY_COMPARE(actual, expected) QTRY_COMPARE_WITH_TIMEOUT(actual, expected, 60'000)
#define FW_TRY_VERIFY(condition) QTRY_VERIFY_WITH_TIMEOUT(condition, 60'000)

namespace {

Client::Options quick()
{
    Client::Options options;
    options.name = QStringLiteral("test");
    options.node = QStringLiteral("node-17");
    options.firstRetryMs = 4;
    options.longestRetryMs = 8;
    return options;
}

bool isGone(int pid)
{
    return ::kill(pid, 0) != 0;
}

} // namespace

class tst_Forward : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aNodeIsReached_data()
    {
        QTest::addColumn<QJsonObject>("forward");
        QTest::newRow("plainly") << QJsonObject();
        QTest::newRow("the line in pieces, cut inside the number") << QJsonObject{ { QStringLiteral("pieces"), 20 } };
        QTest::newRow("another address first") << QJsonObject{ { QStringLiteral("before"),
            QJsonArray{ QStringLiteral("Forwarding from [::1]:1 -> 9911") } } };
        QTest::newRow("a warning on stderr")
            << QJsonObject{ { QStringLiteral("words"), QStringLiteral("W1130 warning: deprecated") } };
    }
    void aNodeIsReached()
    {
        QFETCH(const QJsonObject, forward);
        FakeCluster fake;
        fake.node.addEvents(1, 3);
        fake.play({}, forward);
        Client client(dialNode(fake.cluster, QStringLiteral("node-17"), Carrier::Forward), quick());
        client.start();
        FW_TRY_COMPARE(client.link(), Link::Live);
        FW_TRY_COMPARE(client.view().seq, 3U);
        const QByteArray argv =
            QJsonDocument(fake.calls(QStringLiteral("port-forward")).first()[QLatin1String("argv")].toArray())
                .toJson(QJsonDocument::Compact);
        QCOMPARE(argv,
            R"(["--context","prod","--namespace","firstwatch","port-forward","--address","127.0.0.1","pod/firstwatch-x7k2p",":9911"])");
    }

    // Without a port in the pod.
    void aNodeIsReachedByExec()
    {
        FakeCluster fake;
        fake.node.addEvents(1, 3);
        fake.play({});
        Client client(dialNode(fake.cluster, QStringLiteral("node-17"), Carrier::Exec), quick());
        client.start();
        FW_TRY_COMPARE(client.link(), Link::Live);
        fake.node.sayEvent(4);
        FW_TRY_COMPARE(client.view().seq, 4U);
        const QByteArray argv =
            QJsonDocument(fake.calls(QStringLiteral("exec")).first()[QLatin1String("argv")].toArray())
                .toJson(QJsonDocument::Compact);
        QCOMPARE(argv,
            R"(["--context","prod","--namespace","firstwatch","exec","--stdin","pod/firstwatch-x7k2p","--container","firstwatchd","--","firstwatchd","relay"])");
    }

    // Each break costs the connection only: what happens meanwhile is told afterwards, once.
    void p3b_killedTwentyTimes()
    {
        FakeCluster fake;
        fake.node.addEvents(1, 1);
        fake.play({});
        Client client(dialNode(fake.cluster, QStringLiteral("node-17"), Carrier::Forward), quick());
        QByteArray told;
        connect(&client, &Client::happened, &client,
            [&told](const journal::Event &event, const QByteArray &) { told += ' ' + QByteArray::number(event.seq); });
        const QSignalSpy gaps(&client, &Client::gap);
        client.start();
        QByteArray expected = " 1";
        for (quint64 seq = 2; seq < 22; ++seq) {
            FW_TRY_COMPARE(told, expected);
            FW_TRY_COMPARE(client.link(), Link::Live);
            fake.node.addEvents(seq, seq);
            QCOMPARE(
                ::kill(fake.calls(QStringLiteral("port-forward")).last()[QLatin1String("pid")].toInt(), SIGKILL), 0);
            expected += ' ' + QByteArray::number(seq);
        }
        FW_TRY_COMPARE(told, expected);
        QCOMPARE(gaps.size(), 0);
    }

    // "lost connection to pod": kubectl ends by itself (kubernetes/kubectl#1169), and its words are shown.
    void aForwardThatEndsIsSaidAndReplaced()
    {
        FakeCluster fake;
        fake.node.addEvents(1, 3);
        fake.play({}, { { QStringLiteral("dies_after"), 100 } });
        Client client(dialNode(fake.cluster, QStringLiteral("node-17"), Carrier::Forward), quick());
        QStringList troubles;
        connect(&client, &Client::linkChanged, &client, [&] { troubles.append(client.trouble()); });
        client.start();
        FW_TRY_VERIFY(troubles.contains(QStringLiteral("error: lost connection to pod")));
        fake.play({});
        FW_TRY_COMPARE(client.link(), Link::Live);
    }

    // kubectl listens on for a pod that is gone (kubernetes#67059): each try looks for the pod anew.
    void aPodThatIsGoneIsLookedForAnew()
    {
        FakeCluster fake;
        fake.play({}, { { QStringLiteral("hangs_up"), true } });
        Client client(dialNode(fake.cluster, QStringLiteral("node-17"), Carrier::Forward), quick());
        client.start();
        FW_TRY_VERIFY(fake.calls(QStringLiteral("port-forward")).size() > 2);
        fake.play({ { QStringLiteral("pods"),
            QJsonArray{ podJson(QStringLiteral("firstwatch-young"), QStringLiteral("node-17")) } } });
        FW_TRY_COMPARE(client.link(), Link::Live);
        const QJsonArray argv = fake.calls(QStringLiteral("port-forward")).last()[QLatin1String("argv")].toArray();
        QVERIFY(argv.contains(QStringLiteral("pod/firstwatch-young")));
    }

    // An idle forward cut without a word keeps the connection open (kubernetes#19231).
    void p39_aForwardThatGoesSilentIsReplaced()
    {
        FakeCluster fake;
        fake.node.addEvents(1, 3);
        fake.play({}, { { QStringLiteral("silent_after"), 200 } });
        Client::Options options = quick();
        options.silenceMs = 2000;
        Client client(dialNode(fake.cluster, QStringLiteral("node-17"), Carrier::Forward), options);
        QStringList troubles;
        connect(&client, &Client::linkChanged, &client, [&] { troubles.append(client.trouble()); });
        client.start();
        FW_TRY_VERIFY(troubles.contains(QStringLiteral("no word from the node for 2 s")));
        fake.play({});
        FW_TRY_COMPARE(client.link(), Link::Live);
    }

    void troubleIsSaidWithItsWayOut_data()
    {
        QTest::addColumn<QJsonObject>("script");
        QTest::addColumn<QString>("kubectl");
        QTest::addColumn<QString>("words");
        const auto fails = [](const char *name, const char *said, const char *words) {
            QTest::newRow(name) << QJsonObject{ { QStringLiteral("fail"), QString::fromLatin1(said) } } << QString()
                                << QString::fromLatin1(words);
        };
        QTest::newRow("no kubectl") << QJsonObject() << QStringLiteral("/nonexistent/kubectl")
                                    << QStringLiteral("--kubectl");
        fails("not allowed",
            "Error from server (Forbidden): pods is forbidden: User \"u\" cannot list resource \"pods\"",
            "ask the cluster's admin for this right");
        fails("no cluster",
            "The connection to the server localhost:8080 was refused - did you specify the right host or port?",
            "no cluster is configured");
        fails("no such context", "error: context \"prod\" does not exist", "kubectl config get-contexts");
        fails("credential plugin",
            "Unable to connect to the server: getting credentials: exec: executable aws not found",
            "credential plugin");
        fails("anything else", "first\nUnable to connect to the server: net/http: TLS handshake timeout",
            "TLS handshake timeout");
        fails("escape sequences", "\033[2Jhello", "\\x1b[2Jhello");
        QTest::newRow("no JSON") << QJsonObject{ { QStringLiteral("raw"), QStringLiteral("hello") } } << QString()
                                 << QStringLiteral("did not list pods");
        QTest::newRow("no pod") << QJsonObject{ { QStringLiteral("pods"), QJsonArray() } } << QString()
                                << QStringLiteral("no Firstwatch pod on node-17");
    }
    void troubleIsSaidWithItsWayOut()
    {
        QFETCH(const QJsonObject, script);
        QFETCH(const QString, kubectl);
        QFETCH(const QString, words);
        FakeCluster fake;
        if (!kubectl.isEmpty())
            fake.cluster.kubectl = kubectl;
        fake.play(script);
        Client::Options options = quick();
        options.follow = false;
        Client client(dialNode(fake.cluster, QStringLiteral("node-17"), Carrier::Forward), options);
        const QSignalSpy done(&client, &Client::done);
        client.start();
        FW_TRY_COMPARE(done.size(), 1);
        QVERIFY2(client.trouble().contains(words), qPrintable(client.trouble()));
        QVERIFY(!client.trouble().contains(QChar(u'\033')));
    }

    void p52_noChildOutlivesItsConnection()
    {
        FakeCluster fake;
        fake.play({});
        auto client =
            std::make_unique<Client>(dialNode(fake.cluster, QStringLiteral("node-17"), Carrier::Forward), quick());
        client->start();
        FW_TRY_COMPARE(client->link(), Link::Live);
        const int pid = fake.calls(QStringLiteral("port-forward")).last()[QLatin1String("pid")].toInt();
        QVERIFY(!isGone(pid));
        client.reset();
        FW_TRY_VERIFY(isGone(pid));
    }

    void aCallThatHangsIsEnded()
    {
        FakeCluster fake;
        fake.play({ { QStringLiteral("hangs"), true } });
        KubectlResult result;
        int pid = 0;
        {
            KubectlCall call(fake.cluster);
            QSignalSpy finished(&call, &KubectlCall::finished);
            call.start({ QStringLiteral("get"), QStringLiteral("pods") }, 500);
            FW_TRY_COMPARE(finished.size(), 1);
            result = finished.first().first().value<KubectlResult>();
            FW_TRY_VERIFY(!fake.calls(QStringLiteral("get")).isEmpty());
            pid = fake.calls(QStringLiteral("get")).last()[QLatin1String("pid")].toInt();
        }
        QCOMPARE(troubleOf(fake.cluster, result).code, code::kubectlFailed);
        QVERIFY(troubleOf(fake.cluster, result).text.contains(QStringLiteral("did not answer in time")));
        FW_TRY_VERIFY(isGone(pid));
    }
};

QTEST_GUILESS_MAIN(tst_Forward)
#include "tst_forward.moc"
