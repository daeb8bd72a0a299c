// SPDX-License-Identifier: Apache-2.0
#include "service/token.h"

#include "serviceaccount.h"

#include <QTest>

using namespace firstwatch;
using namespace firstwatch::service;

class tst_Token : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void timesOfAJwt_data();
    void timesOfAJwt();
    void ageAndTimeLeft();
    void readsThroughTheDataLink();
    void tokenAndCaAreOfOneGeneration();
    void readsAPlainDirectory();
    void noDirectory();
    void saysWhyThereIsNone_data();
    void saysWhyThereIsNone();
};

void tst_Token::timesOfAJwt_data()
{
    QTest::addColumn<QByteArray>("token");
    QTest::addColumn<qint64>("issued"); // -1: none
    QTest::addColumn<qint64>("expires");
    const auto row = [](const char *name, const QByteArray &token, qint64 issued = -1, qint64 expires = -1) {
        QTest::newRow(name) << token << issued << expires;
    };
    const auto claims = [](const QByteArray &json) -> QByteArray {
        return "e30." + json.toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals) + ".c2ln";
    };
    row("both", test::jwt(1000, 4600), 1000, 4600);
    row("no exp", claims(R"({"iat":5})"), 5);
    row("fractions", claims(R"({"iat":5.9,"exp":1e3})"), 5, 1000);
    row("url alphabet", claims(R"({"exp":7,"x":"~~~???>>>"})"), -1, 7);
    row("text", claims(R"({"exp":"soon"})"));
    row("negative", claims(R"({"exp":-5})"));
    row("no date", claims(R"({"exp":1e300})"));
    row("array", claims("[1]"));
    row("not JSON", claims("{"));
    row("deep", claims(QByteArray(30000, '[')));
    row("not base64", "a.*!.c");
    row("opaque", "secret");
    row("two parts", "a.b");
    row("four parts", "a.b.c.d");
    row("dots", "..");
    row("empty", "");
}

void tst_Token::timesOfAJwt()
{
    QFETCH(QByteArray, token);
    QFETCH(qint64, issued);
    QFETCH(qint64, expires);
    const TokenTimes times = tokenTimes(token);
    QCOMPARE(times.issued.value_or(-1), issued);
    QCOMPARE(times.expires.value_or(-1), expires);
}

void tst_Token::ageAndTimeLeft()
{
    const TokenTimes times{ 100, 160 };
    QCOMPARE(times.ageSeconds(130).value(), 30);
    QCOMPARE(times.secondsLeft(130).value(), 30);
    QCOMPARE(times.secondsLeft(170).value(), -10);
    QVERIFY(!times.isExpired(159));
    QVERIFY(times.isExpired(160));
    QVERIFY(!TokenTimes().isExpired(160));
    QVERIFY(!TokenTimes().ageSeconds(1) && !TokenTimes().secondsLeft(1));
}

void tst_Token::readsThroughTheDataLink()
{
    test::ServiceAccountDir account;
    for (const QByteArray &token : QByteArrayList{ "one", "two", "three" }) {
        account.rotate(token + '\n');
        QCOMPARE(readToken(ServiceAccount::open(account.path())).text, token);
    }
}

void tst_Token::tokenAndCaAreOfOneGeneration()
{
    test::ServiceAccountDir account;
    account.rotate("one");
    const ServiceAccount opened = ServiceAccount::open(account.path());
    account.rotate("two");
    QCOMPARE(readToken(opened).text, "one");
}

void tst_Token::readsAPlainDirectory()
{
    const test::NetDir directory;
    directory.writeInPlace("token", "plain");
    QCOMPARE(readToken(ServiceAccount::open(directory.path())).text, "plain");
}

void tst_Token::noDirectory()
{
    QVERIFY(!ServiceAccount::open("/nonexistent/serviceaccount").isThere());
    QVERIFY(!ServiceAccount::open("/dev/null").isThere());
}

void tst_Token::saysWhyThereIsNone_data()
{
    QTest::addColumn<QByteArray>("token"); // null: removed
    QTest::addColumn<QString>("says");
    QTest::newRow("missing") << QByteArray() << QStringLiteral("No such file");
    QTest::newRow("empty") << QByteArray("") << QStringLiteral("empty");
    QTest::newRow("blanks") << QByteArray(" \n\t") << QStringLiteral("empty");
    QTest::newRow("two words") << QByteArray("canary-7f3a b") << QStringLiteral("not one word");
    QTest::newRow("control") << QByteArray("canary-7f3a\x01z") << QStringLiteral("not one word");
    QTest::newRow("8 bit") << QByteArray("canary-7f3a\xff") << QStringLiteral("not one word");
    QTest::newRow("NUL") << QByteArray("canary-7f3a\0z", 13) << QStringLiteral("not one word");
    QTest::newRow("huge") << QByteArray(64 * 1024 + 1, 'a') << QStringLiteral("larger than");
}

void tst_Token::saysWhyThereIsNone()
{
    QFETCH(QByteArray, token);
    QFETCH(QString, says);
    test::ServiceAccountDir account;
    account.rotate(token);
    if (token.isNull())
        account.remove("token");
    const Token read = readToken(ServiceAccount::open(account.path()));
    QVERIFY(read.text.isEmpty());
    QVERIFY2(read.error.contains(says), qPrintable(read.error));
    QVERIFY(!read.error.contains(u"canary"));
}

QTEST_GUILESS_MAIN(tst_Token)
#include "tst_token.moc"
