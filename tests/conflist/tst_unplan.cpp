// SPDX-License-Identifier: Apache-2.0
#include "conflist/findingcodes.h"
#include "templates.h"

#include <QTest>

using namespace firstwatch::conflist;
using namespace firstwatch::test;

Q_DECLARE_METATYPE(firstwatch::conflist::Action)

class tst_Unplan : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void takesOursOut_data();
    void takesOursOut();
    void leftAlone_data();
    void leftAlone();
    void p16_onlyOurElementChanges_data();
    void p16_onlyOurElementChanges();
};

namespace {

QByteArray listOf(const QByteArray &elements)
{
    return R"({"name":"lab","plugins":[)" + elements + "]}\n";
}

} // namespace

void tst_Unplan::takesOursOut_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    const auto row = [](const char *name, const char *before, const char *after) {
        QTest::newRow(name) << QByteArray(before) << QByteArray(after);
    };
    row("last", R"({"type":"a"},{"type":"own"})", R"({"type":"a"})");
    row("first", R"( {"type":"own"} , {"type":"a"} )", R"( {"type":"a"} )");
    row("middle", R"({"type":"a"} ,{"type":"own"}, {"type":"b"})", R"({"type":"a"}, {"type":"b"})");
    row("everywhere", R"({"type":"own"},{"type":"own"},{"type":"a"},{"type":"own"},{"type":"b"},{"type":"own"})",
        R"({"type":"a"},{"type":"b"})");
    row("both types", R"({"type":"a"},{"type":"two"},{"type":"own","x":[{"type":"a"}]})", R"({"type":"a"})");
    row("beside what is no object", R"(7, {"type":"own"})", "7");
    row("key in another case", R"({"type":"a"},{"TYPE":"own"})", R"({"type":"a"})");
}

void tst_Unplan::takesOursOut()
{
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    const Plan undone = unplan("a.conflist", listOf(before), { "own", "two" });
    QCOMPARE(undone.action, Action::Patch);
    QCOMPARE(undone.targetName, QByteArray("a.conflist"));
    QCOMPARE(undone.text, listOf(after));
    QVERIFY(changesOnlyOurs(listOf(before), undone.text, { "own", "two" }));
    QCOMPARE(unplan("a.conflist", undone.text, { "own", "two" }).action, Action::None);
}

void tst_Unplan::leftAlone_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<Action>("action");
    QTest::addColumn<int>("code");
    const auto row = [](const char *what, const char *name, const QByteArray &text, Action action, int code) {
        QTest::newRow(what) << QByteArray(name) << text << action << code;
    };
    row("none of ours", "a.conflist", listOf(R"({"type":"a"})"), Action::None, 0);
    row("other case", "a.conflist", listOf(R"({"type":"Own"})"), Action::None, 0);
    row("in a delegate", "a.conflist", listOf(R"({"type":"m","delegates":[{"type":"own"}]})"), Action::None, 0);
    row("empty list", "a.conflist", listOf(""), Action::None, 0);
    row("no list", "a.conflist", "{}", Action::None, 0);
    row("array", "a.conflist", R"([{"type":"own"}])", Action::None, 0);
    row("single plugin", "a.conf", R"({"name":"x","type":"a"})", Action::None, 0);
    row("list in a .conf", "a.conf", listOf(R"({"type":"a"},{"type":"own"})"), Action::None, 0);
    row("only ours", "a.conflist", listOf(R"({"type":"own"},{"type":"own"})"), Action::Refuse, code::onlyOurs);
    row("ours alone", "a.conf", R"({"name":"x","type":"own"})", Action::Refuse, code::onlyOurs);
    row("cut", "a.conflist", listOf(R"({"type":"own"})").chopped(3), Action::Incomplete, code::notParsed);
    row("empty", "a.conflist", "", Action::Incomplete, code::emptyFile);
    row("too many parts", "a.conflist", listOf(QByteArray("{\"type\":\"a\"},").repeated(5000) + R"({"type":"own"})"),
        Action::Refuse, code::tooManyParts);
}

void tst_Unplan::leftAlone()
{
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, text);
    QFETCH(int, code);
    const Plan undone = unplan(name, text, { "own" });
    QTEST(undone.action, "action");
    QCOMPARE(undone.text, QByteArray());
    QCOMPARE(undone.findings.isEmpty() ? 0 : undone.findings[0].code, code);
}

void tst_Unplan::p16_onlyOurElementChanges_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    QTest::addColumn<bool>("onlyOurs");
    const auto row = [](const char *name, const QByteArray &before, const QByteArray &after, bool onlyOurs) {
        QTest::newRow(name) << before << after << onlyOurs;
    };
    const QByteArray one = listOf(R"({"type":"a"})");
    const QByteArray two = listOf(R"({"type":"a"},{"type":"b"})");
    row("same", one, one, true);
    row("added", one, listOf(R"({"type":"a"} ,  {"type":"own"})"), true);
    row("removed", listOf(R"({"type":"own"},{"type":"a"})"), one, true);
    row("moved", listOf(R"({"type":"own"},{"type":"a"})"), listOf(R"({"type":"a"},{"type":"own"})"), true);
    row("changed", listOf(R"({"type":"a"},{"type":"own","x":1})"), listOf(R"({"type":"a"},{"type":"own"})"), true);
    row("between two", two, listOf(R"({"type":"a"},{"type":"own"} , {"type":"b"})"), true);
    row("number of another", listOf(R"({"type":"a","n":1.0})"), listOf(R"({"type":"a","n":1})"), false);
    row("blank inside another", one, listOf(R"({"type": "a"})"), false);
    row("blank between others", two, listOf(R"({"type":"a"}, {"type":"b"})"), false);
    row("blank at the end", one, one + "\n", false);
    row("blank before the bracket", one, listOf(R"({"type":"a"} )"), false);
    row("blank behind the bracket", one, listOf(R"( {"type":"a"})"), false);
    row("member beside plugins", one, QByteArray(one).replace("lab", "bal"), false);
    row("another lost", two, one, false);
    row("another added", one, two, false);
    row("others swapped", two, listOf(R"({"type":"b"},{"type":"a"})"), false);
    row("another lost and ours added", two, listOf(R"({"type":"a"},{"type":"own"})"), false);
    row("cut", one, one.chopped(2), false);
    row("emptied", one, "", false);
    row("list emptied", listOf(R"({"type":"own"})"), listOf(""), false);
    const QByteArray conf = "{\n  \"name\": \"lab\", \"type\": \"a b\"}\n";
    row("converted", conf, listOf(R"({"name":"lab","type":"a b"},{"type":"own"})"), true);
    row("converted, a string changed", conf, listOf(R"({"name":"lab","type":"ab"},{"type":"own"})"), false);
    row("converted, a member lost", conf, listOf(R"({"type":"a b"},{"type":"own"})"), false);
    row("converted, another added", conf, listOf(R"({"name":"lab","type":"a b"},{"type":"c"})"), false);
    row("converted, itself lost", conf, listOf(R"({"type":"own"})"), false);
}

void tst_Unplan::p16_onlyOurElementChanges()
{
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    QFETCH(bool, onlyOurs);
    QCOMPARE(changesOnlyOurs(before, after, { "own" }), onlyOurs);
}

QTEST_GUILESS_MAIN(tst_Unplan)
#include "tst_unplan.moc"
