// SPDX-License-Identifier: Apache-2.0
// Recorded histories with breaks at any moment, against the plainest model: what happened is a list of numbers.
#include "rawclient.h"
#include "servednode.h"

#include "journal/nodeview.h"

#include <QJsonDocument>
#include <QRandomGenerator>
#include <QTest>

using namespace firstwatch;
using namespace firstwatch::test;
using journal::NodeView;

namespace {

// What one reader knows, over all of its connections.
class Reader {
public:
    quint64 last = 0;
    quint64 missed = 0;
    NodeView view;

    // False when a frame does not follow from the one before.
    bool take(const QJsonObject &frame)
    {
        const QJsonObject params = frame[u"params"].toObject();
        if (frame[u"method"] == QLatin1String("event")) {
            if (quint64(params[u"seq"].toInteger()) != last + 1)
                return false;
            ++last;
            view.apply(*journal::fromLine(QJsonDocument(params).toJson(QJsonDocument::Compact)));
        } else if (frame[u"method"] == QLatin1String("gap")) {
            if (quint64(params[u"from"].toInteger()) != last + 1)
                return false;
            missed += quint64(params[u"to"].toInteger()) - last;
            last = quint64(params[u"to"].toInteger());
        }
        return true;
    }
};

QJsonObject snapshotOf(RawClient &client)
{
    return client.call(QStringLiteral("snapshot"))[u"result"].toObject();
}

} // namespace

class TestResume : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void p3B_everyHistoryIsWholeOrSaysWhatIsMissing_data()
    {
        QTest::addColumn<int>("burst");
        QTest::newRow("a few at a time") << 20;
        QTest::newRow("more than the ring holds") << 6000;
    }
    void p3B_everyHistoryIsWholeOrSaysWhatIsMissing()
    {
        QFETCH(const int, burst);
        stream::ServerOptions options;
        options.limits.opensPerSecond = 1e6;
        ServedNode node(options);
        node.happen(300);
        QRandomGenerator random(29);
        Reader reader;
        for (int connection = 0; connection < 25; ++connection) {
            const quint64 now = node.happen(1 + random.bounded(burst));
            RawClient client(node.path());
            QVERIFY(!client.hello().isEmpty());
            client.send(requestOf(77, QStringLiteral("subscribe"),
                { { QStringLiteral("boot"), QString::fromLatin1(node.boot()) },
                    { QStringLiteral("since"), qint64(reader.last) } }));
            QVERIFY(client.waitForAnswer(77).contains(u"result"));
            const quint64 until = reader.last + 1 + random.bounded(quint32(now - reader.last));
            while (reader.last < until) {
                const std::optional<QJsonObject> frame = client.next();
                QVERIFY(frame && reader.take(*frame));
            } // and it breaks, wherever that is
        }
        QCOMPARE(reader.missed > 0, burst > 4096);
    }

    void p3B_snapshotAndEventsAreTheLaterSnapshot()
    {
        ServedNode node;
        node.happen(10);
        RawClient client(node.path());
        (void)client.hello();
        const QJsonObject snapshot = snapshotOf(client);
        Reader reader;
        reader.view = NodeView::fromJson(snapshot[u"view"].toObject());
        reader.last = quint64(snapshot[u"seq"].toInteger());
        (void)client.call(QStringLiteral("subscribe"), { { QStringLiteral("since"), snapshot[u"seq"] } });
        const quint64 now = node.happen(500);
        while (reader.last < now)
            QVERIFY(reader.take(client.next().value_or(QJsonObject())));
        QCOMPARE(reader.view.toJson(), snapshotOf(client)[u"view"].toObject());
    }
};

QTEST_GUILESS_MAIN(TestResume)
#include "tst_resume.moc"
