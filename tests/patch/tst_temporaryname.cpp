// SPDX-License-Identifier: Apache-2.0
#include "conflist/plan.h"
#include "patch/temporaryname.h"

#include <QSet>
#include <QTest>

using namespace firstwatch;
using namespace firstwatch::patch;

class tst_TemporaryName : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void hashIsOfTheContent();
    void isNoConfigAndTellsItsHash_data();
    void isNoConfigAndTellsItsHash();
    void differsEachTime();
    void othersAreNotOurs_data();
    void othersAreNotOurs();
    void keptNameLeadsBack();
};

void tst_TemporaryName::hashIsOfTheContent()
{
    QCOMPARE(contentHash(""), QByteArray("e3b0c44298fc1c14")); // FIPS 180-4: SHA-256 of nothing
    QCOMPARE(contentHash("a").size(), 16);
    QVERIFY(contentHash("a") != contentHash("b"));
}

void tst_TemporaryName::isNoConfigAndTellsItsHash_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("plain") << QByteArray("10-a.conflist");
    QTest::newRow("longest") << QByteArray(246, 'x') + ".conflist";
    QTest::newRow("newline") << QByteArray("a\nb.conf");
    QTest::newRow("not UTF-8") << QByteArray("\xff\xfe.json");
    QTest::newRow("looks like one") << QByteArray("a.firstwatch-0123456789abcdef012345.conflist");
}

void tst_TemporaryName::isNoConfigAndTellsItsHash()
{
    QFETCH(QByteArray, name);
    const QByteArray hash = contentHash("text");
    const QByteArray temporary = temporaryName(name, hash);
    QVERIFY(temporary.startsWith('.'));
    QVERIFY(temporary.size() <= 255);
    QVERIFY(!conflist::isConfigName(temporary));
    QCOMPARE(temporaryHash(temporary), hash);
    QVERIFY(nameOfKept(temporary).isEmpty());
    QVERIFY(name.startsWith(nameOfTemporary(temporary)));
    QCOMPARE(nameOfTemporary(temporary).size(), std::min<qsizetype>(name.size(), 200));
}

void tst_TemporaryName::differsEachTime()
{
    QSet<QByteArray> seen;
    for (int i = 0; i < 100; ++i)
        seen.insert(temporaryName("a", "0123456789abcdef"));
    QVERIFY(seen.size() > 95);
}

void tst_TemporaryName::othersAreNotOurs_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("config") << QByteArray("10-a.conflist");
    QTest::newRow("no dot") << QByteArray("a.firstwatch-0123456789abcdef012345");
    QTest::newRow("short") << QByteArray(".a.firstwatch-0123456789abcdef01234");
    QTest::newRow("long") << QByteArray(".a.firstwatch-0123456789abcdef0123456");
    QTest::newRow("not hex") << QByteArray(".a.firstwatch-0123456789abcdeg012345");
    QTest::newRow("upper case") << QByteArray(".a.firstwatch-0123456789ABCDEF012345");
    QTest::newRow("no name") << QByteArray(".firstwatch-0123456789abcdef012345");
    QTest::newRow("kept") << QByteArray(".a.conf.firstwatch-kept");
    QTest::newRow("cilium") << QByteArray("10-a.conflist.cilium_bak");
    QTest::newRow("other installer") << QByteArray(".10-a.conflist123456");
    QTest::newRow("empty") << QByteArray();
}

void tst_TemporaryName::othersAreNotOurs()
{
    QFETCH(QByteArray, name);
    QVERIFY(!temporaryHash(name));
}

void tst_TemporaryName::keptNameLeadsBack()
{
    QCOMPARE(keptName("10-a.conf"), QByteArray(".10-a.conf.firstwatch-kept"));
    QCOMPARE(nameOfKept(keptName("10-a.conf")), QByteArray("10-a.conf"));
    QVERIFY(!conflist::isConfigName(keptName("10-a.conf")));
    QVERIFY(nameOfKept("10-a.conf").isEmpty());
    QVERIFY(nameOfKept("x.firstwatch-kept").isEmpty());
}

QTEST_GUILESS_MAIN(tst_TemporaryName)
#include "tst_temporaryname.moc"
