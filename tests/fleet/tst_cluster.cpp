// SPDX-License-Identifier: Apache-2.0
// The program on a cluster: what it says and how it exits, whatever the nodes and kubectl do.
#include "fakecluster.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>
#include <QTest>

using namespace firstwatch::test;

namespace {

constexpr int patienceMs = 60'000;

struct Run {
    int exitCode = -1;
    QByteArray out;
    QByteArray err;
};

// With the event loop turning, which the fake nodes live in.
Run run(const FakeCluster &fake, const QStringList &arguments, const QProcessEnvironment &environment)
{
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(FIRSTWATCH_PROGRAM),
        arguments + QStringList{ QStringLiteral("--kubectl"), fake.cluster.kubectl });
    if (!QTest::qWaitFor([&] { return process.state() == QProcess::NotRunning; }, patienceMs))
        return {};
    return { process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError() };
}

Run run(const FakeCluster &fake, const QString &arguments)
{
    return run(fake, arguments.split(u' '), QProcessEnvironment::systemEnvironment());
}

// A second node in the list, which the first one answers for: it cannot be reached.
QJsonObject withAnotherNode()
{
    return { { QStringLiteral("pods"),
        QJsonArray{ podJson(QStringLiteral("a"), QStringLiteral("node-17")),
            podJson(QStringLiteral("b"), QStringLiteral("node-18")) } } };
}

} // namespace

