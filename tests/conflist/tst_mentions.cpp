// SPDX-License-Identifier: Apache-2.0
#include "conflist/mentions.h"

#include <QTest>

using namespace firstwatch::conflist;

class tst_Mentions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void files_data();
    void files();
    void nestedTypes_data();
    void nestedTypes();
};

void tst_Mentions::files_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("refers");
    const auto row = [](const char *name, const char *text, bool refers) {
        QTest::newRow(name) << QByteArray(text) << refers;
    };
    row("path", R"({"readinessindicatorfile":"/host/etc/cni/net.d/10-o.conf"})", true);
    row("name only", R"({"a":"10-o.conf"})", true);
    row("nested", R"({"plugins":[{"a":["x",{"b":"net.d/10-o.conf"}]}]})", true);
    row("escaped", R"({"a":"\/net.d\/10-o.con\u0066"})", true);
    row("longer name", R"({"a":"/net.d/10-o.conflist"})", false);
    row("end of a name", R"({"a":"/net.d/x10-o.conf"})", false);
    row("directory", R"({"a":"/10-o.conf/x"})", false);
    row("key", R"({"10-o.conf":"x"})", false);
    row("inside a sentence", R"({"a":"see 10-o.conf"})", false);
    row("cut behind it", R"({"a":"/net.d/10-o.conf",)", true);
    row("cut before it", R"({"a":"/net.d/10-o.conf)", false);
    row("empty", "", false);
}

void tst_Mentions::files()
{
    QFETCH(QByteArray, text);
    QFETCH(bool, refers);
    QCOMPARE(namedConfigs(text).contains("10-o.conf"), refers);
}

void tst_Mentions::nestedTypes_data()
{
    QTest::addColumn<QByteArray>("object");
    QTest::addColumn<bool>("nested");
    const auto row = [](const char *name, const char *object, bool nested) {
        QTest::newRow(name) << QByteArray(object) << nested;
    };
    row("itself", R"({"type":"own"})", false);
    row("delegate", R"({"type":"m","delegate":{"type":"own"}})", true);
    row("chain in a delegate", R"({"type":"m","delegates":[{"plugins":[{"type":"a"},{"type":"two"}]}]})", true);
    row("other type", R"({"type":"m","delegates":[{"type":"a"}]})", false);
    row("other key", R"({"type":"m","delegates":[{"name":"own"}]})", false);
    row("array behind the key", R"({"type":"m","x":{"type":["own"]}})", false);
}

void tst_Mentions::nestedTypes()
{
    QFETCH(QByteArray, object);
    QFETCH(bool, nested);
    QCOMPARE(nestsType(object, { "own", "two" }), nested);
}

QTEST_GUILESS_MAIN(tst_Mentions)
#include "tst_mentions.moc"
