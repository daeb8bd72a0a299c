// SPDX-License-Identifier: Apache-2.0
#include "service/help.h"
#include "service/options.h"
#include "service/settings.h"

#include <QProcess>
#include <QTest>

using namespace firstwatch;
using namespace firstwatch::service;

namespace {

// Two values of one option and how the `config` view shows them; neither is the default.
struct Sample {
    QByteArray flag;
    QByteArray first;
    QByteArray firstShown;
    QByteArray second;
    QByteArray secondShown;
};

const QList<Sample> &samples()
{
    static const QList<Sample> all{
        { "--net-dir", "/a/net.d", "/a/net.d", "/b/net.d//", "/b/net.d" },
        { "--bin-dir", "/a/bin", "/a/bin", "/", "/" },
        { "--mount-prefix", "/a/host", "/a/host", "/", "/" },
        { "--source-bin-dir", "/a", "/a", "/b c", "/b c" },
        { "--service-account-dir", "/a", "/a", "/b\xff", "/b\\xff" },
        { "--runtime-dir", "/a", "/a", "/b", "/b" },
        { "--history-dir", "/a", "/a", "/b", "/b" },
        { "--ready-file", "/a", "/a", "/b", "/b" },
        { "--network-config-file", "/a", "/a", "/a:/b", "/a:/b" },
        { "--network-config", R"({"type":"mine"})", "mine, 15 bytes", "{", "not usable, 1 bytes" },
        { "--scope", "active", "active", "all", "all" },
        { "--position", "keep", "keep", "last", "last" },
        { "--exclude", "*.bak", "*.bak", "a*:b*", "a*:b*" },
        { "--once", "true", "true", "0", "false" },
        { "--once-timeout", "5", "5", "0", "0" },
        { "--keep-on-exit", "yes", "true", "False", "false" },
        { "--poll", "1", "true", "no", "false" },
        { "--kubeconfig-name", "kube", "kube", "ZZZ-x", "ZZZ-x" },
        { "--kubeconfig-mode", "640", "640", "0400", "400" },
        { "--kubeconfig-token", "file", "file", "inline", "inline" },
        { "--kube-ca-file", "/a", "/a", "/b", "/b" },
        { "--skip-tls-verify", "on", "true", "off", "false" },
        { "--service-protocol", "http", "http", "https", "https" },
        { "--service-host", "10.0.0.1", "10.0.0.1", "fd00::1", "fd00::1" },
        { "--service-port", "443", "443", "6443", "6443" },
        { "--node-name", "a", "a", "b", "b" },
        { "--stream-socket", "/a/s.sock", "/a/s.sock", "none", "none" },
        { "--stream-group", "0", "0", "1000", "1000" },
        { "--stream-port", "9911", "9911", "1", "1" },
        { "--stream-key-file", "/a", "/a", "/b", "/b" },
        { "--health-port", "9912", "9912", "1", "1" },
        { "--health-address", "[::]", "::", "::1", "::1" },
        { "--log-level", "debug", "debug", "error", "error" },
        { "--log-format", "json", "json", "text", "text" },
    };
    return all;
}

QByteArray variableOf(const QByteArray &flag)
{
    for (const Option &option : allOptions()) {
        if (flag == option.flag)
            return option.variable;
    }
    return {};
}

// A switch is given as "--once=true", all others as two arguments.
QByteArrayList asArguments(const QByteArray &flag, const QByteArray &value)
{
    for (const Option &option : allOptions()) {
        if (flag == option.flag && !option.argument)
            return { flag + '=' + value };
    }
    return { flag, value };
}

SettingRow rowOf(const QByteArrayList &arguments, const Environment &environment, const QByteArray &flag)
{
    const auto parsed = parseSettings(arguments, environment);
    if (const auto *settings = std::get_if<Settings>(&parsed)) {
        for (const SettingRow &row : settingRows(*settings)) {
            if (row.flag == flag)
                return row;
        }
    }
    return {};
}

Settings settingsOf(const QByteArrayList &arguments, const Environment &environment = {})
{
    const auto parsed = parseSettings(arguments, environment);
    if (const auto *printed = std::get_if<Printed>(&parsed))
        qFatal("refused: %s", printed->text.constData());
    return std::get<Settings>(parsed);
}

Printed printedOf(const QByteArrayList &arguments, const Environment &environment = {})
{
    const auto parsed = parseSettings(arguments, environment);
    const auto *printed = std::get_if<Printed>(&parsed);
    return printed ? *printed : Printed{ "", -1 };
}

} // namespace

