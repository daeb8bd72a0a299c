// SPDX-License-Identifier: Apache-2.0
// The health port of the real service: what it answers while the node is ready and while it is not, and what it counts.
#include "node.h"
#include "promrules.h"
#include "servednode.h"
#include "tests/service/webclient.h"

#include "journal/findingcodes.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <unistd.h>

using namespace firstwatch;
using namespace firstwatch::test;
namespace code = journal::code;

namespace {

const QByteArray owner = smallConflist("owner");
constexpr char name[] = "10-owner.conflist";
constexpr char canary[] = "canary-K7vQ2m";

// A node with a health port, not yet started.
class HealthyNode {
public:
    HealthyNode() { node.set("FIRSTWATCH_HEALTH_PORT", QByteArray::number(port)); }

    [[nodiscard]] WebAnswer get(const QByteArray &path) const { return test::get(port, path); }
    [[nodiscard]] bool waitFor(const QByteArray &path, int status) const
    {
        return eventually([&] { return get(path).status == status; });
    }
    [[nodiscard]] double metric(const char *metric, const char *label = "", const char *value = "") const
    {
        return PromText(get("/metrics").text)
            .value(QLatin1String("firstwatch_") + QLatin1String(metric), QLatin1String(label), QLatin1String(value));
    }

    const quint16 port = freePort();
    Node node;
};

} // namespace

