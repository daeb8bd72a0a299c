// SPDX-License-Identifier: Apache-2.0
#include "journal/redact.h"
#include "journal/redactconfig.h"

#include <QDir>
#include <QTest>

using namespace firstwatch::journal;

namespace {

QByteArray cut(int chars)
{
    return "\"‹cut, " + QByteArray::number(chars) + " chars›\"";
}

} // namespace

class TestRedactConfig : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void p51_noSecretOfAConfigIsShown_data();
    void p51_noSecretOfAConfigIsShown();
    void p51_halfATextShowsNothing_data();
    void p51_halfATextShowsNothing();
    void p51_anyCutOfATextHidesTheSecret();
    void allElseStays_data();
    void allElseStays();
};

void TestRedactConfig::p51_noSecretOfAConfigIsShown_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("shown");
    QTest::newRow("a token") << QByteArray("{ \"k8s_auth_token\" : \"CANARY\" }")
                             << QByteArray("{ \"k8s_auth_token\" : " + cut(6) + " }");
    QTest::newRow("another case") << QByteArray("{\"PASSWORD\":\"CANARY\"}")
                                  << QByteArray("{\"PASSWORD\":" + cut(6) + "}");
    QTest::newRow("an escaped name") << QByteArray("{\"to\\u006ben\":\"CANARY\"}")
                                     << QByteArray("{\"to\\u006ben\":" + cut(6) + "}");
    QTest::newRow("a number") << QByteArray("{\"secret\":-12.5e3}") << QByteArray("{\"secret\":" + cut(7) + "}");
    QTest::newRow("deep in a plugin") << QByteArray("{\"plugins\":[{\"a\":{\"b\":[{\"api_key\":\"CANARY\"}]}},{}]}")
                                      << QByteArray(
                                             "{\"plugins\":[{\"a\":{\"b\":[{\"api_key\":" + cut(6) + "}]}},{}]}");
    QTest::newRow("all below the name") << QByteArray("{\"credentials\":{\"a\":[\"CANARY\",1,null]},\"b\":2}")
                                        << QByteArray("{\"credentials\":{\"a\":[" + cut(6) + "," + cut(1)
                                               + ",null]},\"b\":2}");
    QTest::newRow("twice") << QByteArray("{\"token\":\"CANARY\",\"token\":\"CANARY2\"}")
                           << QByteArray("{\"token\":" + cut(6) + ",\"token\":" + cut(7) + "}");
    QTest::newRow("a certificate without a telling name")
        << QByteArray("{\"x\":\"-----BEGIN PRIVATE KEY-----\\nCANARY\"}") << QByteArray("{\"x\":" + cut(34) + "}");
    QTest::newRow("a bearer in an escape")
        << QByteArray("{\"x\":\"\\u0062earer CANARY\"}") << QByteArray("{\"x\":" + cut(13) + "}");
    QTest::newRow("as a name") << QByteArray("{\"token=CANARY\":1}") << QByteArray("{" + cut(12) + ":1}");
    QTest::newRow("too long to be looked at") << QByteArray("{\"x\":\"" + QByteArray(maxText, 'x') + "CANARY\"}")
                                              << QByteArray("{\"x\":" + cut(maxText + 6) + "}");
}

void TestRedactConfig::p51_noSecretOfAConfigIsShown()
{
    QFETCH(const QByteArray, text);
    QTEST(redactedConfig(text), "shown");
}

void TestRedactConfig::p51_halfATextShowsNothing_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("shown");
    QTest::newRow("half a line") << QByteArray("{\"token\":\"CANARY") << QByteArray("‹cut, 16 chars›");
    QTest::newRow("lines") << QByteArray("{\n\t \"a\": 1,\r\n\n  CANARY")
                           << QByteArray("‹cut, 1 chars›\n\t ‹cut, 7 chars›\r\n\n  ‹cut, 6 chars›");
    QTest::newRow("a quote too few") << QByteArray("{\"a\": \"x, \"password\": \"C,A:N{A]RY\"}\n")
                                     << QByteArray("‹cut, 35 chars›\n");
    QTest::newRow("nothing") << QByteArray() << QByteArray();
}

void TestRedactConfig::p51_halfATextShowsNothing()
{
    QFETCH(const QByteArray, text);
    QTEST(redactedConfig(text), "shown");
}

void TestRedactConfig::p51_anyCutOfATextHidesTheSecret()
{
    const QByteArray text = "{\n  \"plugins\": [ { \"type\": \"a\", \"token\": \"CANARY\" } ]\n}\n";
    for (qsizetype size = 0; size <= text.size(); ++size)
        QVERIFY(!redactedConfig(text.first(size)).contains("CAN"));
}

void TestRedactConfig::allElseStays_data()
{
    QTest::addColumn<QString>("path");
    const QDir folder(QStringLiteral(FIRSTWATCH_SOURCE_DIR "/tests/data/cni"));
    for (const QFileInfo &file : folder.entryInfoList({ QStringLiteral("*.conf*") }, QDir::Files))
        QTest::newRow(qPrintable(file.fileName())) << file.filePath();
}

void TestRedactConfig::allElseStays()
{
    QFETCH(const QString, path);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray text = file.readAll();
    if (text.trimmed().endsWith('}')) // the others are not whole
        QCOMPARE(redactedConfig(text), text);
    else
        QVERIFY(!redactedConfig(text).contains("type"));
}

QTEST_GUILESS_MAIN(TestRedactConfig)
#include "tst_redactconfig.moc"
