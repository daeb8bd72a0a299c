// SPDX-License-Identifier: Apache-2.0
// The port: only who knows the key gets a word, and a wrong guess teaches nothing.
#include "rawclient.h"
#include "servednode.h"

#include "stream/challenge.h"
#include "stream/protocol.h"

#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QTest>

using namespace firstwatch;
using namespace firstwatch::test;
using stream::challengeCode;

namespace {

constexpr char key[] = "0123456789abcdef0123456789abcdef";
constexpr char cnonce[] = "ffeeddccbbaa99887766554433221100";

stream::ServerOptions withKey()
{
    stream::ServerOptions options;
    options.tcpPort = freePort();
    options.tcpKey = key;
    options.inHostNetwork = true;
    options.limits.failureMs = 40;
    return options;
}

QJsonObject paramsWith(const QByteArray &code)
{
    return { { QStringLiteral("major"), 1 }, { QStringLiteral("cnonce"), QString::fromLatin1(cnonce) },
        { QStringLiteral("mac"), QString::fromLatin1(code) } };
}

QByteArray nonceOf(RawClient &client)
{
    return client.waitFor(QStringLiteral("hello"))[u"params"][u"nonce"].toString().toLatin1();
}

QJsonObject answerTo(const ServedNode &node, const QByteArray &nonce, const QByteArray &with)
{
    return paramsWith(challengeCode(with, nonce, cnonce, node.boot(), "node-17"));
}

} // namespace

