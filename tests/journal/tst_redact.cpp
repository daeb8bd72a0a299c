// SPDX-License-Identifier: Apache-2.0
#include "journal/redact.h"

#include "journal/history.h"
#include "journal/journal.h"
#include "journal/log.h"
#include "stderrto.h"

#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace firstwatch;
using namespace firstwatch::journal;
using firstwatch::test::StderrTo;

namespace {

// Not a real one: {"alg":"none"} . {"sub":"canary"} . "signature".
const QByteArray jwt = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJjYW5hcnkifQ.Q0FOQVJZLXNpZ25hdHVyZQ";
const QByteArray pem = "-----BEGIN EC PRIVATE KEY-----\nQ0FOQVJZ/key+bytes\nQ0FOQVJZ==\n-----END EC PRIVATE KEY-----";
const QByteArrayList canaries{ "eyJ", "Q0FOQVJZ", "CANARY", "c2VjcmV0" };

bool isClean(const QByteArray &text)
{
    return std::none_of(
        canaries.cbegin(), canaries.cend(), [&text](const QByteArray &canary) { return text.contains(canary); });
}

// Every form in which a secret has been seen in an input of the service.
const QByteArrayList &plantedTexts()
{
    static const QByteArrayList texts{ jwt, pem, "Authorization: Basic CANARY:CANARY", "Authorization: Bearer " + jwt,
        "bearer CANARY.token_~+/=", "token: CANARY", "token: \"CANARY with a space\"", "\"token\": \"CANARY\"",
        "{\\\"token\\\":\\\"CANARY\\\"}", "password=CANARY&x=1", "client-key-data: CANARYc2VjcmV0",
        "certificate-authority-data: LS0tLS1CRUdJTiBDANARYc2VjcmV0", "LS0tLS1CRUdJTiBDRVJUQ0FOQVJZ", "API_KEY='CANARY'",
        "id-token=CANARY", "cannot parse '" + jwt.left(40) };
    return texts;
}

} // namespace

class TestRedact final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void p51_secretFormsAreCut_data();
    void p51_secretFormsAreCut();
    void p51_noShortCutMissesWhatThePatternFinds();
    void p51_unlistedNamesShowTheirShapeOnly();
    void p51_aCanaryInAnyFieldNeverLeaves_data();
    void p51_aCanaryInAnyFieldNeverLeaves();
    void p51_qtMessagesAreCutToo();
    void ordinaryTextStays_data();
    void ordinaryTextStays();
    void markersSayHowMuchIsMissing();
    void longTextsAreBounded();
    void everyFieldOfEventsGoesThrough();
};

void TestRedact::p51_secretFormsAreCut_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const QByteArray &text : plantedTexts())
        QTest::addRow("%s", text.left(40).constData()) << text;
    QTest::newRow("within a sentence") << "The request with " + jwt + " failed: retry.";
    QTest::newRow("PEM cut before its end") << pem.left(50);
    QTest::newRow("two at once") << QByteArray("token: CANARY, password: CANARY");
    QTest::newRow("header, other case") << QByteArray("AUTHORIZATION=Digest username=CANARY, response=CANARY");
}

void TestRedact::p51_secretFormsAreCut()
{
    QFETCH(QByteArray, text);
    const QString result = redactedText(QString::fromUtf8(text));
    QVERIFY2(isClean(result.toUtf8()), qPrintable(result));
    QVERIFY2(result.contains(QStringLiteral("‹cut, ")), qPrintable(result));
    QCOMPARE(redactedText(result).contains(QStringLiteral("CANARY")), false);
}

