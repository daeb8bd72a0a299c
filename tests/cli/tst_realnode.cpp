// SPDX-License-Identifier: Apache-2.0
// The program and the real service together: nothing in between is made up.
#include "program.h"

#include "node.h"
#include "rawclient.h"
#include "servednode.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

#include <algorithm>

using namespace firstwatch;
using namespace firstwatch::test;
using journal::Kind;

namespace {

constexpr char name[] = "10-owner.conflist";

// A service that has patched a config, and patched it again when its owner rewrote it.
bool startTwicePatched(Node &node)
{
    const QByteArray second = smallConflist("second");
    if (!node.startReady(name, smallConflist("first")))
        return false;
    node.net.writeByRename(name, second);
    return node.waitPatched(name, second)
        && node.waitFor(Kind::PatchApplied, { { QStringLiteral("repatch"), true } }).has_value()
        && eventually([&] { return RawClient(node.path("run/stream.sock")).isConnected(); });
}

QStringList socketOf(const Node &node)
{
    return { QStringLiteral("--socket"), QFile::decodeName(node.path("run/stream.sock")) };
}

QStringList words(const char *line)
{
    return QString::fromLatin1(line).split(u' ');
}

} // namespace

class TestRealNode final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void historyIsWhatWasPatched()
    {
        Node node;
        QVERIFY(startTwicePatched(node));
        const Ran ran = run(words("history -o json") + socketOf(node));
        QVERIFY2(ran.exitCode == 0 && ran.err.isEmpty(), ran.err.constData());
        const QJsonArray patches = QJsonDocument::fromJson(ran.out).object()[QStringLiteral("patches")].toArray();
        const QList<journal::Event> told = node.events(Kind::PatchApplied);
        QCOMPARE(patches.size(), told.size());
        for (qsizetype i = 0; i < patches.size(); ++i) {
            const QJsonObject patch = patches.at(i).toObject();
            QCOMPARE(patch[u"seq"].toInteger(), qint64(told.at(i).seq));
            QCOMPARE(patch[u"sha_after"].toString(), told.at(i).fields[QStringLiteral("sha_after")].toString());
        }
    }

    // The file says of the node what the node says, and outlives it.
    void aBundleHasAll()
    {
        Node node;
        QVERIFY(startTwicePatched(node));
        const QString file = QFile::decodeName(node.path("node.fwz"));
        const Ran bundled = run(QStringList{ QStringLiteral("bundle"), QStringLiteral("-o"), file } + socketOf(node));
        QVERIFY2(bundled.exitCode == 0, bundled.err.constData());
        const QStringList from{ QStringLiteral("--from"), file };
        const QByteArrayList lines = run(words("events -o raw") + from).out.trimmed().split('\n');
        const QList<journal::Event> told = node.events();
        QVERIFY(!lines.isEmpty() && lines.size() <= told.size());
        for (qsizetype i = 0; i < lines.size(); ++i)
            QCOMPARE(journal::fromLine(lines.at(i)), told.at(i));
        QCOMPARE(run(words("history -o json") + from).out, run(words("history -o json") + socketOf(node)).out);
        QCOMPARE(node.stop(), 0);
        const Ran status = run(words("status -o short") + from);
        QVERIFY2(status.exitCode == 0 && status.out.contains(" OK "), status.out.constData());
        QCOMPARE(run(words("status") + socketOf(node)).exitCode, 3);
    }

    void anEndpointWithItsKey_data()
    {
        QTest::addColumn<QString>("host");
        QTest::addColumn<QByteArray>("key"); // empty: none is given
        QTest::addColumn<int>("code");
        const QByteArray right = "the key of this node";
        QTest::newRow("IPv4") << QStringLiteral("127.0.0.1") << right << 0;
        QTest::newRow("IPv6") << QStringLiteral("[::1]") << right << 0;
        QTest::newRow("a newline at its end") << QStringLiteral("127.0.0.1") << QByteArray(right + '\n') << 0;
        QTest::newRow("no key") << QStringLiteral("127.0.0.1") << QByteArray() << 3;
        QTest::newRow("another key") << QStringLiteral("127.0.0.1") << QByteArray("the key of another one") << 3;
    }
    void anEndpointWithItsKey()
    {
        QFETCH(const QString, host);
        QFETCH(const QByteArray, key);
        QFETCH(const int, code);
        if (host.contains(u':') && !QFile::exists(QStringLiteral("/proc/net/if_inet6")))
            QSKIP("this machine has no IPv6");
        Node node;
        const quint16 port = freePort();
        const NetDir run(node.path("run"));
        run.writeInPlace("key", "the key of this node\n");
        run.writeInPlace("given", key);
        node.set("FIRSTWATCH_STREAM_PORT", QByteArray::number(port));
        node.set("FIRSTWATCH_STREAM_KEY_FILE", run.path("key"));
        node.set("FIRSTWATCH_NODE_NAME", "node-17");
        QVERIFY(startTwicePatched(node));
        QVERIFY(eventually([&] { return RawClient(port).isConnected(); }));
        QStringList line = words("status -o short --endpoint") << QStringLiteral("%1:%2").arg(host).arg(port);
        if (!key.isEmpty())
            line << QStringLiteral("--key-file") << QFile::decodeName(run.path("given"));
        const Ran ran = test::run(line);
        QVERIFY2(ran.exitCode == code, QByteArray(ran.out + ran.err).constData());
        QCOMPARE(ran.out.startsWith("node-17 OK "), code == 0);
        QCOMPARE(ran.err.contains("FW9007"), code != 0);
    }
};

QTEST_GUILESS_MAIN(TestRealNode)
#include "tst_realnode.moc"