class tst_Settings : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyOptionIsSampled();
    void flagBeforeEnvironmentBeforeDefault_data();
    void flagBeforeEnvironmentBeforeDefault();
    void defaultsOfTheContract_data();
    void defaultsOfTheContract();
    void refusesBadValues_data();
    void refusesBadValues();
    void commands_data();
    void commands();
    void switchesNeedNoValue();
    void theLastOfARepeatedFlagCounts();
    void repeatedExcludesAddUp();
    void valuesThatLookLikeFlagsAreValues();
    void emptyFlagValueSwallowsNothing();
    void wideKubeconfigModeIsAFinding_data();
    void wideKubeconfigModeIsAFinding();
    void configShowsNothingOfTheTemplate();
    void tableIsAligned();
    void helpFitsEightyColumns();
    void helpNamesEveryOption();
    void helpExamplesParse();
    void versionAndHelp_data();
    void versionAndHelp();
    void readsTheProcessEnvironment();
};

void tst_Settings::everyOptionIsSampled()
{
    QByteArrayList sampled;
    for (const Sample &sample : samples())
        sampled.append(sample.flag);
    QByteArrayList declared;
    for (const Option &option : allOptions())
        declared.append(option.flag);
    QCOMPARE(declared, sampled);
}

void tst_Settings::flagBeforeEnvironmentBeforeDefault_data()
{
    QTest::addColumn<QByteArray>("flag");
    QTest::addColumn<QByteArrayList>("arguments");
    QTest::addColumn<QByteArray>("variable"); // its value; null: not set
    QTest::addColumn<QByteArray>("shown"); // null: the default
    QTest::addColumn<int>("origin");
    for (const Sample &s : samples()) {
        const auto row = [&](const char *name) -> QTestData & {
            return QTest::addRow("%s %s", s.flag.constData(), name);
        };
        const QByteArrayList first = asArguments(s.flag, s.first);
        row("none") << s.flag << QByteArrayList() << QByteArray() << QByteArray() << int(Origin::Default);
        row("empty variable") << s.flag << QByteArrayList() << QByteArray("") << QByteArray() << int(Origin::Default);
        row("variable") << s.flag << QByteArrayList() << s.second << s.secondShown << int(Origin::Environment);
        row("flag") << s.flag << first << QByteArray() << s.firstShown << int(Origin::Flag);
        row("both") << s.flag << first << s.second << s.firstShown << int(Origin::Flag);
        row("flag, empty variable") << s.flag << first << QByteArray("") << s.firstShown << int(Origin::Flag);
    }
}

void tst_Settings::flagBeforeEnvironmentBeforeDefault()
{
    QFETCH(QByteArray, flag);
    QFETCH(QByteArrayList, arguments);
    QFETCH(QByteArray, variable);
    QFETCH(QByteArray, shown);
    QFETCH(int, origin);
    Environment environment;
    if (!variable.isNull())
        environment.insert(variableOf(flag), variable);
    const SettingRow row = rowOf(arguments, environment, flag);
    QCOMPARE(row.flag, flag);
    QCOMPARE(row.variable, variableOf(flag));
    QCOMPARE(int(row.origin), origin);
    QCOMPARE(row.value, shown.isNull() ? rowOf({}, {}, flag).value : QString::fromUtf8(shown));
}

void tst_Settings::defaultsOfTheContract_data()
{
    QTest::addColumn<QByteArray>("variable");
    QTest::addColumn<QString>("value");
    const auto row = [](const char *variable, const char *value) {
        QTest::newRow(variable) << QByteArray(variable) << QString::fromLatin1(value);
    };
    row("DEST_CNI_NET_DIR", "/etc/cni/net.d");
    row("DEST_CNI_BIN_DIR", "/opt/cni/bin");
    row("CONTAINER_MOUNT_PREFIX", "/host");
    row("CONTAINER_CNI_BIN_DIR", "/opt/cni/bin");
    row("KUBECONFIG_FILE_NAME", "ZZZ-linkerd-cni-kubeconfig");
    row("KUBECONFIG_MODE", "600");
    row("KUBE_CA_FILE", "/var/run/secrets/kubernetes.io/serviceaccount/ca.crt");
    row("SKIP_TLS_VERIFY", "false");
    row("KUBERNETES_SERVICE_PROTOCOL", "https");
    row("KUBERNETES_SERVICE_HOST", "");
    row("KUBERNETES_SERVICE_PORT", "");
    row("CNI_NETWORK_CONFIG_FILE", "");
    row("CNI_NETWORK_CONFIG", "");
    row("FIRSTWATCH_SERVICE_ACCOUNT_DIR", "/var/run/secrets/kubernetes.io/serviceaccount");
    row("FIRSTWATCH_RUNTIME_DIR", "/run/firstwatch");
    row("FIRSTWATCH_HISTORY_DIR", "/var/lib/firstwatch");
    row("FIRSTWATCH_STREAM_SOCKET", "/run/firstwatch/stream.sock");
    row("FIRSTWATCH_STREAM_GROUP", "");
    row("FIRSTWATCH_STREAM_PORT", "0");
    row("FIRSTWATCH_HEALTH_PORT", "0");
    row("FIRSTWATCH_HEALTH_ADDRESS", "127.0.0.1");
    row("FIRSTWATCH_STREAM_KEY_FILE", "");
    row("FIRSTWATCH_ONCE_TIMEOUT", "60");
    row("FIRSTWATCH_READY_FILE", "/run/firstwatch/ready");
}