// A text is not looked through when no character of it can belong to a secret; a space before it makes sure that it is.
void TestRedact::p51_noShortCutMissesWhatThePatternFinds()
{
    for (const QByteArray &planted : plantedTexts()) {
        const QString whole = QString::fromUtf8(planted);
        for (const QString &text : { whole, whole.toLower(), whole.toUpper() }) {
            for (qsizetype from = 0; from < text.size(); ++from) {
                for (qsizetype size = 1; from + size <= std::min(text.size(), from + 60); ++size) {
                    const QString part = text.mid(from, size);
                    const QString looked = redactedText(QStringLiteral("( ") + part).sliced(2);
                    QVERIFY2(redactedText(part) == looked, qPrintable(part));
                }
            }
        }
    }
}

void TestRedact::p51_unlistedNamesShowTheirShapeOnly()
{
    const QJsonObject fields{ { QLatin1String("token"), QLatin1String("CANARY, 24 chars in all.") },
        { QLatin1String("number"), 5 }, { QLatin1String("flag"), true }, { QLatin1String("object"), QJsonObject() },
        { QLatin1String("list"), QJsonArray{ QLatin1String("CANARY") } },
        { QLatin1String("nothing"), QJsonValue::Null },
        { QLatin1String("CNI_NETWORK_CONFIG"), QLatin1String("CANARY") },
        { QLatin1String("settings"),
            QJsonObject{ { QLatin1String("token"), QLatin1String("CANARY") },
                { QLatin1String("DEST_CNI_NET_DIR"), QLatin1String("/etc/cni/net.d") } } } };
    const QJsonObject expected{ { QLatin1String("token"), QStringLiteral("‹string, 24 chars›") },
        { QLatin1String("number"), QStringLiteral("‹number›") }, { QLatin1String("flag"), QStringLiteral("‹boolean›") },
        { QLatin1String("object"), QStringLiteral("‹object›") }, { QLatin1String("list"), QStringLiteral("‹list›") },
        { QLatin1String("nothing"), QJsonValue::Null },
        { QLatin1String("CNI_NETWORK_CONFIG"), QStringLiteral("‹string, 6 chars›") },
        { QLatin1String("settings"),
            QJsonObject{ { QLatin1String("token"), QStringLiteral("‹string, 6 chars›") },
                { QLatin1String("DEST_CNI_NET_DIR"), QLatin1String("/etc/cni/net.d") } } } };
    QCOMPARE(redacted(fields), expected);
}

void TestRedact::p51_aCanaryInAnyFieldNeverLeaves_data()
{
    QTest::addColumn<LogFormat>("format");
    QTest::newRow("JSON") << LogFormat::Json;
    QTest::newRow("text") << LogFormat::Text;
}

// Planted in every field of every kind of event, by its own name and by one nobody listed; then everything that keeps
// or shows an event is searched: ring, log, history and state.
void TestRedact::p51_aCanaryInAnyFieldNeverLeaves()
{
    QFETCH(LogFormat, format);
    StderrTo reader(StderrTo::What::Pipe);
    startLog(format, LogLevel::Debug);
    const QTemporaryDir directory;
    History history;
    QString error;
    QVERIFY(history.open(directory.path().toUtf8(), error));
    Journal journal;
    QByteArray logged;
    connect(&journal, &Journal::recorded, this, [&](const Event &event, const QByteArray &line) {
        logEvent(event, line);
        history.append(line);
        if (event.seq % 16 == 0)
            logged += reader.readAll();
    });
    const QStringList names{ QStringLiteral("text"), QStringLiteral("reason"), QStringLiteral("file"),
        QStringLiteral("why"), QStringLiteral("summary"), QStringLiteral("holder"), QStringLiteral("settings"),
        QStringLiteral("node"), QStringLiteral("step"), QStringLiteral("state"), QStringLiteral("body"),
        QStringLiteral("token") };
    for (const QByteArray &planted : plantedTexts()) {
        QJsonObject fields{ { QLatin1String("code"), 1301 } };
        for (const QString &name : names)
            fields.insert(name, QString::fromUtf8(planted));
        fields.insert(QLatin1String("settings"), QJsonArray{ fields });
        for (int kind = 0; kind < int(Kind::Unknown); ++kind)
            journal.record(Kind(kind), fields);
        journal.openFinding({ 1301, QString::fromUtf8(planted) }, planted, fields);
    }
    logged += reader.readAll();
    QCOMPARE(droppedLogLines(), quint64(0));
    QVERIFY(logged.contains("‹cut, "));
    for (const QByteArray &line : logged.split('\n'))
        QVERIFY2(isClean(line), line.constData());
    for (const Ring::Entry &entry : journal.ring().since(0))
        QVERIFY2(isClean(entry.line), entry.line.constData());
    const History::Read read = History::read(directory.path().toUtf8());
    QCOMPARE(read.torn, 0);
    for (const Event &event : read.events)
        QVERIFY(isClean(toLine(event)));
    QString state;
    QDebug(&state) << journal.state();
    QVERIFY2(isClean(state.toUtf8()), qPrintable(state));
    for (const NodeState::OpenFinding &finding : journal.state().findings())
        QVERIFY(isClean(finding.text.toUtf8()));
}

