// SPDX-License-Identifier: Apache-2.0
// What no plan changes, and why.
#include "conflist/findingcodes.h"
#include "templates.h"

#include <QTest>

using namespace firstwatch::conflist;
using namespace firstwatch::test;

Q_DECLARE_METATYPE(firstwatch::conflist::Action)

class tst_Refusals : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void leftAlone_data();
    void leftAlone();
};

namespace {

QByteArray listOf(const QByteArray &elements)
{
    return R"({"cniVersion":"1.0.0","name":"lab","plugins":[)" + elements + "]}";
}

void row(const char *what, const char *name, const QByteArray &text, Action action, bool drift, int code)
{
    QTest::newRow(what) << QByteArray(name) << text << action << drift << code;
}

// Files with one plugin, or named as such.
void leaveSinglesAlone()
{
    using namespace firstwatch::conflist::code;
    const Action refuse = Action::Refuse;
    row("list in a .conf", "a.conf", listOf(R"({"type":"a"})"), refuse, false, listInConf);
    row("list in a .json", "a.json", listOf(R"({"type":"a"})"), refuse, false, listInConf);
    row("type and plugins", "a.conf", R"({"name":"x","type":"a","plugins":[]})", refuse, true, typeAndPlugins);
    row("no type", "a.conf", R"({"name":"x"})", refuse, false, rejectedField);
    row("no name", "a.conf", R"({"type":"a"})", refuse, true, missingName);
    row("empty name", "a.conf", R"({"name":"","type":"a"})", refuse, true, missingName);
    row("name twice", "a.conf", R"({"name":"x","NAME":"y","type":"a"})", refuse, true, duplicateKey);
    row("lone loopback", "a.conf", R"({"name":"x","type":"loopback"})", Action::Ignore, false, loopbackOnly);
    row("ours alone", "a.conf", R"({"name":"x","type":"own"})", refuse, false, onlyOurs);
    row("ours in a delegate of a .conf", "a.conf",
        R"({"name":"x","type":"m","delegates":[{"plugins":[{"type":"own"}]}]})", refuse, true, oursInDelegate);
    row("too deep to become a list", "a.conf",
        R"({"name":"x","type":"a","d":)" + QByteArray(9998, '[') + QByteArray(9998, ']') + '}', refuse, false,
        rejectedField);
}

} // namespace

void tst_Refusals::leftAlone_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<Action>("action");
    QTest::addColumn<bool>("drift");
    QTest::addColumn<int>("code");
    using namespace firstwatch::conflist::code;
    const Action refuse = Action::Refuse;
    const Action incomplete = Action::Incomplete;
    row("empty", "a.conflist", "", incomplete, false, emptyFile);
    row("cut", "a.conflist", listOf(R"({"type":"a"})").chopped(1), incomplete, false, notParsed);
    row("NUL", "a.conflist", listOf(R"({"type":"a"})") + '\0', incomplete, false, nulBytes);
    row("BOM", "a.conflist", "\xEF\xBB\xBF" + listOf(R"({"type":"a"})"), incomplete, false, byteOrderMark);
    row("UTF-16", "a.conflist", QByteArray("\xFF\xFE{\0}\0", 6), incomplete, false, byteOrderMark);
    row("array", "a.conflist", "[]", refuse, false, rejectedField);
    row("null", "a.conf", "null", refuse, false, rejectedField);
    row("no name", "a.conflist", R"({"plugins":[{"type":"a"}]})", refuse, false, missingName);
    row("name null", "a.conflist", R"({"name":null,"plugins":[{"type":"a"}]})", refuse, false, rejectedField);
    row("name in another case", "a.conflist", R"({"Name":"x","plugins":[{"type":"a"}]})", refuse, false, missingName);
    row("plugins missing", "a.conflist", R"({"name":"x","pugins":[{"type":"a"}]})", refuse, false, dropInOnly);
    row("only inlined and no plugins", "a.conflist", R"({"name":"x","loadOnlyInlinedPlugins":true})", refuse, false,
        emptyList);
    row("plugins empty", "a.conflist", listOf(""), refuse, false, emptyList);
    row("plugins null", "a.conflist", R"({"name":"x","plugins":null})", refuse, false, pluginsNotAList);
    row("plugins an object", "a.conflist", R"({"name":"x","plugins":{"type":"a"}})", refuse, false, pluginsNotAList);
    row("plugins mixed", "a.conflist", listOf(R"({"type":"a"},7)"), refuse, false, rejectedField);
    row("plugin null", "a.conflist", listOf("null"), refuse, false, rejectedField);
    row("plugin without type", "a.conflist", listOf(R"({"type":"a"},{"name":"b"})"), refuse, false, rejectedField);
    row("type a number", "a.conflist", listOf(R"({"type":5})"), refuse, false, rejectedField);
    row("capabilities that runtimes refuse", "a.conflist", listOf(R"({"type":"a","capabilities":[]})"), refuse, false,
        rejectedField);
    row("rejected because of ours", "a.conflist", listOf(R"({"type":"a"},{"type":"own","ipam":7})"), refuse, false,
        rejectedField);
    row("version not a string", "a.conflist", R"({"cniVersion":1,"name":"x","plugins":[{"type":"a"}]})", refuse, false,
        rejectedField);
    row("single in a .conflist", "a.conflist", R"({"name":"x","type":"a"})", refuse, false, singleInConflist);
    row("plugins twice", "a.conflist", R"({"name":"x","plugins":[{"type":"a"}],"plugins":[{"type":"b"}]})", refuse,
        true, duplicateKey);
    row("only loopback", "a.conflist", listOf(R"({"type":"loopback"})"), Action::Ignore, false, loopbackOnly);
    row("only loopback, and ours", "a.conflist", listOf(R"({"type":"loopback"},{"type":"own"})"), Action::Ignore, false,
        loopbackOnly);
    row("only ours", "a.conflist", listOf(R"({"type":"own","x":1})"), refuse, false, onlyOurs);
    row("ours in a delegate", "a.conflist", listOf(R"({"type":"m","delegates":[{"type":"own"}]})"), refuse, true,
        oursInDelegate);
    leaveSinglesAlone();
    row("too many parts", "a.conflist", listOf(R"({"type":"a"})" + QByteArray(",{\"type\":\"a\"}").repeated(4096)),
        refuse, true, tooManyParts);
    row("too many parts in sum", "a.conflist",
        listOf(R"({"type":"a"})" + QByteArray(",{\"type\":\"a\"}").repeated(2100)), refuse, true, tooManyParts);
    row("too large, and ours inside", "a.conflist",
        listOf(R"({"type":"a"},{"type":"own"})") + QByteArray(maximumFileSize, ' '), refuse, true, fileTooLarge);
    row("too large", "a.conflist", listOf(R"({"type":"a"})") + QByteArray(maximumFileSize, ' '), refuse, true,
        fileTooLarge);
}

void tst_Refusals::leftAlone()
{
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, text);
    QFETCH(int, code);
    const Plan planned = plan(name, text, optionsFor({ R"({"type":"own"})" }));
    QTEST(planned.action, "action");
    QTEST(planned.drift, "drift");
    QCOMPARE(planned.findings.size(), 1);
    QCOMPARE(planned.findings[0].code, code);
    QVERIFY(planned.findings[0].text.endsWith(u'.'));
    QVERIFY(planned.text.isEmpty());
}

QTEST_GUILESS_MAIN(tst_Refusals)
#include "tst_refusals.moc"
