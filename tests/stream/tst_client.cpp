// SPDX-License-Identifier: Apache-2.0
#include "stream/client.h"

#include "fakenode.h"

#include <QJsonArray>
#include <QSignalSpy>
#include <QTest>

#include <csignal>

using namespace firstwatch;
using namespace firstwatch::stream;
using namespace firstwatch::test;
using Link = Client::Link;

namespace {

Client::Options quick()
{
    Client::Options options;
    options.name = QStringLiteral("test");
    options.firstRetryMs = 4;
    options.longestRetryMs = 8;
    return options;
}

// A client and what it told: the numbers of its events, and its gaps as from…to.
struct Follower {
    explicit Follower(const Endpoint &endpoint, const Client::Options &options = quick())
        : client(endpoint, options)
        , done(&client, &Client::done)
        , links(&client, &Client::linkChanged)
    {
        QObject::connect(&client, &Client::happened, &client,
            [this](const journal::Event &event, const QByteArray &) { told += ' ' + QByteArray::number(event.seq); });
        QObject::connect(&client, &Client::gap, &client, [this](quint64 from, quint64 to, const QString &why) {
            told += " gap:" + QByteArray::number(from) + '-' + QByteArray::number(to) + ':' + why.toUtf8();
        });
        QObject::connect(&client, &Client::snapshot, &client,
            [this](const journal::NodeView &view) { told += " view:" + QByteArray::number(view.seq); });
        client.start();
    }
    Client client;
    QSignalSpy done;
    QSignalSpy links;
    QByteArray told;
};

} // namespace