void TestRedact::p51_qtMessagesAreCutToo()
{
    StderrTo reader(StderrTo::What::Pipe);
    startLog(LogFormat::Text, LogLevel::Debug);
    for (const QByteArray &planted : plantedTexts())
        qWarning("%s", planted.constData());
    const QByteArray logged = reader.readAll();
    QVERIFY(logged.count("‹cut, ") >= plantedTexts().size());
    QVERIFY2(isClean(logged), logged.constData());
}

void TestRedact::ordinaryTextStays_data()
{
    QTest::addColumn<QString>("text");
    const auto row = [](const char *text) { QTest::addRow("%s", text) << QString::fromUtf8(text); };
    row("");
    row("10-calico.conflist");
    row("ZZZ-linkerd-cni-kubeconfig");
    row("/var/run/secrets/kubernetes.io/serviceaccount/token: No such file or directory");
    row("The token cannot be read (Permission denied).");
    row("The bearer token is empty.");
    row("https://[fd00::1]:443");
    row("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    row("sysctl -w fs.inotify.max_user_watches=524288");
    row("line 3, column 7: ',' expected");
    row("2026-08-23T10:00:00Z");
}

void TestRedact::ordinaryTextStays()
{
    QFETCH(QString, text);
    QCOMPARE(redactedText(text), text);
}

void TestRedact::markersSayHowMuchIsMissing()
{
    QCOMPARE(redactedText(QStringLiteral("a token: abcdef, b")), QStringLiteral("a token: ‹cut, 6 chars›, b"));
    QCOMPARE(redactedText(QStringLiteral("Bearer abcdef b")), QStringLiteral("Bearer ‹cut, 6 chars› b"));
}

void TestRedact::longTextsAreBounded()
{
    const QString longText = QString(10'000'000, QLatin1Char('a'));
    const QString text = redacted({ { QLatin1String("text"), longText } })[QLatin1String("text")].toString();
    QVERIFY(text.size() < maxText + 30);
    QVERIFY(text.endsWith(QStringLiteral("… (10000000 chars)")));
}

// The list in redact.cpp against the comments of event.h, which are the contract.
void TestRedact::everyFieldOfEventsGoesThrough()
{
    const QByteArrayList names = QByteArray(
        "version pid node net_dir settings clean summary backend dir watch probe probe_us witness reason errno "
        "interval_ms pass evidence margin_ns files patched missed us file via mask seen_ns state active why retry_ms "
        "sha_before sha_after repatch recovered step count age_s expires mode sha holder waited_ms ok code text line "
        "column")
                                     .split(' ');
    for (const QByteArray &name : names) {
        const QJsonObject fields{ { QString::fromLatin1(name), QLatin1String("x") } };
        QCOMPARE(redacted(fields), fields);
    }
}

QTEST_GUILESS_MAIN(TestRedact)
#include "tst_redact.moc"
