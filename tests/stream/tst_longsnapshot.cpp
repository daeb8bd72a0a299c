// SPDX-License-Identifier: Apache-2.0
// The state of a node with more files than fit into a frame, as a client puts it together.
#include "stream/client.h"

#include "fakenode.h"
#include "servednode.h"

#include <QJsonArray>
#include <QTest>

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

// A client that is started, and the views that it was told to take, by the seq of each.
struct Follower {
    explicit Follower(const Endpoint &endpoint)
        : client(endpoint, quick())
    {
        QObject::connect(
            &client, &Client::snapshot, &client, [this](const journal::NodeView &view) { views.append(view.seq); });
        client.start();
    }
    Client client;
    QList<quint64> views;
};

Endpoint localEndpoint(const ServedNode &node)
{
    return { Endpoint::Kind::Local, QString::fromUtf8(node.path()), {}, 0, {} };
}

journal::Event fileEvent(quint64 seq, const QByteArray &boot, const QString &file, const QString &state)
{
    journal::Event event = someEvent(seq, boot);
    event.kind = journal::Kind::FileState;
    event.fields = { { QStringLiteral("file"), file }, { QStringLiteral("state"), state } };
    return event;
}

QJsonArray filesOf(const QStringList &names)
{
    QJsonArray files;
    for (const QString &name : names)
        files.append(
            QJsonObject{ { QStringLiteral("file"), name }, { QStringLiteral("state"), QStringLiteral("patched") } });
    return files;
}

QJsonObject viewOf(const QByteArray &boot, quint64 seq, const QStringList &files)
{
    journal::NodeView view;
    view.apply(someEvent(seq, boot));
    view.seq = seq;
    QJsonObject json = view.toJson();
    QJsonObject state = json[QLatin1String("state")].toObject();
    state.insert(QStringLiteral("files"), filesOf(files));
    json.insert(QStringLiteral("state"), state);
    return json;
}

} // namespace

class tst_LongSnapshot : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Thousands of files are no reason to show only some of them.
    void p35_everyFileComesHoweverManyThereAre()
    {
        ServedNode node;
        const quint64 last = node.fill(20'000);
        const Follower follower(localEndpoint(node));
        QTRY_COMPARE_WITH_TIMEOUT(follower.client.link(), Link::Live, 60'000);
        QCOMPARE(follower.client.view().state.files().size(), 20'000);
        QCOMPARE(follower.client.view().seq, last);
        QVERIFY(!follower.client.isShortened());
    }

    // A node that drops them sooner than the next one can be asked for is not asked for ever.
    void aSnapshotThatIsDroppedIsAskedForAnewAFewTimes()
    {
        ServerOptions options;
        options.limits.snapshotMs = 0;
        ServedNode node(options);
        (void)node.fill(20'000);
        const Follower follower(localEndpoint(node));
        QTRY_COMPARE_WITH_TIMEOUT(follower.client.link(), Link::Live, 60'000);
        QVERIFY(follower.client.isShortened());
        QVERIFY(follower.client.view().state.files().size() < 20'000);
    }

    void aNodeOfBeforeTellsOnlyTheFirst()
    {
        FakeNode node;
        node.addEvents(1, 3);
        node.snapshotAlso = { { QStringLiteral("truncated"), true } };
        const Follower follower(node.endpoint());
        QTRY_COMPARE(follower.client.link(), Link::Live);
        QVERIFY(follower.client.isShortened());
    }

    void aNodeThatNeverEndsIsLeft()
    {
        FakeNode node;
        node.addEvents(1, 3);
        node.snapshotAlso = { { QStringLiteral("truncated"), true },
            { QStringLiteral("next"), QJsonObject{ { QStringLiteral("files"), 0 } } } };
        const Follower follower(node.endpoint());
        QTRY_COMPARE(follower.client.link(), Link::Live);
        QVERIFY(follower.client.isShortened());
        QCOMPARE(node.requests(QStringLiteral("snapshot")).size(), 1); // it brought no file, so no more is asked for
    }

    // Changes that come between the parts are newer than what the later parts say.
    void p3b_whatHappensMeanwhileIsNotLost()
    {
        FakeNode node;
        node.addEvents(1, 3);
        const Follower follower(node.endpoint());
        QTRY_COMPARE(follower.client.link(), Link::Live);
        node.answersRequests = false;
        node.say(notificationLine(QStringLiteral("gap"),
            { { QStringLiteral("from"), 4 }, { QStringLiteral("to"), 9 },
                { QStringLiteral("why"), QStringLiteral("evicted") } }));
        QTRY_COMPARE(node.requests(QStringLiteral("snapshot")).size(), 2);
        const QJsonObject next{ { QStringLiteral("files"), 1 }, { QStringLiteral("findings"), 0 } };
        node.say(resultLine(node.requests(QStringLiteral("snapshot")).last().id,
            { { QStringLiteral("view"), viewOf(node.boot, 9, { QStringLiteral("a") }) },
                { QStringLiteral("truncated"), true }, { QStringLiteral("next"), next } }));
        QTRY_COMPARE(node.requests(QStringLiteral("snapshot")).size(), 3);
        const Request rest = node.requests(QStringLiteral("snapshot")).last();
        QCOMPARE(rest.params[QLatin1String("seq")].toInteger(), 9);
        QCOMPARE(rest.params[QLatin1String("files")].toInteger(), 1);
        node.say(eventLine(journal::toLine(fileEvent(10, node.boot, QStringLiteral("b"), QStringLiteral("gone")))));
        node.say(eventLine(journal::toLine(fileEvent(11, node.boot, QStringLiteral("c"), QStringLiteral("drift")))));
        node.say(resultLine(
            rest.id, { { QStringLiteral("files"), filesOf({ QStringLiteral("b"), QStringLiteral("c") }) } }));
        QTRY_COMPARE(follower.client.view().seq, 11U);
        QTRY_VERIFY(!follower.client.isShortened() && follower.views.last() == 11);
        const auto &files = follower.client.view().state.files();
        QCOMPARE(files.keys(), QStringList({ QStringLiteral("a"), QStringLiteral("c") }));
        QCOMPARE(files.value(QStringLiteral("c")).word, journal::FileWord::Drift);
    }
};

QTEST_GUILESS_MAIN(tst_LongSnapshot)
#include "tst_longsnapshot.moc"
