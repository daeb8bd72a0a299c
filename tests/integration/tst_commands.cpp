// SPDX-License-Identifier: Apache-2.0
// The command line as scripts and init containers use it: what it prints, what it leaves, how it exits.
#include "node.h"

#include <QTest>

using namespace firstwatch;
using namespace firstwatch::test;
using journal::Kind;

namespace {

const QByteArray owner = smallConflist("owner");
constexpr char minimalTemplate[] = R"({"type":"linkerd-cni"})";

} // namespace

class TestCommands : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void onceLeavesItsPatches()
    {
        Node node;
        node.net.writeInPlace("10-a.conflist", owner);
        node.net.writeInPlace("20-b.conf", R"({"cniVersion":"0.4.0","name":"b","type":"bridge"})");
        QCOMPARE(node.run({ "--once" }), 0);
        QVERIFY(node.isPatched("10-a.conflist", owner));
        QVERIFY(node.net.exists("20-b.conflist") && !node.net.exists("20-b.conf"));
        QVERIFY(node.net.exists(kubeconfigName) && node.bin.exists(pluginType));
        QVERIFY(!node.isReady());
        QList<QByteArray> left = node.leftovers();
        left.removeIf([](const QByteArray &name) { return name.contains("20-b.conf."); }); // the original, kept aside
        QCOMPARE(left.join(' '), "");
        QCOMPARE(node.events(Kind::PassBegin).size(), 1);

        const QByteArray patched = node.net.read("10-a.conflist");
        QCOMPARE(node.run({ "--once" }), 0); // again: nothing to do
        QCOMPARE(node.net.read("10-a.conflist"), patched);
        QVERIFY(node.events(Kind::PatchApplied).isEmpty());
        QCOMPARE(node.run({ "cleanup" }), 0);
        QCOMPARE(node.net.names().join(' '), "10-a.conflist 20-b.conf");
        QCOMPARE(node.net.read("10-a.conflist"), owner);
    }

    void onceFailsWhenItIsNotDone_data()
    {
        QTest::addColumn<QByteArray>("faults");
        QTest::newRow("a config cannot be patched") << QByteArray("rename.exchange:errno=EIO");
        QTest::newRow("the watch cannot be proven") << QByteArray("watch.init:errno=EMFILE");
    }
    void onceFailsWhenItIsNotDone()
    {
        QFETCH(const QByteArray, faults);
        Node node;
        node.net.writeInPlace("10-a.conflist", owner);
        node.setFaults(faults);
        QCOMPARE(node.run({ "--once" }), 1);
        QCOMPARE(node.leftovers().join(' '), "");
    }

    // An init container must not hang in silence: what it waits for has an end, and is named.
    void onceGivesUpInTime_data()
    {
        QTest::addColumn<QByteArray>("missing");
        QTest::addColumn<QByteArray>("awaited");
        QTest::newRow("no net dir") << QByteArray("DEST_CNI_NET_DIR") << QByteArray("waited 1 s for the net dir ");
        QTest::newRow("no binary") << QByteArray("CONTAINER_CNI_BIN_DIR")
                                   << QByteArray("waited 1 s for the plugin's binaries in ");
    }
    void onceGivesUpInTime()
    {
        QFETCH(const QByteArray, missing);
        QFETCH(const QByteArray, awaited);
        Node node;
        node.net.writeInPlace("10-a.conflist", owner);
        node.set(missing, "/not/there");
        QCOMPARE(node.run({ "--once", "--once-timeout", "1" }), 3);
        const auto stop = node.waitFor(Kind::ProcessStop, { { QStringLiteral("clean"), false } });
        QVERIFY(stop);
        const QByteArray summary = stop->fields[QStringLiteral("summary")].toString().toUtf8();
        QVERIFY2(summary.startsWith("nothing patched: ") && summary.contains(awaited), summary.constData());
        QVERIFY(summary.contains("--once-timeout"));
        QCOMPARE(node.net.read("10-a.conflist"), owner);
        QVERIFY(!node.isReady());
    }

    void onceBeginsWhenTheNetDirComes()
    {
        Node node;
        node.set("DEST_CNI_NET_DIR", "/etc/cni/later.d");
        node.start({ "--once" });
        QVERIFY(node.waitForFinding(1009));
        const NetDir later(node.path("host/etc/cni/later.d"));
        QCOMPARE(::mkdir(later.path().constData(), 0755), 0);
        QCOMPARE(node.process.wait(), 0);
    }

    void cleanupAfterACrash()
    {
        Node node;
        QVERIFY(node.startReady("10-a.conflist", owner));
        node.crash();
        QCOMPARE(node.run({ "cleanup" }), 0);
        QVERIFY2(
            node.output().startsWith("1 of 1 undone, kubeconfig removed, binaries removed"), node.output().constData());
        QCOMPARE(node.net.names().join(' '), "10-a.conflist");
        QCOMPARE(node.net.read("10-a.conflist"), owner);
        QCOMPARE(node.run({ "cleanup" }), 0); // again: nothing to do
        QVERIFY(node.output().startsWith("0 of 0 undone"));
    }

    void configShowsValuesAndOrigins()
    {
        Node node;
        QCOMPARE(node.run({ "config", "--net-dir", "/etc/cni/other.d" }), 0);
        const QString table = QString::fromUtf8(node.output());
        const auto row = [&](const QString &name) {
            const QStringList lines = table.split(QLatin1Char('\n')).filter(name);
            return lines.isEmpty() ? QString() : lines.first().simplified();
        };
        QCOMPARE(row(QStringLiteral("DEST_CNI_NET_DIR")), QStringLiteral("DEST_CNI_NET_DIR /etc/cni/other.d flag"));
        QCOMPARE(row(QStringLiteral("KUBERNETES_SERVICE_HOST")),
            QStringLiteral("KUBERNETES_SERVICE_HOST 10.0.0.1 environment"));
        QCOMPARE(row(QStringLiteral("DEST_CNI_BIN_DIR")), QStringLiteral("DEST_CNI_BIN_DIR /opt/cni/bin default"));
        QVERIFY(!table.contains(QStringLiteral("log_level")));
        QCOMPARE(node.net.names().join(' '), "");
    }

    // projectcalico/cni-plugin#284: what is wrong is said before anything is touched.
    void wrongSettingsTouchNothing_data()
    {
        QTest::addColumn<QByteArray>("variable");
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QByteArray>("said");
        QTest::newRow("no API server") << QByteArray("KUBERNETES_SERVICE_HOST") << QByteArray()
                                       << QByteArray("KUBERNETES_SERVICE_HOST");
        QTest::newRow("no port") << QByteArray("KUBERNETES_SERVICE_PORT") << QByteArray()
                                 << QByteArray("KUBERNETES_SERVICE_PORT");
        QTest::newRow("no template") << QByteArray("CNI_NETWORK_CONFIG") << QByteArray()
                                     << QByteArray("CNI_NETWORK_CONFIG");
        QTest::newRow("a template that is no JSON")
            << QByteArray("CNI_NETWORK_CONFIG") << QByteArray("{") << QByteArray("CNI_NETWORK_CONFIG");
        QTest::newRow("a template without a type")
            << QByteArray("CNI_NETWORK_CONFIG") << QByteArray(R"({"name":"x"})") << QByteArray("type");
        QTest::newRow("a type with a slash")
            << QByteArray("CNI_NETWORK_CONFIG") << QByteArray(R"({"type":"../x"})") << QByteArray("type");
        QTest::newRow("an unknown placeholder")
            << QByteArray("CNI_NETWORK_CONFIG") << QByteArray(R"({"type":"x","a":"__FOO__"})") << QByteArray("__FOO__");
        QTest::newRow("a template file that is not there")
            << QByteArray("CNI_NETWORK_CONFIG_FILE") << QByteArray("relative") << QByteArray("absolute path");
        QTest::newRow("a mode that is none")
            << QByteArray("KUBECONFIG_MODE") << QByteArray("999") << QByteArray("KUBECONFIG_MODE");
        QTest::newRow("a kubeconfig that a runtime would load")
            << QByteArray("KUBECONFIG_FILE_NAME") << QByteArray("a.conf") << QByteArray("KUBECONFIG_FILE_NAME");
    }
    void wrongSettingsTouchNothing()
    {
        QFETCH(const QByteArray, variable);
        QFETCH(const QByteArray, value);
        QFETCH(const QByteArray, said);
        Node node;
        node.net.writeInPlace("10-a.conflist", owner);
        node.set(variable, value);
        QCOMPARE(node.run({}), 2);
        QVERIFY2(node.log().contains(said), node.log().constData());
        QCOMPARE(node.net.names().join(' '), "10-a.conflist");
        QCOMPARE(node.net.read("10-a.conflist"), owner);
        QCOMPARE(node.bin.names().join(' '), "");
    }

    void unknownOptionsAreRefused()
    {
        Node node;
        QCOMPARE(node.run({ "--no-such-option" }), 2);
        QCOMPARE(node.run({ "no-such-command" }), 2);
        QCOMPARE(node.run({ "--version" }), 0);
        QVERIFY(node.output().startsWith("firstwatchd "));
        QCOMPARE(node.run({ "--help" }), 0);
        QVERIFY(node.output().startsWith("Usage: firstwatchd"));
    }

    void severalPluginsInTheirOrder()
    {
        Node node;
        const NetDir root(node.path(""));
        root.writeInPlace("one.json", R"({"type":"linkerd-cni","from":"file"})");
        root.writeInPlace("two.json", R"({"type":"istio-cni"})");
        node.source.writeInPlace("istio-cni", "#!/bin/false\n");
        node.set("CNI_NETWORK_CONFIG", {});
        node.set("CNI_NETWORK_CONFIG_FILE", root.path("one.json") + ':' + root.path("two.json"));
        QVERIFY(node.startReady("10-a.conflist", owner));
        const QByteArray text = node.net.read("10-a.conflist");
        QVERIFY(text.indexOf("bridge") < text.indexOf("linkerd-cni"));
        QVERIFY(text.indexOf("linkerd-cni") < text.indexOf("istio-cni"));
        QVERIFY(node.bin.exists("istio-cni"));
        QCOMPARE(node.stop(), 0);
        QCOMPARE(node.net.read("10-a.conflist"), owner);
    }

    // As linkerd's shell installer did it; its Go successor does the reverse, so it is said.
    void theFileWinsOverTheVariable()
    {
        Node node;
        NetDir(node.path("")).writeInPlace("one.json", R"({"type":"linkerd-cni","from":"file"})");
        node.set("CNI_NETWORK_CONFIG_FILE", node.path("one.json"));
        QVERIFY(node.startReady("10-a.conflist", owner));
        QVERIFY(node.waitForFinding(1306));
        QVERIFY(node.net.read("10-a.conflist").contains(R"("from":"file")"));
    }

    void anIpv6HostIsBracketed()
    {
        Node node;
        node.set("KUBERNETES_SERVICE_HOST", "fd00::1");
        node.start();
        QVERIFY(node.waitReady());
        QVERIFY(node.net.read(kubeconfigName).contains("https://[fd00::1]:443"));
    }

    void withoutAServiceAccountThereIsNoKubeconfig()
    {
        Node node;
        node.set("FIRSTWATCH_SERVICE_ACCOUNT_DIR", node.path("none"));
        node.set("KUBERNETES_SERVICE_HOST", {});
        node.set("CNI_NETWORK_CONFIG", minimalTemplate);
        node.net.writeInPlace("10-a.conflist", owner);
        node.start();
        QVERIFY(node.waitPatched("10-a.conflist", owner));
        QVERIFY(node.waitForFinding(1304));
        QVERIFY(!node.net.exists(kubeconfigName));
        QCOMPARE(node.stop(), 0);
    }

    // Neither history nor lock nor ready file can be written: the job itself is done all the same, and that is said.
    void withoutDirectoriesOfItsOwnItStillPatches()
    {
        Node node;
        node.set("FIRSTWATCH_RUNTIME_DIR", "/proc/none");
        node.set("FIRSTWATCH_HISTORY_DIR", "/proc/none");
        node.net.writeInPlace("10-a.conflist", owner);
        node.start();
        QVERIFY(node.waitPatched("10-a.conflist", owner));
        QVERIFY(node.waitForFinding(1402));
        QVERIFY(node.waitForFinding(1403));
        QCOMPARE(node.stop(), 0);
        QCOMPARE(node.net.read("10-a.conflist"), owner);
    }
};

QTEST_GUILESS_MAIN(TestCommands)
#include "tst_commands.moc"