void tst_Settings::defaultsOfTheContract()
{
    QFETCH(QByteArray, variable);
    QFETCH(QString, value);
    for (const SettingRow &row : settingRows(settingsOf({}))) {
        if (row.variable == variable) {
            QCOMPARE(row.value, value);
            return;
        }
    }
    QFAIL("no such variable");
}

void tst_Settings::refusesBadValues_data()
{
    QTest::addColumn<QByteArray>("flag");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QByteArray>("wayOut");
    const auto row = [](const char *flag, const char *value, const char *wayOut) {
        QTest::addRow("%s %s", flag, value) << QByteArray(flag) << QByteArray(value) << QByteArray(wayOut);
    };
    row("--net-dir", "etc/cni", "absolute path");
    row("--net-dir", "/etc/\ncni", "control characters");
    row("--runtime-dir", "run", "absolute path");
    row("--network-config-file", "/a:b", "absolute paths");
    row("--network-config-file", "/a::/b", "absolute paths");
    row("--scope", "every", "all, active");
    row("--position", "first", "last, keep");
    row("--kubeconfig-token", "secret", "inline, file");
    row("--log-level", "loud", "debug, info, warning, error");
    row("--log-format", "xml", "auto, text, json");
    row("--once", "maybe", "true or false");
    row("--once-timeout", "-1", "whole seconds");
    row("--once-timeout", "1m", "whole seconds");
    row("--once-timeout", "86401", "86400");
    row("--skip-tls-verify", "2", "true or false");
    row("--kubeconfig-mode", "rw-------", "octal");
    row("--kubeconfig-mode", "680", "octal");
    row("--kubeconfig-mode", "4600", "octal");
    row("--kubeconfig-mode", "-600", "octal");
    row("--kubeconfig-mode", "+600", "octal");
    row("--kubeconfig-mode", "0x180", "octal");
    row("--kubeconfig-mode", " 600", "octal");
    row("--kubeconfig-name", "a/b", "without a slash");
    row("--kubeconfig-name", "..", "name of a file");
    row("--kubeconfig-name", "z.conf", "container runtime");
    row("--kubeconfig-name", "z.json", "container runtime");
    row("--kubeconfig-name", "z.conflist", "container runtime");
    row("--stream-socket", "s.sock", "absolute path");
    row("--stream-port", "65536", "1 to 65535");
    row("--stream-port", "+1", "1 to 65535");
    row("--health-port", "65536", "1 to 65535");
    row("--health-address", "localhost", "IPv4 or IPv6 address");
    row("--health-address", "127.1", "IPv4 or IPv6 address");
    row("--health-address", "010.0.0.1", "IPv4 or IPv6 address");
    row("--health-address", "[127.0.0.1]", "IPv4 or IPv6 address");
    row("--health-address", "::1:", "IPv4 or IPv6 address");
    row("--health-address", "[::1]:80", "IPv4 or IPv6 address");
    row("--service-protocol", "ftp", "https or http");
    row("--service-host", "https://10.0.0.1", "without protocol and port");
    row("--service-port", "tcp://10.0.0.1:443", "1 to 65535");
    row("--service-port", "0", "1 to 65535");
}

void tst_Settings::refusesBadValues()
{
    QFETCH(QByteArray, flag);
    QFETCH(QByteArray, value);
    QFETCH(QByteArray, wayOut);
    const QByteArray shown = value.contains('\n') ? "/etc/\\x0acni" : value;
    const QByteArray variable = variableOf(flag);
    const QList<std::pair<QByteArray, Printed>> both{ { flag, printedOf(asArguments(flag, value)) },
        { variable, printedOf({}, { { variable, value } }) } };
    for (const auto &[name, printed] : both) {
        QCOMPARE(printed.exitCode, 2);
        const QByteArray start = "firstwatchd: " + name + ": '" + shown + "' ";
        QVERIFY2(printed.text.startsWith(start), printed.text.constData());
        QVERIFY2(printed.text.contains(wayOut), printed.text.constData());
    }
}

