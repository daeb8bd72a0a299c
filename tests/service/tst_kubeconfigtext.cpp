// SPDX-License-Identifier: Apache-2.0
#include "service/kubeconfigtext.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

using namespace firstwatch::service;

class tst_KubeconfigText : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void text_data();
    void text();
    void yamlQuotes_data();
    void yamlQuotes();
    void aYamlParserReadsItBack();
    void refusesWhatCannotStandInYaml();
    void readsItsTokenBack();
};

void tst_KubeconfigText::text_data()
{
    QTest::addColumn<bool>("skip");
    QTest::addColumn<QByteArray>("ca");
    QTest::addColumn<QByteArray>("tokenFile");
    QTest::addColumn<QByteArray>("trust");
    QTest::addColumn<QByteArray>("credential");
    const QByteArray inlined = "    token: \"abc\"\n";
    QTest::newRow("CA") << false << QByteArray("ABC") << QByteArray()
                        << QByteArray("    certificate-authority-data: QUJD\n") << inlined;
    QTest::newRow("skip") << true << QByteArray("ABC") << QByteArray()
                          << QByteArray("    insecure-skip-tls-verify: true\n") << inlined;
    QTest::newRow("http") << false << QByteArray() << QByteArray() << QByteArray() << inlined;
    QTest::newRow("token file") << false << QByteArray("ABC") << QByteArray("/n/t")
                                << QByteArray("    certificate-authority-data: QUJD\n")
                                << QByteArray("    tokenFile: \"/n/t\"\n");
}

void tst_KubeconfigText::text()
{
    QFETCH(bool, skip);
    QFETCH(QByteArray, ca);
    QFETCH(QByteArray, tokenFile);
    QFETCH(QByteArray, trust);
    QFETCH(QByteArray, credential);
    const QByteArray expected = "# Written by firstwatchd for its CNI plugin, and again whenever the token changes.\n"
                                "apiVersion: v1\n"
                                "kind: Config\n"
                                "clusters:\n"
                                "- name: local\n"
                                "  cluster:\n"
                                "    server: \"https://[fd00::1]:443\"\n"
        + trust
        + "users:\n"
          "- name: linkerd-cni\n"
          "  user:\n"
        + credential
        + "contexts:\n"
          "- name: linkerd-cni-context\n"
          "  context:\n"
          "    cluster: local\n"
          "    user: linkerd-cni\n"
          "current-context: linkerd-cni-context\n";
    const KubeconfigText made = kubeconfigText({ "https://[fd00::1]:443", skip, ca, "abc", tokenFile });
    QCOMPARE(made.text, expected);
    QVERIFY(isOurKubeconfig(made.text));
}

void tst_KubeconfigText::yamlQuotes_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("quoted"); // empty: refused
    const auto row = [](const char *bytes, const char *quoted) {
        QTest::newRow(quoted) << QByteArray(bytes) << QByteArray(quoted);
    };
    row("", R"("")");
    row("a: b # c", R"("a: b # c")");
    row("a\"b\\c", R"("a\"b\\c")");
    row("%25'&*!|>", R"("%25'&*!|>")");
    row("\xc3\xa9", R"("\u00e9")");
    row("\xe2\x80\xa8", R"("\u2028")");
    row("\xef\xbb\xbf", R"("\ufeff")");
    row("\xf0\x9f\x98\x80", R"("\U0001f600")");
    for (const char *refused : { "\n", "\r", "\t", "\x7f", "\x01", "\xc2\x85", "\xff", "\xc0\xaf", "\xed\xa0\x80" })
        QTest::addRow("refused %02x", uint(uchar(refused[0])) * 256 + uchar(refused[1]))
            << QByteArray(refused) << QByteArray();
}

void tst_KubeconfigText::yamlQuotes()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, quoted);
    QCOMPARE(yamlQuoted(bytes).value_or(QByteArray()), quoted);
}

void tst_KubeconfigText::aYamlParserReadsItBack()
{
    QProcess python;
    python.start(QStringLiteral("python3"),
        { QStringLiteral("-c"),
            QStringLiteral("import yaml, json, sys; "
                           "print(json.dumps(yaml.safe_load(sys.stdin.buffer.read())))") });
    if (!python.waitForStarted())
        QSKIP("no python3");
    const QByteArray path = "/net \"d\" \\ # \xc3\xa9 \xf0\x9f\x98\x80: x";
    python.write(kubeconfigText({ "https://[fe80::1%25eth0]:443", false, "ABC", {}, path }).text);
    python.closeWriteChannel();
    QVERIFY(python.waitForFinished());
    if (python.readAllStandardError().contains("No module named"))
        QSKIP("no python3-yaml");
    const QJsonObject config = QJsonDocument::fromJson(python.readAllStandardOutput()).object();
    const QJsonObject cluster = config.value(u"clusters").toArray().at(0).toObject().value(u"cluster").toObject();
    QCOMPARE(cluster.value(u"server").toString(), QStringLiteral("https://[fe80::1%25eth0]:443"));
    QCOMPARE(cluster.value(u"certificate-authority-data").toString(), QStringLiteral("QUJD"));
    const QJsonObject user = config.value(u"users").toArray().at(0).toObject().value(u"user").toObject();
    QCOMPARE(user.value(u"tokenFile").toString(), QString::fromUtf8(path));
}

void tst_KubeconfigText::refusesWhatCannotStandInYaml()
{
    const KubeconfigText token = kubeconfigText({ "https://a:1", true, {}, "canary-7f3a\n", {} });
    QVERIFY(token.text.isEmpty());
    QVERIFY(token.error.startsWith(u"the token has control"));
    QVERIFY(!token.error.contains(u"canary"));
    QVERIFY(kubeconfigText({ "https://a:1", true, {}, {}, "/a\xff" }).error.startsWith(u"the path of the token file"));
}

void tst_KubeconfigText::readsItsTokenBack()
{
    const QByteArray text = kubeconfigText({ "https://a:1", true, {}, "e30.e30.c2ln", {} }).text;
    QCOMPARE(tokenInKubeconfig(text), "e30.e30.c2ln");
    QCOMPARE(tokenInKubeconfig(text.sliced(1)), "");
    QCOMPARE(tokenInKubeconfig(text.first(text.indexOf("e30") + 4)), "");
    QVERIFY(!namesTokenFile(text));
    QVERIFY(namesTokenFile(kubeconfigText({ "https://a:1", true, {}, {}, "/t" }).text));
}

QTEST_GUILESS_MAIN(tst_KubeconfigText)
#include "tst_kubeconfigtext.moc"