class TestChallenge : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void p38_theKeyOpensAndTheServerProvesItself()
    {
        ServedNode node(withKey());
        node.happen();
        RawClient client(node.options().tcpPort);
        const QJsonObject hello = client.waitFor(QStringLiteral("hello"))[u"params"].toObject();
        QCOMPARE(hello[u"auth"].toArray(), QJsonArray{ QStringLiteral("hmac-sha256") });
        const QByteArray nonce = hello[u"nonce"].toString().toLatin1();
        QCOMPARE(nonce.size(), 32);
        const QJsonObject result =
            client.call(QStringLiteral("hello"), answerTo(node, nonce, key))[u"result"].toObject();
        QCOMPARE(result[u"smac"].toString().toLatin1(), challengeCode(key, cnonce, nonce, node.boot(), "node-17"));
        QVERIFY(client.call(QStringLiteral("snapshot")).contains(u"result"));
    }

    void p38_wrongAnswersAreAllTheSame_data()
    {
        QTest::addColumn<int>("kind");
        int kind = 0;
        for (const char *name : { "no code", "another key", "cut off", "empty", "nonces swapped", "of another nonce",
                 "not text", "another major as well" })
            QTest::newRow(name) << kind++;
    }
    void p38_wrongAnswersAreAllTheSame()
    {
        QFETCH(const int, kind);
        ServedNode node(withKey());
        node.happen();
        RawClient client(node.options().tcpPort);
        const QByteArray nonce = nonceOf(client);
        const QByteArray right = challengeCode(key, nonce, cnonce, node.boot(), "node-17");
        const QList<QJsonObject> answers{ { { QStringLiteral("major"), 1 } }, answerTo(node, nonce, "another key"),
            paramsWith(right.chopped(1)), paramsWith({}),
            paramsWith(challengeCode(key, cnonce, nonce, node.boot(), "node-17")),
            answerTo(node, QByteArray(32, '0'), key), { { QStringLiteral("major"), 1 }, { QStringLiteral("mac"), 5 } },
            { { QStringLiteral("major"), 9 } } };
        QElapsedTimer time;
        time.start();
        const QJsonObject error = client.call(QStringLiteral("hello"), answers.at(kind))[u"error"].toObject();
        QVERIFY(time.elapsed() >= 39);
        QCOMPARE(error[u"code"].toInt(), -32001);
        QCOMPARE(error[u"message"].toString(), QStringLiteral("not authorised"));
        const QJsonObject data{ { QStringLiteral("code"), QStringLiteral("FW9007") } };
        QCOMPARE(error[u"data"].toObject(), data);
        QCOMPARE(client.waitFor(QStringLiteral("bye"))[u"params"][u"why"].toString(), QStringLiteral("auth"));
        QCOMPARE(client.waitForEnd(), RawClient::End::Regular);
    }

    void p38_aRecordedExchangeIsOfNoUse()
    {
        ServedNode node(withKey());
        node.happen();
        RawClient first(node.options().tcpPort);
        const QJsonObject right = answerTo(node, nonceOf(first), key);
        QVERIFY(first.call(QStringLiteral("hello"), right).contains(u"result"));
        RawClient replay(node.options().tcpPort);
        QCOMPARE(replay.call(QStringLiteral("hello"), right)[u"error"][u"code"].toInt(), -32001);
    }

    void p38_aNonceIsGoodOnce()
    {
        stream::Challenge challenge(key, "node-17");
        const QJsonObject right = paramsWith(challengeCode(key, challenge.nonce(), cnonce, "boot", "node-17"));
        QVERIFY(challenge.check(right, "boot"));
        QVERIFY(!challenge.check(right, "boot"));
        QVERIFY(stream::Challenge(key, "node-17").nonce() != stream::Challenge(key, "node-17").nonce());
    }

    void p38_guessesOnOneConnectionCountOnce()
    {
        ServedNode node(withKey());
        node.happen();
        RawClient client(node.options().tcpPort);
        const QByteArray nonce = nonceOf(client);
        client.send(requestOf(1, QStringLiteral("hello"), paramsWith("wrong"))
            + requestOf(2, QStringLiteral("hello"), answerTo(node, nonce, key)));
        QCOMPARE(client.waitForAnswer(1)[u"error"][u"code"].toInt(), -32001);
        QVERIFY(client.waitForAnswer(2).isEmpty());
        QCOMPARE(client.end(), RawClient::End::Regular);
        RawClient local(node.path());
        (void)local.hello();
        QCOMPARE(local.call(QStringLiteral("counters"))[u"result"][u"server"][u"failures"].toInt(), 1);
    }

    void p38_manyFailuresCloseThePort()
    {
        stream::ServerOptions options = withKey();
        options.limits.failureMs = 1;
        options.limits.failureWindowMs = 500;
        ServedNode node(options);
        node.happen();
        for (int i = 0; i < options.limits.failures; ++i) {
            RawClient client(options.tcpPort);
            (void)client.call(QStringLiteral("hello"), paramsWith("wrong"));
        }
        RawClient refused(options.tcpPort);
        refused.send(requestOf(1, QStringLiteral("hello")));
        QCOMPARE(refused.waitForEnd(), RawClient::End::Regular);
        QCOMPARE(refused.bytes(), 0);
        RawClient local(node.path()); // the socket is another matter
        QVERIFY(!local.hello().isEmpty());
        // And open again when the time has passed.
        QVERIFY(eventually([&] {
            RawClient later(options.tcpPort);
            return !later.waitFor(QStringLiteral("hello")).isEmpty();
        }));
    }

    void p38_theNonceGrowsOld()
    {
        stream::ServerOptions options = withKey();
        options.limits.challengeMs = 30;
        ServedNode node(options);
        node.happen();
        RawClient client(options.tcpPort);
        (void)nonceOf(client);
        QCOMPARE(client.waitFor(QStringLiteral("bye"))[u"params"][u"why"].toString(), QStringLiteral("limit"));
    }

    void p33_noKeyInTheHostsNetworkIsNoPort()
    {
        stream::ServerOptions options = withKey();
        options.tcpKey.clear();
        {
            const ServedNode node(options);
            QCOMPARE(node.problems().size(), 1);
            QVERIFY2(node.problems().first().contains(QStringLiteral("--stream-key-file")),
                qPrintable(node.problems().first()));
            QVERIFY(!RawClient(options.tcpPort).isConnected());
        }
        options.inHostNetwork = false;
        const ServedNode node(options);
        RawClient client(options.tcpPort);
        QCOMPARE(client.hello()[u"auth"].toArray(), QJsonArray{ QStringLiteral("none") });
    }

    void p38_aNewKeyIsForThoseWhoCome()
    {
        ServedNode node(withKey());
        node.happen();
        const quint16 port = node.options().tcpPort;
        RawClient there(port);
        QVERIFY(there.authorise(key).contains(u"result"));
        RawClient halfWay(port); // has its nonce of the time of the old key
        QVERIFY(!nonceOf(halfWay).isEmpty());
        const QByteArray newKey = "a key of the next week";
        node.inThread([&](stream::Server &server) { server.setKey(newKey); });
        QVERIFY(there.call(QStringLiteral("ping")).contains(u"result"));
        QVERIFY(RawClient(port).authorise(newKey).contains(u"result"));
        QCOMPARE(RawClient(port).authorise(key)[u"error"][u"code"].toInt(), -32001);
    }

    void aPortWaitsForItsKey()
    {
        stream::ServerOptions options = withKey();
        options.tcpKey.clear();
        options.needsKey = true;
        ServedNode node(options);
        node.happen();
        QVERIFY(!RawClient(options.tcpPort).isConnected());
        QCOMPARE(node.problems(), QStringList()); // why there is none, is said by who reads it
        node.inThread([](stream::Server &server) { server.setKey(key); });
        QVERIFY(RawClient(options.tcpPort).authorise(key).contains(u"result"));
    }

    // A pod may have the one, the other, or both.
    void p33_onBothLoopbacks()
    {
        ServedNode node(withKey());
        node.happen();
        QVERIFY(RawClient("127.0.0.1", node.options().tcpPort).authorise(key).contains(u"result"));
        if (!QFile::exists(QStringLiteral("/proc/net/if_inet6")))
            QSKIP("this machine has no IPv6");
        QVERIFY(RawClient("::1", node.options().tcpPort).authorise(key).contains(u"result"));
        QCOMPARE(node.problems(), QStringList());
    }

    void aTakenPortIsSaid()
    {
        const ServedNode first(withKey());
        stream::ServerOptions options = first.options();
        options.socketPath.clear();
        const ServedNode second(options);
        QCOMPARE(second.problems().size(), 1);
        QVERIFY(second.problems().first().contains(QString::number(options.tcpPort)));
    }
};

QTEST_GUILESS_MAIN(TestChallenge)
#include "tst_challenge.moc"
