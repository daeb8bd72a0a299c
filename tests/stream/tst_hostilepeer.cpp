// SPDX-License-Identifier: Apache-2.0
// Clients that do not speak the language, or speak it to do harm: each is closed or answered, and nobody else notices.
#include "rawclient.h"
#include "servednode.h"

#include <QFile>
#include <QJsonDocument>
#include <QRandomGenerator>
#include <QTest>

#include <unistd.h>

using namespace firstwatch;
using namespace firstwatch::test;

namespace {

QByteArray nested(int depth)
{
    return R"({"jsonrpc":"2.0","id":7,"method":"ping","params":)" + QByteArray("{\"a\":").repeated(depth - 1) + "1"
        + QByteArray(depth - 1, '}') + "}\n";
}

QByteArray withMembers(int count)
{
    QJsonObject params;
    for (int i = 0; i < count; ++i)
        params.insert(QString::number(i), i);
    return requestOf(7, QStringLiteral("ping"), params);
}

// What a client that sends a line without an end may add to it.
#ifdef __SANITIZE_THREAD__
constexpr qint64 mostKb = 16384; // it takes notes of its own of each byte
#else
constexpr qint64 mostKb = 4096;
#endif

// Of this process, in KiB.
qint64 residentKb()
{
    QFile statm(QStringLiteral("/proc/self/statm"));
    return statm.open(QIODevice::ReadOnly)
        ? statm.readAll().split(' ').value(1).toLongLong() * ::sysconf(_SC_PAGESIZE) / 1024
        : 0;
}

} // namespace