void tst_Settings::commands_data()
{
    QTest::addColumn<QByteArrayList>("arguments");
    QTest::addColumn<int>("command");
    QTest::addColumn<bool>("once");
    QTest::newRow("none") << QByteArrayList{} << int(Command::Run) << false;
    QTest::newRow("run") << QByteArrayList{ "run" } << int(Command::Run) << false;
    QTest::newRow("option before") << QByteArrayList{ "--once", "run" } << int(Command::Run) << true;
    QTest::newRow("option behind") << QByteArrayList{ "run", "--once" } << int(Command::Run) << true;
    QTest::newRow("option alone") << QByteArrayList{ "--once" } << int(Command::Run) << true;
    QTest::newRow("cleanup") << QByteArrayList{ "cleanup" } << int(Command::Cleanup) << false;
    QTest::newRow("config") << QByteArrayList{ "config", "--once" } << int(Command::Config) << true;
    QTest::newRow("relay") << QByteArrayList{ "relay" } << int(Command::Relay) << false;
    QTest::newRow("probe") << QByteArrayList{ "probe", "ready" } << int(Command::Probe) << false;
}

void tst_Settings::commands()
{
    QFETCH(QByteArrayList, arguments);
    QFETCH(int, command);
    QFETCH(bool, once);
    const Settings settings = settingsOf(arguments);
    QCOMPARE(int(settings.command), command);
    QCOMPARE(settings.once, once);
}

void tst_Settings::switchesNeedNoValue()
{
    const Settings settings =
        settingsOf({ "--once", "--poll", "--keep-on-exit=false" }, { { "FIRSTWATCH_KEEP_ON_EXIT", "true" } });
    QVERIFY(settings.once);
    QVERIFY(settings.poll);
    QVERIFY(!settings.keepOnExit);
}

void tst_Settings::theLastOfARepeatedFlagCounts()
{
    QCOMPARE(settingsOf({ "--net-dir", "/a", "--net-dir=/b" }).netDir, "/b");
    QVERIFY(!settingsOf({ "--once", "--once=false" }).once);
}

void tst_Settings::repeatedExcludesAddUp()
{
    const QByteArrayList both{ "a*", "b*" };
    QCOMPARE(settingsOf({ "--exclude", "a*", "--exclude=b*" }).exclude, both);
    QCOMPARE(settingsOf({}, { { "FIRSTWATCH_EXCLUDE", "a*:b*" } }).exclude, both);
    const QByteArrayList files{ "/a", "/b" };
    QCOMPARE(settingsOf({ "--network-config-file", "/a", "--network-config-file", "/b" }).networkConfigFiles, files);
}

void tst_Settings::valuesThatLookLikeFlagsAreValues()
{
    QCOMPARE(settingsOf({ "--exclude", "-x*" }).exclude, QByteArrayList{ "-x*" });
    QCOMPARE(settingsOf({ "--exclude=--once" }).exclude, QByteArrayList{ "--once" });
}

void tst_Settings::emptyFlagValueSwallowsNothing()
{
    const Printed equals = printedOf({ "--net-dir=", "--once" });
    QCOMPARE(equals.exitCode, 2);
    QVERIFY2(equals.text.startsWith("firstwatchd: --net-dir= has no value"), equals.text.constData());
    const Printed apart = printedOf({ "--net-dir", "" });
    QCOMPARE(apart.exitCode, 2);
    QVERIFY2(apart.text.startsWith("firstwatchd: --net-dir: the value is empty"), apart.text.constData());
    for (const QByteArrayList &wrong :
        { QByteArrayList{ "--net-dir" }, { "--nonsense" }, { "stop" }, { "run", "cleanup" } }) {
        const Printed printed = printedOf(wrong);
        QCOMPARE(printed.exitCode, 2);
        QVERIFY2(printed.text.endsWith("See firstwatchd --help.\n"), printed.text.constData());
    }
}

void tst_Settings::wideKubeconfigModeIsAFinding_data()
{
    QTest::addColumn<QByteArray>("mode");
    QTest::addColumn<bool>("wide");
    QTest::newRow("default") << QByteArray() << false;
    QTest::newRow("600") << QByteArray("600") << false;
    QTest::newRow("400") << QByteArray("400") << false;
    QTest::newRow("640") << QByteArray("640") << true;
    QTest::newRow("604") << QByteArray("604") << true;
    QTest::newRow("700") << QByteArray("700") << true;
}