class tst_Cluster : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void exitCodeTellsTheOutcome_data()
    {
        QTest::addColumn<QJsonObject>("script");
        QTest::addColumn<QString>("more");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QByteArray>("words"); // on stderr
        const QString none;
        const QJsonObject noPods{ { QStringLiteral("pods"), QJsonArray() } };
        const QJsonObject forbidden{ { QStringLiteral("fail"),
            QStringLiteral("Error from server (Forbidden): pods is forbidden") } };
        QTest::newRow("all reached") << QJsonObject() << none << 0 << QByteArray();
        QTest::newRow("some not reached") << withAnotherNode() << none << 4 << QByteArray("FW9004");
        QTest::newRow("the reached one alone")
            << withAnotherNode() << QStringLiteral(" --node node-17") << 0 << QByteArray();
        QTest::newRow("the other one alone")
            << withAnotherNode() << QStringLiteral(" --node *18") << 3 << QByteArray("FW9004");
        QTest::newRow("no pods") << noPods << none << 0 << QByteArray("FW9003");
        QTest::newRow("no pods where one is required")
            << noPods << QStringLiteral(" --require 1") << 1 << QByteArray("FW9003");
        QTest::newRow("not allowed") << forbidden << none << 3 << QByteArray("FW9010");
        QTest::newRow("by exec") << QJsonObject() << QStringLiteral(" --via exec") << 0 << QByteArray();
        QTest::newRow("no such carrier") << QJsonObject() << QStringLiteral(" --via pigeon") << 2
                                         << QByteArray("port-forward, exec");
    }
    void exitCodeTellsTheOutcome()
    {
        QFETCH(const QJsonObject, script);
        QFETCH(const QString, more);
        QFETCH(const int, exitCode);
        QFETCH(const QByteArray, words);
        FakeCluster fake;
        fake.node.addEvents(1, 3);
        fake.play(script);
        // What these events add up to is another test's matter.
        for (const char *form : { "table", "wide", "short", "json", "name" }) {
            const Run done = run(fake, QStringLiteral("status --fail-on never -o %1").arg(QLatin1String(form)) + more);
            QVERIFY2(
                done.exitCode == exitCode, (form + (": " + done.err) + done.out).operator QByteArray().constData());
            QVERIFY2(done.err.contains(words), done.err.constData());
            QVERIFY2(!words.isEmpty() || done.err.isEmpty(), done.err.constData());
        }
    }

    // Not as one that cannot be reached: what to do about it is another thing.
    void aNodeThatRefusesIsSaidAsThat_data()
    {
        QTest::addColumn<QJsonObject>("hello");
        QTest::addColumn<QByteArray>("words");
        QTest::newRow("it asks for a key")
            << QJsonObject{ { QStringLiteral("auth"), QJsonArray{ QStringLiteral("hmac-sha256") } } }
            << QByteArray("FW9007 node-17: the node asks for its key");
        QTest::newRow("of another version")
            << QJsonObject{ { QStringLiteral("major"), 2 } } << QByteArray("FW9005 node-17: the node's service");
    }
    void aNodeThatRefusesIsSaidAsThat()
    {
        QFETCH(const QJsonObject, hello);
        QFETCH(const QByteArray, words);
        FakeCluster fake;
        fake.node.hello = hello;
        fake.play({});
        const Run looked = run(fake, QStringLiteral("status"));
        QCOMPARE(looked.exitCode, 3);
        QVERIFY2(looked.err.contains(words), looked.err.constData());
        const Run followed = run(fake, QStringLiteral("events -f --node node-17"));
        QCOMPARE(followed.exitCode, 3);
        QVERIFY2(followed.err.contains(words.left(6)), followed.err.constData());
    }

    // Pods may be listed, and that is all: the right that is missing is named, with the question for the admin.
    void whatIsForbiddenIsNamed_data()
    {
        QTest::addColumn<QString>("more");
        QTest::addColumn<QString>("said"); // as the API server words it
        QTest::addColumn<QByteArray>("question");
        QTest::newRow("to forward a port")
            << QString()
            << QStringLiteral("error: error upgrading connection: pods \"firstwatch-x7k2p\" is forbidden: User "
                              "\"jane\" cannot create resource \"pods/portforward\" in API group \"\" in the "
                              "namespace \"firstwatch\"")
            << QByteArray("kubectl auth can-i create pods/portforward -n firstwatch --context prod)");
        QTest::newRow("to exec") << QStringLiteral(" --via exec")
                                 << QStringLiteral("Error from server (Forbidden): pods \"firstwatch-x7k2p\" is "
                                                   "forbidden: User \"jane\" cannot create resource \"pods/exec\" in "
                                                   "API group \"\" in the namespace \"firstwatch\"")
                                 << QByteArray("kubectl auth can-i create pods/exec -n firstwatch --context prod)");
    }
    void whatIsForbiddenIsNamed()
    {
        QFETCH(const QString, more);
        QFETCH(const QString, said);
        QFETCH(const QByteArray, question);
        FakeCluster fake;
        fake.node.addEvents(1, 3);
        fake.play({ { QStringLiteral("can_i"), QStringLiteral("no") } },
            { { QStringLiteral("words"), said }, { QStringLiteral("fails"), true } });
        for (const char *verb : { "status", "events --node node-17", "events -f --node node-17" }) {
            const Run done = run(fake, QLatin1String(verb) + QStringLiteral(" --context prod") + more);
            QCOMPARE(done.exitCode, 3);
            QVERIFY2(done.err.contains("FW9010 ") && done.err.contains(question), done.err.constData());
            QVERIFY2(done.err.contains("jane") && !done.err.contains("FW9004"), done.err.constData());
        }
        const Run doctor = run(fake, QStringLiteral("doctor --context prod") + more);
        QCOMPARE(doctor.exitCode, 3);
        QVERIFY2(doctor.out.contains("you may not create pods/") && doctor.out.contains(question.chopped(1)),
            doctor.out.constData());
    }

    void doctorOfACluster()
    {
        FakeCluster fake;
        fake.node.addEvents(1, 3);
        fake.play({});
        const Run done = run(fake, QStringLiteral("doctor --node *"));
        QVERIFY2(done.out.contains("1 node reached") && done.out.contains("you may create pods/portforward here"),
            done.out.constData());
        QCOMPARE(done.exitCode, 0);
    }

    void oneNodeHasToBeNamed_data()
    {
        QTest::addColumn<QString>("verb");
        for (const char *verb : { "node", "events", "timeline", "history" })
            QTest::newRow(verb) << QString::fromLatin1(verb);
    }
    void oneNodeHasToBeNamed()
    {
        QFETCH(const QString, verb);
        FakeCluster fake;
        fake.node.addEvents(1, 3);
        fake.play(withAnotherNode());
        const Run unnamed = run(fake, verb);
        QCOMPARE(unnamed.exitCode, 2);
        QVERIFY2(unnamed.err.contains("--node"), unnamed.err.constData());
        const Run named = run(fake, verb + QStringLiteral(" --node node-17 -o json"));
        QVERIFY2(named.exitCode <= 1, named.err.constData()); // these events are no healthy node
        QVERIFY2(!QJsonDocument::fromJson(named.out).isNull(), named.out.constData());
    }

    void theEnvironmentNamesTheCluster()
    {
        FakeCluster fake;
        fake.node.addEvents(1, 3);
        fake.play({});
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("FIRSTWATCH_CONTEXT"), QStringLiteral("staging"));
        environment.insert(QStringLiteral("FIRSTWATCH_NAMESPACE"), QStringLiteral("mesh"));
        QVERIFY(run(fake, { QStringLiteral("status") }, environment).exitCode <= 1);
        const QJsonArray argv = fake.calls(QStringLiteral("get")).first()[QLatin1String("argv")].toArray();
        QCOMPARE(argv.at(1).toString(), QStringLiteral("staging"));
        QCOMPARE(argv.at(3).toString(), QStringLiteral("mesh"));
    }

    void waitsForANodeThatComesLater()
    {
        FakeCluster fake;
        fake.node.addEvents(1, 3);
        fake.play({ { QStringLiteral("pods"), QJsonArray() } });
        QProcess process;
        process.start(QStringLiteral(FIRSTWATCH_PROGRAM),
            { QStringLiteral("status"), QStringLiteral("--fail-on"), QStringLiteral("never"),
                QStringLiteral("--wait=BLIND"), QStringLiteral("--timeout"), QStringLiteral("60s"),
                QStringLiteral("--kubectl"), fake.cluster.kubectl });
        QTRY_VERIFY_WITH_TIMEOUT(fake.calls(QStringLiteral("get")).size() > 1, patienceMs);
        QCOMPARE(process.state(), QProcess::Running);
        fake.play({});
        QTRY_COMPARE_WITH_TIMEOUT(process.state(), QProcess::NotRunning, patienceMs);
        const QByteArray said = process.readAllStandardError();
        QVERIFY2(process.exitCode() == 0, said.constData());
    }

    void followsOverABrokenLink()
    {
        FakeCluster fake;
        fake.node.addEvents(1, 3);
        fake.play({});
        QProcess process;
        process.start(QStringLiteral(FIRSTWATCH_PROGRAM),
            { QStringLiteral("events"), QStringLiteral("-f"), QStringLiteral("--node"), QStringLiteral("node-17"),
                QStringLiteral("-o"), QStringLiteral("raw"), QStringLiteral("--kubectl"), fake.cluster.kubectl });
        QByteArray out;
        const auto lines = [&] {
            out += process.readAllStandardOutput();
            return out.count('\n');
        };
        QTRY_COMPARE_WITH_TIMEOUT(lines(), 3, patienceMs);
        fake.node.addEvents(4, 5);
        fake.node.hangUp();
        QTRY_COMPARE_WITH_TIMEOUT(lines(), 5, patienceMs);
        const qint64 child = fake.calls(QStringLiteral("port-forward")).last()[QLatin1String("pid")].toInteger();
        process.terminate();
        QTRY_COMPARE_WITH_TIMEOUT(process.state(), QProcess::NotRunning, patienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(!QFile::exists(QStringLiteral("/proc/%1/exe").arg(child)), patienceMs);
    }
};

QTEST_GUILESS_MAIN(tst_Cluster)
#include "tst_cluster.moc"
