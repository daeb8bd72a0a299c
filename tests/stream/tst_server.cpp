// SPDX-License-Identifier: Apache-2.0
// What a client gets when both sides behave: the greeting, the reads, the events, and where it goes on after a break.
#include "rawclient.h"
#include "servednode.h"

#include "journal/nodeview.h"
#include "journal/ring.h"
#include "stream/snapshot.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QSet>
#include <QTest>

#include <memory>
#include <numeric>
#include <thread>
#include <vector>

using namespace firstwatch;
using namespace firstwatch::test;

namespace {

QList<qint64> range(qint64 from, qint64 to)
{
    QList<qint64> all(to - from + 1);
    std::iota(all.begin(), all.end(), from);
    return all;
}

QJsonObject since(quint64 seq)
{
    return { { QStringLiteral("since"), qint64(seq) } };
}

QSet<QString> fileNames(const QJsonArray &files)
{
    QSet<QString> names;
    for (const QJsonValue file : files)
        names.insert(file[QLatin1String("file")].toString());
    return names;
}

} // namespace

class TestServer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void greetsFirst()
    {
        ServedNode node;
        node.happen();
        RawClient client(node.path());
        const QJsonObject hello = client.hello();
        QCOMPARE(hello[u"proto"].toString(), QStringLiteral("firstwatch"));
        QCOMPARE(hello[u"major"].toInt(), 1);
        QCOMPARE(hello[u"node"].toString(), QStringLiteral("node-17"));
        QCOMPARE(hello[u"daemon"].toString(), QStringLiteral("0.1.0"));
        QCOMPARE(hello[u"boot"].toString(), QString::fromLatin1(node.boot()));
        QCOMPARE(hello[u"auth"].toArray(), QJsonArray{ QStringLiteral("peercred") });
        QVERIFY(!hello.contains(u"nonce"));
    }

    void refusesAnotherMajorAndSaysWhichIsOlder_data()
    {
        QTest::addColumn<int>("major");
        QTest::addColumn<QString>("said");
        QTest::newRow("older client") << 0 << QStringLiteral("update the client");
        QTest::newRow("newer client") << 2 << QStringLiteral("update the node");
    }
    void refusesAnotherMajorAndSaysWhichIsOlder()
    {
        QFETCH(const int, major);
        QFETCH(const QString, said);
        const ServedNode node;
        RawClient client(node.path());
        const QJsonObject error =
            client.call(QStringLiteral("hello"), { { QStringLiteral("major"), major } })[u"error"].toObject();
        QCOMPARE(error[u"code"].toInt(), -32012);
        QVERIFY2(error[u"message"].toString().contains(said), qPrintable(error[u"message"].toString()));
        QCOMPARE(error[u"data"][u"server"].toInt(), 1);
        QCOMPARE(error[u"data"][u"client"].toInt(), major);
        QCOMPARE(client.waitForEnd(), RawClient::End::Regular);
    }

    void helloComesFirstAndOnce()
    {
        ServedNode node;
        node.happen();
        RawClient client(node.path());
        QCOMPARE(client.call(QStringLiteral("snapshot"))[u"error"][u"code"].toInt(), -32001);
        QVERIFY(!client.call(QStringLiteral("hello"), { { QStringLiteral("major"), 1 } })[u"result"].isUndefined());
        QCOMPARE(client.call(QStringLiteral("hello"), { { QStringLiteral("major"), 1 } })[u"error"][u"code"].toInt(),
            -32600);
        QVERIFY(client.call(QStringLiteral("snapshot")).contains(u"result"));
    }

    void nothingToTellYet()
    {
        const ServedNode node;
        RawClient client(node.path());
        (void)client.hello();
        QCOMPARE(client.call(QStringLiteral("snapshot"))[u"error"][u"code"].toInt(), -32002);
        QCOMPARE(client.call(QStringLiteral("subscribe"))[u"error"][u"code"].toInt(), -32002);
    }

    void snapshotIsTheFoldOfAllEvents()
    {
        ServedNode node;
        const quint64 last = node.happen(5);
        RawClient client(node.path());
        (void)client.hello();
        const QJsonObject result = client.call(QStringLiteral("snapshot"))[u"result"].toObject();
        QCOMPARE(result[u"seq"].toInteger(), qint64(last));
        QCOMPARE(result[u"boot"].toString(), QString::fromLatin1(node.boot()));
        QCOMPARE(result[u"ring"].toObject(),
            (QJsonObject{
                { QStringLiteral("first"), 1 }, { QStringLiteral("pinned"), 5 }, { QStringLiteral("last"), 5 } }));
        QCOMPARE(journal::NodeView::fromJson(result[u"view"].toObject()).seq, last);
        QVERIFY(result[u"now_ns"].toInteger() >= result[u"t_ns"].toInteger());
        QVERIFY(!result[u"state"].toString().isEmpty());
    }

    void p35_aSnapshotFitsIntoAFrame()
    {
        ServedNode node;
        for (int i = 0; i < 4000; ++i)
            node.record(journal::Kind::FileState,
                { { QStringLiteral("file"), QStringLiteral("%1-a-file.conflist").arg(i) },
                    { QStringLiteral("state"), QStringLiteral("patched") } });
        RawClient client(node.path());
        (void)client.hello();
        const qint64 before = client.bytes();
        const QJsonObject result = client.call(QStringLiteral("snapshot"))[u"result"].toObject();
        QVERIFY(client.bytes() - before <= 256LL * 1024);
        QVERIFY(result[u"truncated"].toBool());
        const auto view = journal::NodeView::fromJson(result[u"view"].toObject());
        QCOMPARE(view.seq, 4000);
        QVERIFY(view.state.files().size() >= 1000 && view.state.files().size() < 4000);
    }

    // All of them are one moment, whatever happens while they are told.
    void p35_theRestOfASnapshotComesInParts()
    {
        ServedNode node;
        const quint64 last = node.fill(4000);
        RawClient client(node.path());
        (void)client.hello();
        QJsonObject result = client.call(QStringLiteral("snapshot"))[u"result"].toObject();
        QSet<QString> names = fileNames(result[u"view"][u"state"][u"files"].toArray());
        (void)node.fill(1, QStringLiteral("new"));
        int parts = 1;
        for (; result[u"next"].isObject() && parts < 50; ++parts) {
            QJsonObject params = result[u"next"].toObject();
            params.insert(QStringLiteral("seq"), qint64(last));
            const qint64 before = client.bytes();
            result = client.call(QStringLiteral("snapshot"), params)[u"result"].toObject();
            QVERIFY(client.bytes() - before <= 256LL * 1024);
            QCOMPARE(result[u"seq"].toInteger(), qint64(last));
            QVERIFY(!result.contains(u"truncated"));
            names += fileNames(result[u"files"].toArray());
        }
        QVERIFY(parts > 1 && parts < 50);
        QCOMPARE(names.size(), 4000);
        QVERIFY(!names.contains(QStringLiteral("new-0.conflist")));
    }

    void whatIsAskedOfASnapshotIsLookedAt_data()
    {
        QTest::addColumn<QByteArray>("params");
        QTest::addColumn<int>("code");
        QTest::newRow("another moment") << QByteArray(R"({"seq":7})") << int(stream::ErrorCode::NotKept);
        QTest::newRow("another run") << QByteArray(R"({"seq":4000,"boot":"x"})") << int(stream::ErrorCode::BootChanged);
        QTest::newRow("beyond the end") << QByteArray(R"({"seq":4000,"files":4001})")
                                        << int(stream::ErrorCode::InvalidParams);
        QTest::newRow("before the beginning")
            << QByteArray(R"({"seq":4000,"findings":-1})") << int(stream::ErrorCode::InvalidParams);
        QTest::newRow("a text") << QByteArray(R"({"seq":4000,"files":"all"})") << int(stream::ErrorCode::InvalidParams);
    }
    void whatIsAskedOfASnapshotIsLookedAt()
    {
        QFETCH(const QByteArray, params);
        ServedNode node;
        (void)node.fill(4000);
        RawClient client(node.path());
        (void)client.hello();
        (void)client.call(QStringLiteral("snapshot"));
        const QJsonObject asked = QJsonDocument::fromJson(params).object();
        QTEST(client.call(QStringLiteral("snapshot"), asked)[u"error"][u"code"].toInt(), "code");
        QVERIFY(client
                    .call(QStringLiteral("snapshot"),
                        { { QStringLiteral("seq"), 4000 }, { QStringLiteral("files"), 4000 } })[u"result"]
                    .isObject()); // and goes on
    }

    // Of thousands of files a few MiB each, so not one for each who asks.
    void p34_onlySoManySnapshotsAreKept()
    {
        ServedNode node;
        (void)node.fill(4000);
        std::vector<std::unique_ptr<RawClient>> clients;
        for (size_t i = 0; i < stream::Snapshots::mostKept + 2; ++i) {
            clients.push_back(std::make_unique<RawClient>(node.path()));
            (void)clients.back()->hello();
            const QJsonObject result = clients.back()->call(QStringLiteral("snapshot"))[u"result"].toObject();
            QVERIFY(result[u"truncated"].toBool());
            QCOMPARE(result[u"next"].isObject(), i < stream::Snapshots::mostKept);
            (void)node.fill(1, QStringLiteral("new%1").arg(i)); // else they share it
        }
        clients.erase(clients.begin()); // who goes makes room
        QTRY_VERIFY(clients.back()->call(QStringLiteral("snapshot"))[u"result"][u"next"].isObject());
    }

    void eventsAreHandedOnInOrder()
    {
        ServedNode node;
        node.happen(3);
        RawClient client(node.path());
        (void)client.hello();
        const QJsonObject result = client.call(QStringLiteral("subscribe"), since(1))[u"result"].toObject();
        QCOMPARE(result[u"last"].toInteger(), 3);
        node.happen(2);
        QList<QJsonObject> frames;
        for (int i = 0; i < 4; ++i)
            frames.append(client.next().value_or(QJsonObject()));
        QCOMPARE(seqsOf(frames), range(2, 5));
        QCOMPARE(client.call(QStringLiteral("unsubscribe"))[u"result"][u"last"].toInteger(), 5);
        node.happen();
        (void)client.call(QStringLiteral("ping"));
        QVERIFY(client.passed().isEmpty());
    }

    void p3B_refusesWhatItCannotGoOnFrom_data()
    {
        QTest::addColumn<QJsonObject>("params");
        QTest::addColumn<int>("code");
        QTest::newRow("another boot") << QJsonObject{ { QStringLiteral("boot"), QStringLiteral("00") },
            { QStringLiteral("since"), 1 } }
                                      << -32010;
        QTest::newRow("the future") << since(6) << -32602;
        QTest::newRow("negative") << QJsonObject{ { QStringLiteral("since"), -1 } } << -32602;
        QTest::newRow("a fraction") << QJsonObject{ { QStringLiteral("since"), 1.5 } } << -32602;
        QTest::newRow("a text") << QJsonObject{ { QStringLiteral("since"), QStringLiteral("1") } } << -32602;
    }
    void p3B_refusesWhatItCannotGoOnFrom()
    {
        QFETCH(const QJsonObject, params);
        QFETCH(const int, code);
        ServedNode node;
        node.happen(5);
        RawClient client(node.path());
        (void)client.hello();
        const QJsonObject error = client.call(QStringLiteral("subscribe"), params)[u"error"].toObject();
        QCOMPARE(error[u"code"].toInt(), code);
        if (code == -32010)
            QCOMPARE(error[u"data"][u"boot"].toString(), QString::fromLatin1(node.boot()));
    }

    // The pinned events, one gap for what fell out, and the rest: bounds and kinds exact.
    void p3B_whatFellOutIsOneGap()
    {
        ServedNode node;
        const auto last = qint64(node.happen(int(journal::Ring::pinned + journal::Ring::maxLines + 100)));
        RawClient client(node.path());
        (void)client.hello();
        (void)client.call(QStringLiteral("subscribe"), since(0));
        QList<QJsonObject> frames;
        while (seqsOf(frames.mid(frames.size() - 1)) != QList<qint64>{ last }) {
            const std::optional<QJsonObject> frame = client.next();
            QVERIFY(frame);
            frames.append(*frame);
        }
        QCOMPARE(seqsOf(frames), range(1, 256) + range(357, last));
        const QJsonObject gap = frames.at(256)[u"params"].toObject();
        QCOMPARE(gap,
            (QJsonObject{ { QStringLiteral("from"), 257 }, { QStringLiteral("to"), 356 },
                { QStringLiteral("why"), QStringLiteral("evicted") },
                { QStringLiteral("kinds"),
                    QJsonObject{ { QStringLiteral("note"), 50 }, { QStringLiteral("file.change"), 50 } } } }));
    }

    void rangesComeAsPages()
    {
        ServedNode node;
        node.happen(50, 20'000);
        RawClient client(node.path());
        (void)client.hello();
        QList<qint64> seqs;
        qint64 from = 11;
        bool more = true;
        while (more) {
            const QJsonObject result = client
                                           .call(QStringLiteral("events"),
                                               { { QStringLiteral("from"), from }, { QStringLiteral("to"), 40 },
                                                   { QStringLiteral("limit"), 7 } })[u"result"]
                                           .toObject();
            const QJsonArray events = result[u"events"].toArray();
            QVERIFY(!events.isEmpty() && events.size() <= 7);
            for (const QJsonValue event : events)
                seqs.append(event[u"seq"].toInteger());
            from = result[u"next"].toInteger();
            more = result[u"more"].toBool();
        }
        QCOMPARE(seqs, range(11, 40));
        QCOMPARE(client.call(QStringLiteral("events"), { { QStringLiteral("from"), 0 } })[u"error"][u"code"].toInt(),
            -32602);
        const QJsonObject all = client.call(QStringLiteral("events"))[u"result"].toObject();
        QVERIFY(all[u"more"].toBool()); // 50 events of 20 kB do not fit into one frame
    }

    void countersAndConfig()
    {
        stream::ServerOptions options;
        options.config.insert(QStringLiteral("settings"), QJsonArray{ QStringLiteral("one") });
        ServedNode node(options);
        node.happen();
        RawClient client(node.path());
        (void)client.hello();
        QCOMPARE(client.call(QStringLiteral("config"))[u"result"].toObject(), options.config);
        const QJsonObject counters = client.call(QStringLiteral("counters"))[u"result"].toObject();
        QCOMPARE(counters[u"server"][u"clients"].toInt(), 1);
        QCOMPARE(counters[u"server"][u"accepted"].toInt(), 1);
        QVERIFY(counters[u"journal"].isObject());
        QCOMPARE(client.call(QStringLiteral("ping"))[u"result"][u"seq"].toInt(), 1);
    }

    // `printf … | firstwatchd relay`: who has said all gets all, then the end.
    void halfCloseGetsAllThatWasAskedFor()
    {
        ServedNode node;
        node.happen(3000, 1000);
        RawClient client(node.path());
        client.send(requestOf(1, QStringLiteral("hello"), { { QStringLiteral("major"), 1 } })
            + requestOf(2, QStringLiteral("subscribe"), since(0)));
        client.stopSending();
        const QJsonObject bye = client.waitFor(QStringLiteral("bye"))[u"params"].toObject();
        QCOMPARE(bye[u"why"].toString(), QStringLiteral("end"));
        QCOMPARE(bye[u"last"].toInteger(), 3000);
        QCOMPARE(seqsOf(client.passed()), range(1, 3000));
        QCOMPARE(client.waitForEnd(), RawClient::End::Regular);
    }

    void stopSaysBye()
    {
        ServedNode node;
        node.happen(3);
        RawClient client(node.path());
        (void)client.hello();
        (void)client.call(QStringLiteral("subscribe"), since(2));
        std::thread closing([&] {
            (void)client.waitForEnd();
            client.close();
        });
        node.stop();
        closing.join();
        QCOMPARE(client.end(), RawClient::End::Regular);
        QVERIFY(!RawClient(node.path()).isConnected());
    }
};

QTEST_GUILESS_MAIN(TestServer)
#include "tst_server.moc"