class TestHostilePeer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void p36_otherLanguagesAreClosedAtTheFirstBytes_data()
    {
        QTest::addColumn<QByteArray>("opener");
        for (const char *verb : { "GET", "POST", "PUT", "HEAD", "OPTIONS", "CONNECT", "PRI" })
            QTest::newRow(verb) << QByteArray(verb) + " /reflected HTTP/1.1\r\nHost: reflected\r\n\r\n";
        QTest::newRow("TLS") << QByteArray("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03reflected", 20);
        QTest::newRow("SSH") << QByteArray("SSH-2.0-reflected\r\n");
        QTest::newRow("NUL") << QByteArray(64, '\0') + "reflected";
        QTest::newRow("an empty line") << QByteArray("\nreflected\n");
        QTest::newRow("one byte") << QByteArray("G");
    }
    void p36_otherLanguagesAreClosedAtTheFirstBytes()
    {
        QFETCH(const QByteArray, opener);
        ServedNode node;
        node.happen();
        RawClient client(node.path());
        client.send(opener);
        const QJsonObject bye = client.waitFor(QStringLiteral("bye"));
        QCOMPARE(bye[u"params"][u"why"].toString(), QStringLiteral("protocol"));
        QCOMPARE(client.passed().size(), 1); // the server's hello
        for (const QJsonObject &frame : client.passed() + QList<QJsonObject>{ bye })
            QVERIFY(!QJsonDocument(frame).toJson().contains("reflected"));
        QCOMPARE(client.waitForEnd(), RawClient::End::Regular);
    }

    void p35_aLineWithoutAnEnd_data()
    {
        QTest::addColumn<QByteArray>("start");
        QTest::newRow("an object") << QByteArray("{");
        QTest::newRow("a batch") << QByteArray("[1,");
    }
    void p35_aLineWithoutAnEnd()
    {
        QFETCH(const QByteArray, start);
        ServedNode node;
        node.happen();
        const qint64 before = residentKb();
        RawClient client(node.path());
        client.send(start);
        const QByteArray piece(1024LL * 1024, '1');
        qint64 sent = 0;
        while (sent < 1024 && client.send(piece))
            ++sent;
        QVERIFY2(sent <= 4, qPrintable(QString::number(sent))); // MiB: what is thrown away, and the kernel's buffers
        QVERIFY2(residentKb() - before < mostKb, qPrintable(QString::number(residentKb() - before)));
        RawClient other(node.path());
        QVERIFY(!other.hello().isEmpty());
    }

    void p35_aLongLineHasItsErrorAndARegularEnd()
    {
        ServedNode node;
        node.happen();
        RawClient client(node.path());
        (void)client.hello();
        client.send('{' + QByteArray(400LL * 1024, 'x')); // most of it is never read, and that must not be a reset
        const QJsonObject error = client.next().value_or(QJsonObject());
        QCOMPARE(error[u"error"][u"code"].toInt(), -32006);
        QVERIFY(error[u"id"].isNull());
        QCOMPARE(client.waitFor(QStringLiteral("bye"))[u"params"][u"why"].toString(), QStringLiteral("limit"));
        QCOMPARE(client.waitForEnd(), RawClient::End::Regular);
    }

    void p35_badLinesHaveTheirErrors_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<int>("code"); // 0: a result
        QTest::newRow("depth 32") << nested(31) << 0;
        QTest::newRow("depth 33") << nested(33) << -32600;
        QTest::newRow("64 members") << withMembers(64) << 0;
        QTest::newRow("65 members") << withMembers(65) << -32600;
        QTest::newRow("no JSON") << QByteArray("{nonsense}\n") << -32700;
        QTest::newRow("a batch") << QByteArray("[" + requestOf(7, QStringLiteral("ping")).trimmed() + "]\n") << -32600;
        QTest::newRow("a text") << QByteArray("\"text\"\n") << -32700;
        QTest::newRow("invalid UTF-8") << QByteArray("{\"\xff\":1}\n") << -32700;
        QTest::newRow("no such method") << requestOf(7, QStringLiteral("patch")) << -32601;
        QTest::newRow("no version") << QByteArray("{\"id\":7,\"method\":\"ping\"}\n") << -32600;
    }
    void p35_badLinesHaveTheirErrors()
    {
        QFETCH(const QByteArray, line);
        QFETCH(const int, code);
        ServedNode node;
        node.happen();
        RawClient client(node.path());
        (void)client.hello();
        client.send(line);
        const QJsonObject answer = client.next().value_or(QJsonObject());
        QCOMPARE(answer[u"error"][u"code"].toInt(), code);
        QVERIFY(!client.call(QStringLiteral("snapshot"))[u"result"].isUndefined()); // it goes on
    }

    void p35_badLinesBeforeHelloAreTheEnd()
    {
        ServedNode node;
        RawClient client(node.path());
        client.send("{nonsense}\n");
        QCOMPARE(client.waitFor(QStringLiteral("bye"))[u"params"][u"why"].toString(), QStringLiteral("protocol"));
        QCOMPARE(client.passed().last()[u"error"][u"code"].toInt(), -32700);
        QCOMPARE(client.waitForEnd(), RawClient::End::Regular);
    }

    void p35_requestsHaveARate()
    {
        stream::ServerOptions options;
        options.limits.requestBurst = 10;
        ServedNode node(options);
        node.happen();
        RawClient client(node.path());
        (void)client.hello();
        QByteArray many;
        for (int id = 100; id < 150; ++id)
            many += requestOf(id, QStringLiteral("ping"));
        QElapsedTimer time;
        time.start();
        client.send(many);
        int refused = 0;
        for (int id = 100; id < 150; ++id) {
            const QJsonObject error = client.waitForAnswer(id)[u"error"].toObject();
            if (error.isEmpty())
                continue;
            ++refused;
            QCOMPARE(error[u"code"].toInt(), -32005);
            QVERIFY(error[u"data"][u"retry_ms"].toInt() > 0);
        }
        QVERIFY2(refused > 10 && refused < 40, qPrintable(QString::number(refused)));
        QVERIFY(time.elapsed() >= refused * 15LL); // after each the client is let rest
    }

    // Whatever is asked: the node is what it was, and every method that answers only reads.
    void p3C_noRequestChangesAnything()
    {
        stream::ServerOptions options;
        options.limits.requestBurst = 1e9;
        ServedNode node(options);
        node.happen(10);
        const QStringList known{ QStringLiteral("snapshot"), QStringLiteral("events"), QStringLiteral("config"),
            QStringLiteral("counters"), QStringLiteral("ping"), QStringLiteral("subscribe"),
            QStringLiteral("unsubscribe"), QStringLiteral("hello"), QStringLiteral("diff") };
        const QStringList guessed{ QStringLiteral("patch"), QStringLiteral("set"), QStringLiteral("stop"),
            QStringLiteral("cleanup"), QStringLiteral("reload"), QStringLiteral("exec"), QStringLiteral("write"),
            QStringLiteral("undo"), QStringLiteral("event"), QStringLiteral("Snapshot"), QStringLiteral("bye") };
        const auto view = [&] {
            RawClient observer(node.path()); // anew each time: one that is silent all the while is sent away
            (void)observer.hello();
            return observer.call(QStringLiteral("snapshot"))[u"result"][u"view"].toObject();
        };
        const QJsonObject before = view();
        QVERIFY(!before.isEmpty());
        RawClient client(node.path());
        (void)client.hello();
        QRandomGenerator random(17);
        const bool isLong = qEnvironmentVariableIntValue("FIRSTWATCH_LONG") != 0;
        for (int i = 1; i <= (isLong ? 1000000 : 3000); ++i) {
            const bool isKnown = random.bounded(2) == 0;
            const QStringList &names = isKnown ? known : guessed;
            QJsonObject params;
            for (const char16_t *name :
                { u"since", u"from", u"to", u"limit", u"major", u"boot", u"file", u"seq", u"offset" }) {
                if (random.bounded(2) == 0)
                    params.insert(QStringView(name).toString(), random.bounded(-2, 12));
            }
            const int id = 1000 + i;
            client.send(requestOf(id, names.at(random.bounded(int(names.size()))), params));
            const QJsonObject answer = client.waitForAnswer(id);
            QVERIFY(answer.contains(u"result") || answer.contains(u"error"));
            if (!isKnown)
                QCOMPARE(answer[u"error"][u"code"].toInt(), -32601);
        }
        QCOMPARE(view(), before);
    }
};

QTEST_GUILESS_MAIN(TestHostilePeer)
#include "tst_hostilepeer.moc"
