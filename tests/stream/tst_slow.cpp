// SPDX-License-Identifier: Apache-2.0
// Clients that do not read, or fall silent: they cost little, are told what they missed, and are closed in the end.
#include "rawclient.h"
#include "servednode.h"

#include "journal/ring.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTest>

#include <malloc.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

using namespace firstwatch;
using namespace firstwatch::test;

namespace {

qint64 heapBytes()
{
    const struct mallinfo2 info = ::mallinfo2(); // of all threads
    return qint64(info.uordblks) + qint64(info.hblkhd);
}

QJsonObject countersOf(RawClient &client)
{
    return client.call(QStringLiteral("counters"))[u"result"][u"server"].toObject();
}

} // namespace

class TestSlow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Plain Qt grew by 67 MB for 64 MiB that one client did not read.
    void p34_notReadingCostsLittleAndNobodyElse()
    {
        ServedNode node;
        node.happen(int(journal::Ring::maxLines), 900); // the ring is full: what comes replaces what goes
        RawClient slow(node.path());
        (void)slow.hello();
        (void)slow.call(QStringLiteral("subscribe"), { { QStringLiteral("since"), 0 } });
        RawClient good(node.path());
        (void)good.hello();
        const qint64 before = heapBytes();
        const quint64 from = node.happen();
        good.send(requestOf(50, QStringLiteral("subscribe"), { { QStringLiteral("since"), qint64(from) } }));
        (void)good.waitForAnswer(50);
        qint64 worstUs = 0;
        for (int i = 0; i < 300; ++i) {
            const quint64 last = node.happen(100, 900);
            QElapsedTimer time;
            time.start();
            quint64 seen = 0;
            while (seen != last) {
                seen = quint64(good.waitFor(QStringLiteral("event"))[u"params"][u"seq"].toInteger());
                QVERIFY(seen != 0); // else it was closed
            }
            worstUs = std::max(worstUs, time.nsecsElapsed() / 1000);
        }
        QVERIFY2(heapBytes() - before < 2LL * 1024 * 1024, qPrintable(QString::number(heapBytes() - before)));
        QVERIFY2(worstUs < 500'000, qPrintable(QString::number(worstUs)));

        // It comes back: in order, with one gap, up to the present.
        qint64 next = 1;
        int gaps = 0;
        while (next <= qint64(from) + 30'000) {
            const QJsonObject frame = slow.next().value_or(QJsonObject());
            const QJsonObject params = frame[u"params"].toObject();
            const QString method = frame[u"method"].toString();
            if (method == u"gap") {
                ++gaps;
                QCOMPARE(params[u"from"].toInteger(), next);
                QCOMPARE(params[u"why"].toString(), QStringLiteral("slow_consumer"));
                next = params[u"to"].toInteger() + 1;
            } else if (method == u"event") {
                QCOMPARE(params[u"seq"].toInteger(), next);
                ++next;
            } else {
                QFAIL("the stream ended");
            }
        }
        QCOMPARE(gaps, 1);
        const QJsonObject counters = countersOf(good);
        QCOMPARE(counters[u"gaps"].toInt(), 1);
        QVERIFY(counters[u"dropped"].toInt() > 20'000);
    }

    void p34_askingWithoutReadingIsNotAnswered()
    {
        stream::ServerOptions options;
        options.limits.requestsPerSecond = 1e6;
        options.limits.requestBurst = 1e6;
        ServedNode node(options);
        node.happen(300, 900);
        RawClient client(node.path());
        (void)client.hello();
        const QByteArray request = requestOf(7, QStringLiteral("events")); // each answer has 250 kB
        const QByteArray many = request.repeated(4 * 1024 * 1024 / int(request.size()));
        const qint64 before = heapBytes();
        std::thread asking([&] { client.send(many); });
        RawClient other(node.path());
        (void)other.hello();
        for (int i = 0; i < 50; ++i)
            (void)other.call(QStringLiteral("ping"));
        const qint64 grown = heapBytes() - before;
        ::shutdown(client.fd(), SHUT_RDWR);
        asking.join();
        QVERIFY2(grown < 2LL * 1024 * 1024, qPrintable(QString::number(grown)));
    }

    void p34_stalledIsClosed()
    {
        stream::ServerOptions options;
        options.limits.stallMs = 50;
        ServedNode node(options);
        node.happen(int(journal::Ring::maxLines), 900);
        RawClient slow(node.path());
        (void)slow.hello();
        (void)slow.call(QStringLiteral("subscribe"), { { QStringLiteral("since"), 0 } });
        RawClient good(node.path());
        (void)good.hello();
        QTRY_COMPARE(countersOf(good)[u"stalled"].toInt(), 1);
        QTRY_COMPARE(countersOf(good)[u"clients"].toInt(), 1);
        QCOMPARE(slow.waitForEnd(), RawClient::End::Regular); // what was on its way, then a regular end
    }

    void p39_silenceIsFound()
    {
        stream::ServerOptions options;
        options.limits.pingMs = 30;
        ServedNode node(options);
        const quint64 last = node.happen(3);
        RawClient silent(node.path());
        (void)silent.hello();
        QElapsedTimer time;
        time.start();
        const QJsonObject bye = silent.waitFor(QStringLiteral("bye"));
        QCOMPARE(bye[u"params"][u"why"].toString(), QStringLiteral("limit"));
        QCOMPARE(silent.passed().size(), 2); // two pings, and no third
        QCOMPARE(silent.passed().first()[u"method"].toString(), QStringLiteral("ping"));
        QCOMPARE(silent.passed().first()[u"params"][u"seq"].toInteger(), qint64(last));
        QVERIFY(time.elapsed() >= 60);
        QCOMPARE(silent.waitForEnd(), RawClient::End::Regular);
    }

    void p39_aWordKeepsItOpen()
    {
        stream::ServerOptions options;
        options.limits.pingMs = 30;
        ServedNode node(options);
        node.happen(3);
        RawClient client(node.path());
        (void)client.hello();
        for (int i = 0; i < 6; ++i) {
            const QJsonObject ping = client.waitFor(QStringLiteral("ping"));
            QVERIFY(!ping.isEmpty());
            client.send(R"({"jsonrpc":"2.0","method":"pong","params":{"seq":3}})"
                        "\n");
        }
        QVERIFY(client.call(QStringLiteral("snapshot")).contains(u"result"));
    }

    void p37_noHelloInTime_data()
    {
        QTest::addColumn<QByteArray>("said");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("a byte now and then") << QByteArray("{");
        QTest::newRow("something else") << requestOf(1, QStringLiteral("ping"));
    }
    void p37_noHelloInTime()
    {
        QFETCH(const QByteArray, said);
        stream::ServerOptions options;
        options.limits.helloMs = 50;
        ServedNode node(options);
        node.happen();
        RawClient client(node.path());
        client.send(said);
        QCOMPARE(client.waitFor(QStringLiteral("bye"))[u"params"][u"why"].toString(), QStringLiteral("limit"));
        QCOMPARE(client.waitForEnd(), RawClient::End::Regular);
    }
};

QTEST_GUILESS_MAIN(TestSlow)
#include "tst_slow.moc"