class TestHealthPort : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void offUnlessAsked()
    {
        Node node;
        QVERIFY(node.startReady(name, owner));
        QVERIFY(eventually([&] { return QFile::exists(QFile::decodeName(node.path("run/stream.sock"))); }));
        const QByteArray inode = "socket:[";
        int listening = 0; // of TCP, in the state 0A (proc_net_tcp in the kernel's documentation)
        for (const char *table : { "tcp", "tcp6" }) {
            QFile sockets(QStringLiteral("/proc/%1/net/%2").arg(node.process.pid()).arg(QLatin1String(table)));
            QVERIFY(sockets.open(QIODevice::ReadOnly));
            for (const QByteArray &line : sockets.readAll().split('\n')) {
                const QByteArrayList words = line.simplified().split(' ');
                if (words.value(3) == "0A" && holds(node, inode + words.value(9) + ']'))
                    ++listening;
            }
        }
        QCOMPARE(listening, 0);
    }

    void readyAndLive()
    {
        HealthyNode healthy;
        QVERIFY(healthy.node.startReady(name, owner));
        QVERIFY(healthy.waitFor("/readyz", 200));
        QCOMPARE(healthy.get("/readyz").text, "OK\n");
        QCOMPARE(healthy.get("/livez").text, "live\n");
    }

    // A repair controller that restarts pods now would start them without the plugin again.
    void notReadyNamesTheFile()
    {
        HealthyNode healthy;
        healthy.node.setFaults("rename.exchange:errno=EACCES");
        healthy.node.net.writeByRename(name, owner);
        healthy.node.start();
        QVERIFY(healthy.waitFor("/readyz", 503));
        QVERIFY(eventually(
            [&] { return healthy.get("/readyz").text == QByteArray("DRIFT: ") + name + " without the plugin\n"; }));
        QCOMPARE(healthy.get("/livez").status, 200);
        QCOMPARE(healthy.metric("drift_files"), 1);
        QCOMPARE(healthy.metric("state", "state", "DRIFT"), 1);
    }

    // The watch is proven and every event comes, but nobody knows what else is there.
    void p03_notReadyWhileTheDirectoryCannotBeListed_data()
    {
        QTest::addColumn<bool>("before");
        QTest::addColumn<QByteArray>("option");
        QTest::addColumn<QByteArray>("word");
        QTest::newRow("from the start") << true << QByteArray("--poll=false") << QByteArray("DEGRADED: FW1010 ");
        QTest::newRow("after it was replaced")
            << false << QByteArray("--poll=false") << QByteArray("DEGRADED: FW1010 ");
        QTest::newRow("polled") << true << QByteArray("--poll") << QByteArray("BLIND: ");
    }
    void p03_notReadyWhileTheDirectoryCannotBeListed()
    {
        QFETCH(const bool, before);
        QFETCH(const QByteArray, option);
        QFETCH(const QByteArray, word);
        HealthyNode healthy;
        Node &node = healthy.node;
        const NetDir switches(node.path(""));
        node.setFaults("dir.list:errno=EIO,while=" + switches.path("broken"));
        node.bin.writeInPlace(pluginType, node.source.read(pluginType)); // there already: its source cannot be listed
        QCOMPARE(::chmod(node.bin.path(pluginType).constData(), 0755), 0);
        if (before) {
            node.net.writeByRename(name, owner);
            switches.writeInPlace("broken", {});
            node.start({ option });
        } else {
            QVERIFY(node.startReady(name, owner, { option }));
            switches.writeInPlace("broken", {});
            node.removeNetDir();
            QVERIFY(QDir().mkpath(QFile::decodeName(node.net.path())));
            node.net.writeByRename(name, owner);
        }
        QVERIFY(node.waitForFinding(code::directoryUnreadable));
        QVERIFY(node.waitFor(journal::Kind::PassEnd, { { QStringLiteral("clean"), false } }));
        QVERIFY(healthy.waitFor("/readyz", 503));
        QVERIFY(eventually([&] { return healthy.get("/readyz").text.startsWith(word); }));
        QCOMPARE(healthy.get("/livez").status, 200);
        QVERIFY(!node.isReady());
        QCOMPARE(healthy.metric("state", "state", "OK"), 0);
        QVERIFY(node.events(journal::Kind::PatchApplied, { { QStringLiteral("repatch"), false } }).size()
            <= (before ? 0 : 1));

        switches.remove("broken");
        QVERIFY(node.waitPatched(name, owner));
        QVERIFY(eventually([&] { return !node.hasOpenFinding(code::directoryUnreadable); }));
        if (option != "--poll") {
            QVERIFY(node.waitReady());
            QVERIFY(healthy.waitFor("/readyz", 200));
        }
    }

    void notReadyWithoutTheDirectory()
    {
        HealthyNode healthy;
        QVERIFY(healthy.node.startReady(name, owner));
        QVERIFY(healthy.waitFor("/readyz", 200));
        healthy.node.removeNetDir();
        QVERIFY(healthy.waitFor("/readyz", 503));
        QVERIFY(healthy.get("/readyz").text.startsWith("BLIND: "));
        QCOMPARE(healthy.get("/livez").status, 200);
    }

    void countsWhatItDoes()
    {
        HealthyNode healthy;
        QVERIFY(healthy.node.startReady(name, owner));
        QVERIFY(healthy.waitFor("/readyz", 200));
        for (int i = 1; i <= 3; ++i) {
            const QByteArray text = smallConflist("owner" + QByteArray::number(i));
            healthy.node.net.writeByRename(name, text);
            QVERIFY(healthy.node.waitPatched(name, text));
            QVERIFY(eventually([&] { return healthy.metric("patches_total", "result", "repatched") == i; }));
        }
        const PromText text(healthy.get("/metrics").text);
        QCOMPARE(text.faults(), QStringList());
        QCOMPARE(text.value(QStringLiteral("firstwatch_unprotected_seconds_count")), 4);
        QCOMPARE(healthy.metric("patches_total", "result", "patched"), 1);
        QCOMPARE(healthy.metric("state", "state", "OK"), 1);
        QVERIFY(healthy.metric("ready_margin_seconds") > 0);
        QVERIFY(healthy.metric("proof_age_seconds") > 0);
        QCOMPARE(healthy.metric("rearms_total"), 0);
    }

    void p51_noSecretInIt()
    {
        HealthyNode healthy;
        healthy.node.account.rotate(canary);
        healthy.node.set("CNI_NETWORK_CONFIG",
            QByteArray(R"({"type":"linkerd-cni","name":"linkerd-cni","password":")") + canary + "\"}");
        const QByteArray text = smallConflist("owner", canary);
        QVERIFY(healthy.node.startReady(name, text));
        QVERIFY(healthy.waitFor("/readyz", 200));
        healthy.node.net.writeByRename("20-broken.conflist", QByteArray("{\"password\":\"") + canary);
        QVERIFY(healthy.node.waitFor(journal::Kind::FileUnreadable));
        for (const char *path : { "/livez", "/readyz", "/metrics", "/canary-K7vQ2m" }) {
            const WebAnswer answer = healthy.get(path);
            QVERIFY(answer.status != 0);
            QVERIFY2(!answer.head.contains(canary) && !answer.text.contains(canary), path);
        }
    }

    void aPortInUseIsAFindingUntilItIsFree()
    {
        HealthyNode first;
        HealthyNode second;
        second.node.set("FIRSTWATCH_HEALTH_PORT", QByteArray::number(first.port));
        QVERIFY(first.node.startReady(name, owner));
        QVERIFY(first.waitFor("/livez", 200));
        QVERIFY(second.node.startReady(name, owner));
        QVERIFY(second.node.waitForFinding(code::healthPort));
        QVERIFY(second.node.isReady());
        QCOMPARE(first.node.stop(), 0);
        QVERIFY(first.waitFor("/readyz", 200));
        QVERIFY(eventually([&] { return !second.node.hasOpenFinding(code::healthPort); }));
    }

private:
    // Whether the service has a descriptor of that name ("socket:[INODE]").
    static bool holds(Node &node, const QByteArray &what)
    {
        const QDir descriptors(QStringLiteral("/proc/%1/fd").arg(node.process.pid()));
        for (const QString &entry : descriptors.entryList(QDir::System | QDir::Files | QDir::Hidden)) {
            char target[256];
            const QByteArray path = QFile::encodeName(descriptors.filePath(entry));
            const ssize_t size = ::readlink(path.constData(), target, sizeof target);
            if (size > 0 && QByteArray(target, size) == what)
                return true;
        }
        return false;
    }
};

QTEST_GUILESS_MAIN(TestHealthPort)
#include "tst_healthport.moc"