void tst_Settings::wideKubeconfigModeIsAFinding()
{
    QFETCH(QByteArray, mode);
    QFETCH(bool, wide);
    const Settings settings = settingsOf({}, { { "KUBECONFIG_MODE", mode } });
    QCOMPARE(settings.findings.size(), wide ? 1 : 0);
    if (wide)
        QCOMPARE(settings.findings.first().code, 1303);
}

void tst_Settings::configShowsNothingOfTheTemplate()
{
    const QByteArray text = R"({"type":"mine","password":"canary-7f3a"})";
    const QString table = settingsTable(settingsOf({ "config" }, { { "CNI_NETWORK_CONFIG", text } }));
    QVERIFY(table.contains(u"mine, 40 bytes"));
    QVERIFY(!table.contains(u"canary"));
}

void tst_Settings::tableIsAligned()
{
    const QString table = settingsTable(settingsOf({ "--net-dir", "/x" }, { { "DEST_CNI_BIN_DIR", "/y" } }));
    QStringList lines = table.split(u'\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), allOptions().size());
    QVERIFY(lines.first().startsWith(u"DEST_CNI_NET_DIR "));
    QVERIFY(lines.first().endsWith(u"  flag"));
    QVERIFY(lines.at(1).endsWith(u"  environment"));
    const qsizetype column = lines.first().lastIndexOf(u"flag");
    for (const QString &line : lines)
        QVERIFY2(line.sliced(column - 2, 2) == u"  " && line.at(column) != u' ', qPrintable(line));
}

void tst_Settings::helpFitsEightyColumns()
{
    for (const QByteArray &line : helpText().split('\n'))
        QVERIFY2(line.size() <= 80, line.constData());
}

void tst_Settings::helpNamesEveryOption()
{
    const QByteArray help = helpText();
    for (const Option &option : allOptions()) {
        const QByteArray start = "\n  " + QByteArray(option.flag);
        QVERIFY2(help.contains(start), option.flag);
    }
}

void tst_Settings::helpExamplesParse()
{
    const QByteArray help = helpText();
    const qsizetype start = help.indexOf("Examples:\n");
    QVERIFY(start > 0);
    int examples = 0;
    for (const QByteArray &line : help.sliced(start).split('\n')) {
        if (!line.startsWith("  firstwatchd"))
            continue;
        QProcess shell; // takes the quotes away as a user's shell does
        shell.start(
            QStringLiteral("/bin/sh"), { QStringLiteral("-c"), QString::fromUtf8("printf '%s\\0' " + line.trimmed()) });
        QVERIFY(shell.waitForFinished());
        QByteArrayList arguments = shell.readAllStandardOutput().chopped(1).split('\0');
        QCOMPARE(arguments.takeFirst(), "firstwatchd");
        QVERIFY2(printedOf(arguments).exitCode == -1, line.constData());
        ++examples;
    }
    QCOMPARE(examples, 4);
}

void tst_Settings::versionAndHelp_data()
{
    QTest::addColumn<QByteArrayList>("arguments");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("--version") << QByteArrayList{ "--version" } << QByteArray("firstwatchd 0.1.0\n");
    QTest::newRow("run --version") << QByteArrayList{ "run", "--version" } << QByteArray("firstwatchd 0.1.0\n");
    QTest::newRow("--help") << QByteArrayList{ "--help" } << helpText();
    QTest::newRow("-h") << QByteArrayList{ "-h" } << helpText();
    QTest::newRow("cleanup --help") << QByteArrayList{ "cleanup", "--help" } << helpText();
    QTest::newRow("help before a bad value") << QByteArrayList{ "--scope", "x", "--help" } << helpText();
}

void tst_Settings::versionAndHelp()
{
    QFETCH(QByteArrayList, arguments);
    QFETCH(QByteArray, text);
    const Printed printed = printedOf(arguments);
    QCOMPARE(printed.text, text);
    QCOMPARE(printed.exitCode, 0);
}

void tst_Settings::readsTheProcessEnvironment()
{
    qputenv("FIRSTWATCH_TEST_VARIABLE", "a=b=\xff");
    QCOMPARE(processEnvironment().value("FIRSTWATCH_TEST_VARIABLE"), "a=b=\xff");
    qunsetenv("FIRSTWATCH_TEST_VARIABLE");
}

QTEST_GUILESS_MAIN(tst_Settings)
#include "tst_settings.moc"
