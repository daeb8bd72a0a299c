// SPDX-License-Identifier: Apache-2.0
#include "ui/fleet/forwardline.h"
#include "ui/fleet/pods.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace firstwatch::fleet;

namespace {

QByteArray item(const char *name, const char *node, const char *phase, const char *started, bool isDeleted = false)
{
    QJsonObject metadata{ { QStringLiteral("namespace"), QStringLiteral("firstwatch") },
        { QStringLiteral("name"), QLatin1String(name) } };
    if (isDeleted)
        metadata.insert(QStringLiteral("deletionTimestamp"), QStringLiteral("2026-01-01T00:00:00Z"));
    const QJsonObject pod{ { QStringLiteral("metadata"), metadata },
        { QStringLiteral("spec"), QJsonObject{ { QStringLiteral("nodeName"), QLatin1String(node) } } },
        { QStringLiteral("status"),
            QJsonObject{ { QStringLiteral("phase"), QLatin1String(phase) },
                { QStringLiteral("startTime"), QLatin1String(started) } } } };
    return QJsonDocument(pod).toJson();
}

QByteArray list(const QList<QByteArray> &items)
{
    return "{\"kind\":\"List\",\"items\":[" + items.join(',') + "]}";
}

constexpr char early[] = "2026-01-01T00:00:00Z";
constexpr char late[] = "2026-01-02T00:00:00Z";

} // namespace

class tst_Pods : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void onePodSpeaksForANode_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QString>("pod");
        QTest::newRow("one") << list({ item("a", "n1", "Running", early) }) << QStringLiteral("a");
        QTest::newRow("none") << list({}) << QString();
        QTest::newRow("of another node") << list({ item("a", "n2", "Running", early) }) << QString();
        QTest::newRow("the youngest") << list({ item("a", "n1", "Running", early), item("b", "n1", "Running", late) })
                                      << QStringLiteral("b");
        QTest::newRow("running before younger")
            << list({ item("a", "n1", "Running", early), item("b", "n1", "Pending", late) }) << QStringLiteral("a");
        QTest::newRow("not one that is deleted")
            << list({ item("b", "n1", "Running", late, true), item("a", "n1", "Running", early) })
            << QStringLiteral("a");
        QTest::newRow("a dying one rather than none")
            << list({ item("b", "n1", "Running", late, true) }) << QStringLiteral("b");
        QTest::newRow("without a name") << list({ "{}", "7", "null" }) << QString();
    }
    void onePodSpeaksForANode()
    {
        QFETCH(const QByteArray, json);
        QFETCH(const QString, pod);
        const std::optional<QList<Pod>> pods = podsFromJson(json);
        QVERIFY(pods);
        const std::optional<Pod> best = podOfNode(*pods, QStringLiteral("n1"));
        QCOMPARE(best ? best->name : QString(), pod);
    }

    void noListIsSaid_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("text") << QByteArray("No resources found");
        QTest::newRow("a pod") << item("a", "n1", "Running", early);
        QTest::newRow("cut") << list({ item("a", "n1", "Running", early) }).chopped(2);
    }
    void noListIsSaid()
    {
        QFETCH(const QByteArray, json);
        QVERIFY(!podsFromJson(json));
    }

    void nodesAreSortedAndOnce()
    {
        const std::optional<QList<Pod>> pods = podsFromJson(list({ item("a", "n2", "Running", early),
            item("b", "n1", "Running", early), item("c", "n2", "Running", late), item("d", "", "Pending", late) }));
        QCOMPARE(nodesOf(pods.value()).join(u' '), QStringLiteral("n1 n2"));
    }

    void forwardedPortIsRead_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<int>("port");
        const auto row = [](const char *line, int port) { QTest::newRow(line) << QByteArray(line) << port; };
        row("Forwarding from 127.0.0.1:34227 -> 9911", 34227);
        row("Forwarding from 127.0.0.1:1 -> 9911\r", 1);
        row("Forwarding from [::1]:41001 -> 9911", 0);
        row("Forwarding from 127.0.0.1:0 -> 9911", 0);
        row("Forwarding from 127.0.0.1:65536 -> 9911", 0);
        row("Forwarding from 127.0.0.1:34227", 0);
        row("Forwarding from 127.0.0.1: -> 9911", 0);
        row("Handling connection for 34227", 0);
        row("", 0);
    }
    void forwardedPortIsRead()
    {
        QFETCH(const QByteArray, line);
        QFETCH(const int, port);
        QCOMPARE(int(forwardedPort(line).value_or(0)), port);
    }
};

QTEST_GUILESS_MAIN(tst_Pods)
#include "tst_pods.moc"