class tst_Client : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void viewThenEvents()
    {
        FakeNode node;
        node.addEvents(1, 3);
        const Follower follower(node.endpoint());
        QTRY_COMPARE(follower.told, " view:3 1 2 3");
        node.sayEvent(4);
        QTRY_COMPARE(follower.told, " view:3 1 2 3 4");
        QCOMPARE(follower.client.link(), Link::Live);
        QCOMPARE(follower.client.server().node, QStringLiteral("node-17"));
        QCOMPARE(follower.client.view().seq, 4U);
        QCOMPARE(follower.client.view().counters.passes, 4); // each counted once, in the view or after it
    }

    void p3b_resumesWhereItWas()
    {
        FakeNode node;
        node.addEvents(1, 2);
        const Follower follower(node.endpoint());
        QByteArray expected = " view:2 1 2";
        for (quint64 seq = 3; seq < 23; ++seq) {
            QTRY_COMPARE(follower.told, expected);
            node.hangUp();
            node.addEvents(seq, seq); // while nobody is connected
            expected += ' ' + QByteArray::number(seq);
        }
        QTRY_COMPARE(follower.told, expected);
        QCOMPARE(node.requests(QStringLiteral("snapshot")).size(), 1);
        QCOMPARE(node.requests(QStringLiteral("subscribe")).last().params[QLatin1String("since")].toInteger(), 21);
        QCOMPARE(follower.client.view().counters.passes, 22);
    }

    void p3b_whatItHadIsNotToldTwice()
    {
        FakeNode node;
        node.addEvents(1, 3);
        const Follower follower(node.endpoint());
        QTRY_COMPARE(follower.told, " view:3 1 2 3");
        node.sayEvent(2);
        node.sayEvent(3);
        node.sayEvent(4);
        QTRY_COMPARE(follower.told, " view:3 1 2 3 4");
        QCOMPARE(follower.client.view().counters.passes, 4);
    }

    void p3b_findsAGapItself()
    {
        FakeNode node;
        node.addEvents(1, 2);
        const Follower follower(node.endpoint());
        QTRY_COMPARE(follower.told, " view:2 1 2");
        node.addEvents(3, 5);
        node.sayEvent(5);
        QTRY_COMPARE(follower.told, " view:2 1 2 gap:3-4:lost 5 view:5");
        QCOMPARE(follower.client.view().counters.passes, 5); // what was lost is in the node's own view
    }

    // The link breaks between the gap and the new view.
    void p3b_aHoleIsNotForgotten()
    {
        FakeNode node;
        node.addEvents(1, 2);
        const Follower follower(node.endpoint());
        QTRY_COMPARE(follower.told, " view:2 1 2");
        node.answersRequests = false;
        node.addEvents(3, 6);
        node.sayEvent(5);
        node.sayEvent(6);
        QTRY_COMPARE(follower.told, " view:2 1 2 gap:3-4:lost 5 6");
        node.answersRequests = true;
        node.hangUp();
        QTRY_COMPARE(follower.told, " view:2 1 2 gap:3-4:lost 5 6 view:6");
        QCOMPARE(follower.client.view().counters.passes, 6);
    }

    void p3b_takesAGapThatIsSaid()
    {
        FakeNode node;
        node.addEvents(1, 2);
        const Follower follower(node.endpoint());
        QTRY_COMPARE(follower.told, " view:2 1 2");
        node.addEvents(3, 9);
        node.say(notificationLine(QStringLiteral("gap"),
            { { QStringLiteral("from"), 3 }, { QStringLiteral("to"), 8 },
                { QStringLiteral("why"), QStringLiteral("evicted") } }));
        node.sayEvent(9);
        QTRY_COMPARE(follower.told, " view:2 1 2 gap:3-8:evicted 9 view:9");
    }

    void p3b_anotherBootBeginsAnew()
    {
        FakeNode node;
        node.addEvents(1, 3);
        const Follower follower(node.endpoint());
        QTRY_COMPARE(follower.told, " view:3 1 2 3");
        node.boot = "bbbbbbbbbbbbbbbb";
        node.events.clear();
        node.addEvents(1, 2);
        node.hangUp();
        QTRY_COMPARE(follower.told, " view:3 1 2 3 view:2 1 2");
        QCOMPARE(follower.client.view().boot, node.boot);
        QCOMPARE(follower.client.view().counters.passes, 2);
    }

    // A ping says how far the node is. One promise that is not kept until the next means that events were lost.
    void p3b_silenceIsNotTrusted()
    {
        FakeNode node;
        node.addEvents(1, 2);
        const Follower follower(node.endpoint());
        QTRY_COMPARE(follower.told, " view:2 1 2");
        const auto ping = [&node](qint64 seq) {
            node.say(notificationLine(QStringLiteral("ping"), { { QStringLiteral("seq"), seq } }));
        };
        ping(2);
        ping(2);
        QTRY_COMPARE(node.notifications(QStringLiteral("pong")).size(), 2);
        QCOMPARE(node.connections(), 1);
        node.addEvents(3, 3); // kept from it
        ping(3);
        QTRY_COMPARE(node.notifications(QStringLiteral("pong")).size(), 3);
        QCOMPARE(node.connections(), 1);
        ping(3);
        QTRY_COMPARE(follower.told, " view:2 1 2 3");
        QCOMPARE(node.connections(), 2);
    }

    void anotherMajorIsRefused_data()
    {
        QTest::addColumn<int>("major");
        QTest::addColumn<QString>("older");
        QTest::newRow("newer node") << 2 << QStringLiteral("program");
        QTest::newRow("older node") << 0 << QStringLiteral("service");
    }
    void anotherMajorIsRefused()
    {
        QFETCH(const int, major);
        QFETCH(const QString, older);
        FakeNode node;
        node.hello = { { QStringLiteral("major"), major } };
        const Follower follower(node.endpoint());
        QTRY_COMPARE(follower.client.link(), Link::Refused);
        QCOMPARE(follower.client.trouble(),
            QStringLiteral("the node's service (0.1.0) speaks protocol %1, this program 1; update the %2")
                .arg(major)
                .arg(older));
        QCOMPARE(follower.client.retryInMs(), -1);
    }

    void p38_keyIsAskedForAndProven_data()
    {
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<QByteArray>("serverKey");
        QTest::addColumn<QString>("trouble");
        QTest::newRow("right") << QByteArray("key") << QByteArray("key") << QString();
        QTest::newRow("no key") << QByteArray() << QByteArray("key")
                                << QStringLiteral("the node asks for its key; give the file that holds it");
        QTest::newRow("a pod that poses as the node")
            << QByteArray("key") << QByteArray("other")
            << QStringLiteral("what answers there does not know the node's key, so it is not the node");
    }
    void p38_keyIsAskedForAndProven()
    {
        QFETCH(const QByteArray, key);
        QFETCH(const QByteArray, serverKey);
        QFETCH(const QString, trouble);
        FakeNode node;
        node.hello = { { QStringLiteral("auth"), QJsonArray{ QStringLiteral("hmac-sha256") } },
            { QStringLiteral("nonce"), QStringLiteral("0123") } };
        node.answersRequests = false;
        Client::Options options = quick();
        options.key = key;
        const Follower follower(node.endpoint(), options);
        QTRY_VERIFY(follower.client.link() == Link::Refused || !node.requests(QStringLiteral("hello")).isEmpty());
        if (!key.isEmpty()) {
            const Request hello = node.requests(QStringLiteral("hello")).first();
            const QByteArray cnonce = hello.params[QLatin1String("cnonce")].toString().toUtf8();
            QCOMPARE(hello.params[QLatin1String("mac")].toString().toUtf8(),
                challengeCode(key, "0123", cnonce, node.boot, "node-17"));
            node.answersRequests = true;
            node.say(resultLine(hello.id,
                { { QStringLiteral("smac"),
                    QString::fromLatin1(challengeCode(serverKey, cnonce, "0123", node.boot, "node-17")) } }));
        }
        QTRY_COMPARE(follower.client.link(), trouble.isEmpty() ? Link::Live : Link::Refused);
        QCOMPARE(follower.client.trouble(), trouble);
    }

    void p52_whateverAnswersCostsTheLinkOnly_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("HTTP") << QByteArray("HTTP/1.1 400 Bad Request\r\n\r\n");
        QTest::newRow("TLS") << QByteArray("\x16\x03\x01\x00\n", 5);
        QTest::newRow("endless line") << QByteArray(2 * longestFrame, 'x');
        QTest::newRow("endless line of brackets") << QByteArray(longestFrame - 1, '[') + '\n';
        QTest::newRow("zeros") << QByteArray(1000, '\0') + '\n';
        QTest::newRow("a request") << requestLine(1, QStringLiteral("hello"), {});
        QTest::newRow("goodbye") << notificationLine(
            QStringLiteral("bye"), { { QStringLiteral("why"), QStringLiteral("x\033[2J") } });
        QTest::newRow("an event before hello") << eventLine(journal::toLine(someEvent(1)));
        QTest::newRow("a hello twice") << notificationLine(QStringLiteral("hello"),
            { { QStringLiteral("proto"), QStringLiteral("firstwatch") },
                { QStringLiteral("major"),
                    1 } }).repeated(2);
    }
    void p52_whateverAnswersCostsTheLinkOnly()
    {
        QFETCH(const QByteArray, bytes);
        FakeNode node;
        node.isSilent = true;
        const Follower follower(node.endpoint());
        QTRY_COMPARE(node.connections(), 1);
        node.say(bytes);
        QTRY_VERIFY(node.connections() > 1); // lost, and tried again
        QVERIFY(!follower.links.isEmpty());
        QVERIFY(!follower.client.trouble().contains(QChar(u'\033')));
        QCOMPARE(follower.told, "");
    }

    void p52_anotherServiceIsRefused()
    {
        FakeNode node;
        node.hello = { { QStringLiteral("proto"), QStringLiteral("other") } };
        const Follower follower(node.endpoint());
        QTRY_COMPARE(follower.client.link(), Link::Refused);
        QCOMPARE(follower.client.trouble(), QStringLiteral("what answers there is no Firstwatch service"));
    }

    void anotherNodeIsNotTaken()
    {
        FakeNode node;
        Client::Options options = quick();
        options.node = QStringLiteral("node-18");
        const Follower follower(node.endpoint(), options);
        QTRY_COMPARE(follower.client.trouble(), QStringLiteral("node-17 answered, not node-18"));
        QTRY_VERIFY(node.connections() > 1); // it may be another one next time
        QCOMPARE(follower.told, "");
    }

    void p52_questionsWithoutAnswerAreBounded()
    {
        FakeNode node;
        const Follower follower(node.endpoint());
        QTRY_COMPARE(follower.client.link(), Link::Live);
        node.answersRequests = false;
        for (quint64 seq = 2; seq < 400; seq += 2) // a gap each, and each has the client ask
            node.sayEvent(seq);
        QTRY_VERIFY(node.connections() > 1);
        QVERIFY(node.requests(QStringLiteral("snapshot")).size() < 100);
    }

    void p39_silentLinkIsLostAndWhatWasKnownKept()
    {
        FakeNode node;
        node.addEvents(1, 3);
        Client::Options options = quick();
        options.silenceMs = 50;
        const Follower follower(node.endpoint(), options);
        QTRY_COMPARE(follower.told, " view:3 1 2 3");
        node.isSilent = true;
        QTRY_COMPARE(follower.client.link(), Link::Lost);
        QVERIFY(follower.client.trouble().startsWith(QStringLiteral("no word from the node")));
        QCOMPARE(follower.client.view().seq, 3U);
        QTRY_VERIFY(node.connections() > 3); // each try is silent in turn
        node.isSilent = false;
        QTRY_COMPARE(follower.client.link(), Link::Live);
    }

    void lastWordsAreUsed()
    {
        FakeNode node;
        node.addEvents(1, 1);
        const Follower follower(node.endpoint());
        QTRY_COMPARE(follower.told, " view:1 1");
        node.sayEvent(2);
        node.hangUp(); // at once
        QTRY_COMPARE(follower.told, " view:1 1 2");
    }

    void withoutFollowItEndsByItself()
    {
        FakeNode node;
        node.addEvents(1, 3);
        Client::Options options = quick();
        options.follow = false;
        Follower follower(node.endpoint(), options);
        QVERIFY(follower.done.wait());
        QCOMPARE(follower.told, " view:3 1 2 3");
        QCOMPARE(follower.client.link(), Link::Live);
        node.hangUp();
        QTRY_COMPARE(follower.client.link(), Link::Lost);
        QCOMPARE(follower.done.size(), 1);
    }

    void sinceLeavesOutWhatWasBefore()
    {
        FakeNode node;
        node.addEvents(1, 3);
        Client::Options options = quick();
        options.follow = false;
        options.since = 2;
        Follower follower(node.endpoint(), options);
        QVERIFY(follower.done.wait());
        QCOMPARE(follower.told, " view:3 3");
    }

    void unreachableIsSaidInWords_data()
    {
        QTest::addColumn<QByteArray>("kind");
        QTest::addColumn<QString>("trouble");
        QTest::newRow("no socket") << QByteArray("local") << QStringLiteral("nothing is there");
        QTest::newRow("no listener") << QByteArray("tcp") << QStringLiteral("Connection refused");
        QTest::newRow("no program") << QByteArray("missing") << QStringLiteral("No such file or directory");
        QTest::newRow("a program that fails") << QByteArray("fails") << QStringLiteral("the last line");
    }
    void unreachableIsSaidInWords()
    {
        QFETCH(const QByteArray, kind);
        QFETCH(const QString, trouble);
        Endpoint endpoint{ Endpoint::Kind::Local, QStringLiteral("/nonexistent/s"), {}, 0, {} };
        if (kind == "tcp")
            endpoint = { Endpoint::Kind::Tcp, {}, QStringLiteral("127.0.0.1"), 1, {} };
        else if (kind == "missing")
            endpoint = { Endpoint::Kind::Command, {}, {}, 0, { QStringLiteral("/nonexistent/kubectl") } };
        else if (kind == "fails")
            endpoint = { Endpoint::Kind::Command, {}, {}, 0,
                { QStringLiteral("sh"), QStringLiteral("-c"),
                    QStringLiteral("echo first >&2; echo the last line >&2; exit 3") } };
        Client::Options options = quick();
        options.follow = false;
        Follower follower(endpoint, options);
        QVERIFY(!follower.done.isEmpty() || follower.done.wait());
        QCOMPARE(follower.client.link(), Link::Lost);
        QVERIFY2(follower.client.trouble().contains(trouble), qPrintable(follower.client.trouble()));
        QCOMPARE(follower.client.retryInMs(), -1);
    }

    void questionsAreAnsweredOrTheLinkIs()
    {
        FakeNode node;
        Follower follower(node.endpoint());
        QList<ErrorCode> answers;
        const auto keep = [&answers](
                              const Response &response) { answers.append(response.error.value_or(ErrorCode(0))); };
        follower.client.call(QStringLiteral("x"), {}, keep);
        QCOMPARE(answers, QList<ErrorCode>{ ErrorCode::NotReady });
        QTRY_COMPARE(follower.client.link(), Link::Live);
        follower.client.call(QStringLiteral("x"), {}, keep);
        QTRY_COMPARE(answers.size(), 2);
        QCOMPARE(answers.last(), ErrorCode::MethodNotFound);
        node.answersRequests = false;
        follower.client.call(QStringLiteral("x"), {}, keep);
        node.hangUp();
        QTRY_COMPARE(answers.size(), 3);
        QCOMPARE(answers.last(), ErrorCode::NotReady);
    }

    void aCommandEndsWithItsClient()
    {
        const QTemporaryDir directory;
        const QString file = directory.filePath(QStringLiteral("pid"));
        auto client = std::make_unique<Client>(Endpoint{ Endpoint::Kind::Command, {}, {}, 0,
                                                   { QStringLiteral("sh"), QStringLiteral("-c"),
                                                       QStringLiteral("echo $$ > '%1'; exec sleep 1000").arg(file) } },
            quick());
        client->start();
        int pid = 0;
        QTRY_VERIFY([&] {
            QFile written(file);
            pid = written.open(QIODevice::ReadOnly) ? written.readAll().trimmed().toInt() : 0;
            return pid > 0;
        }());
        client.reset();
        QCOMPARE(::kill(pid, 0), -1);
    }

    void tcpEndpointIsParsed_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("host");
        QTest::addColumn<int>("port");
        const auto row = [](const char *text, const char *host, int port) {
            QTest::newRow(text) << QString::fromLatin1(text) << QString::fromLatin1(host) << port;
        };
        row("127.0.0.1:9911", "127.0.0.1", 9911);
        row("localhost:1", "localhost", 1);
        row("[::1]:9911", "::1", 9911);
        for (const char *wrong : { "", ":", ":9911", "host", "host:", "host:0", "host:65536", "host:-1", "host:x",
                 "::1:9911", "[::1]", "[]:1", "[host]:1" })
            row(wrong, "", 0);
    }
    void tcpEndpointIsParsed()
    {
        QFETCH(const QString, text);
        QFETCH(const QString, host);
        QFETCH(const int, port);
        const std::optional<Endpoint> endpoint = tcpEndpoint(text);
        QCOMPARE(endpoint.has_value(), port > 0);
        if (endpoint) {
            QCOMPARE(endpoint->host, host);
            QCOMPARE(int(endpoint->port), port);
            QCOMPARE(endpoint->shown(), text);
        }
    }
};

QTEST_GUILESS_MAIN(tst_Client)
#include "tst_client.moc"
