// SPDX-License-Identifier: Apache-2.0
#include "conflist/activefile.h"
#include "conflist/decision.h"
#include "conflist/findingcodes.h"
#include "templates.h"

#include <QTest>

#include <algorithm>

using namespace firstwatch::conflist;
using namespace firstwatch::test;

Q_DECLARE_METATYPE(firstwatch::conflist::ChainPosition)
Q_DECLARE_METATYPE(firstwatch::conflist::Action)

namespace {

const QByteArray ours = R"({"type":"own"})";
const QByteArray second = R"({"type":"two","n":1.0})";

QByteArray listOf(const QByteArray &elements)
{
    return R"({"cniVersion":"1.0.0","name":"lab","plugins":[)" + elements + "]}";
}

bool hasCode(const Plan &plan, int code)
{
    return std::any_of(plan.findings.begin(), plan.findings.end(),
        [code](const firstwatch::Finding &finding) { return finding.code == code; });
}

} // namespace

class tst_Plan : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void names_data();
    void names();
    void chain_data();
    void chain();
    void p16_whatWouldChangeMoreIsRefused_data();
    void p16_whatWouldChangeMoreIsRefused();
    void style_data();
    void style();
    void convert_data();
    void convert();
    void warns_data();
    void warns();
    void keysInMessages_data();
    void keysInMessages();
    void p11_boundedWork_data();
    void p11_boundedWork();
    void largestFile();
};

void tst_Plan::names_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<bool>("config");
    QTest::addColumn<bool>("list");
    const auto row = [](const char *name, bool config, bool list) {
        QTest::newRow(QByteArray(name).toPercentEncoding().constData()) << QByteArray(name) << config << list;
    };
    row("10-a.conflist", true, true);
    row("10-a.conf", true, false);
    row("05-a.json", true, false);
    row(".00-x.conflist", true, true);
    row(".conf", true, false);
    row("10-\xFF\n.conflist", true, true);
    row("X.CONFLIST", false, false);
    row("a.Conf", false, false);
    row("10-a.conflist.cilium_bak", false, false);
    row(".10-a.conflist.firstwatch-Ab12Cd", false, false);
    row("conflist", false, false);
    row("a.conflist~", false, false);
    row("a.conflist ", false, false);
    row("README", false, false);
    row("", false, false);
}

void tst_Plan::names()
{
    QFETCH(QByteArray, name);
    QFETCH(bool, config);
    QFETCH(bool, list);
    QCOMPARE(isConfigName(name), config);
    QCOMPARE(isListName(name), list);
    const Plan planned = plan(name, listOf(R"({"type":"a"})"), optionsFor({ ours }));
    QCOMPARE(planned.action == Action::Ignore, !config);
}

// Which elements come out; an empty `after` stands for no change.
void tst_Plan::chain_data()
{
    QTest::addColumn<QByteArrayList>("templates");
    QTest::addColumn<ChainPosition>("position");
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    const QByteArrayList one{ ours };
    const QByteArrayList both{ ours, second };
    const ChainPosition last = ChainPosition::Last;
    const ChainPosition keep = ChainPosition::Keep;
    const auto row = [](const char *name, const QByteArrayList &templates, ChainPosition position, const char *before,
                         const char *after) {
        QTest::newRow(name) << templates << position << QByteArray(before) << QByteArray(after);
    };
    row("missing", one, last, R"({"type":"a"})", R"({"type":"a"},{"type":"own"})");
    row("there", one, last, R"({"type":"a"},{"type":"own"})", "");
    row("there, written otherwise", one, last, R"({"type":"a"}, { "\u0074ype" : "own" })", "");
    row("drifted", one, last, R"({"type":"a"},  {"type":"own","x":1}  )", R"({"type":"a"},  {"type":"own"}  )");
    row("not last", one, last, R"({"type":"own"},{"type":"a"})", R"({"type":"a"},{"type":"own"})");
    row("in the middle", one, last, R"({"type":"a"} , {"type":"own"},{"type":"b"})",
        R"({"type":"a"},{"type":"b"},{"type":"own"})");
    row("three times", one, last, R"({"type":"own"},{"type":"a"},{"type":"own"},{"type":"b"},{"type":"own"})",
        R"({"type":"a"},{"type":"b"},{"type":"own"})");
    row("twice at the end", one, last, R"({"type":"a"},{"type":"own"},{"type":"own"})",
        R"({"type":"a"},{"type":"own"})");
    row("other case is another plugin", one, last, R"({"type":"Own"})", R"({"type":"Own"},{"type":"own"})");
    row("key in another case is the same key", one, last, R"({"type":"a"},{"Type":"own"})",
        R"({"type":"a"},{"type":"own"})");
    row("last of a repeated type counts", one, last, R"({"type":"a"},{"type":"own","type":"b"})",
        R"({"type":"a"},{"type":"own","type":"b"},{"type":"own"})");
    row("two, both missing", both, last, R"({"type":"a"})", R"({"type":"a"},{"type":"own"},{"type":"two","n":1.0})");
    row("two, there", both, last, R"({"type":"a"},{"type":"own"},{"n":1,"type":"two"})", "");
    row("two, in the wrong order", both, last, R"({"type":"a"},{"type":"two","n":1.0},{"type":"own"})",
        R"({"type":"a"},{"type":"own"},{"type":"two","n":1.0})");
    row("two, one missing", both, last, R"({"type":"a"},{"type":"two","n":1.0})",
        R"({"type":"a"},{"type":"own"},{"type":"two","n":1.0})");
    row("two, one drifted", both, last, R"({"type":"a"},{"type":"own"} ,{"type":"two","n":2})",
        R"({"type":"a"},{"type":"own"} ,{"type":"two","n":1.0})");
    row("keep: first", one, keep, R"({"type":"own"},{"type":"a"})", "");
    row("keep: drifted in place", one, keep, R"({"type":"own","x":[]},{"type":"a"})", R"({"type":"own"},{"type":"a"})");
    row("keep: repeated", one, keep, R"({"type":"a"},{"type":"own"},{"type":"b"},{"type":"own"})",
        R"({"type":"a"},{"type":"own"},{"type":"b"})");
    row("keep: repeated and drifted", one, keep, R"({"type":"own","x":1},{"type":"own"},{"type":"b"})",
        R"({"type":"own"},{"type":"b"})");
    row("keep: missing", one, keep, R"({"type":"a"})", R"({"type":"a"},{"type":"own"})");
    row("keep: one of two missing", both, keep, R"({"type":"two","n":1},{"type":"a"})",
        R"({"type":"two","n":1},{"type":"a"},{"type":"own"})");
    row("keep: own order", both, keep, R"({"type":"two","n":1},{"type":"a"},{"type":"own"})", "");
}

void tst_Plan::chain()
{
    QFETCH(QByteArrayList, templates);
    QFETCH(ChainPosition, position);
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    const Options options = optionsFor(templates, position);
    const Plan planned = plan("a.conflist", listOf(before), options);
    if (after.isEmpty()) {
        QCOMPARE(planned.action, Action::None);
        QCOMPARE(planned.text, QByteArray());
        return;
    }
    QCOMPARE(planned.action, Action::Patch);
    QCOMPARE(planned.targetName, QByteArray("a.conflist"));
    QCOMPARE(planned.text, listOf(after));
    QVERIFY(changesOnlyOurs(listOf(before), planned.text, typesOf(options)));
    QCOMPARE(plan("a.conflist", planned.text, options).action, Action::None);
}

void tst_Plan::p16_whatWouldChangeMoreIsRefused_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("planned");
    QTest::addColumn<int>("code"); // 0: it may be written
    QTest::newRow("ours only") << listOf(R"({"type":"a"})") << listOf(R"({"type":"a"},{"type":"own"})") << 0;
    QTest::newRow("another value") << listOf(R"({"type":"a","n":1})")
                                   << listOf(R"({"type":"a","n":1.0},{"type":"own"})") << code::patchChangesMore;
    QTest::newRow("another gone") << listOf(R"({"type":"a"},{"type":"b"})") << listOf(R"({"type":"a"},{"type":"own"})")
                                  << code::patchChangesMore;
    QTest::newRow("does not load") << listOf(R"({"type":"a"})") << listOf(R"({"type":"a"},{"type":1})")
                                   << code::patchWouldNotLoad;
}

// A fault in the making of the text is caught before the text is written.
void tst_Plan::p16_whatWouldChangeMoreIsRefused()
{
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, planned);
    QFETCH(int, code);
    const QByteArray name("a.conflist");
    const Options options = optionsFor({ ours });
    const Case file{ name, before, options, readConfig(before), {}, typesOf(options) };
    const Plan result = checked(file, { Action::Patch, planned, name, false, {} });
    QCOMPARE(result.action, code == 0 ? Action::Patch : Action::Refuse);
    QCOMPARE(hasCode(result, code), code != 0);
    QCOMPARE(result.text, code == 0 ? planned : QByteArray());
}

// `before` holds a '@' where our element has to come in, with its separator.
void tst_Plan::style_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("added");
    const auto row = [](const char *name, const char *before, const char *added) {
        QTest::newRow(name) << QByteArray(before) << QByteArray(added);
    };
    row("minified", R"({"name":"a","plugins":[{"type":"x"}@]})", R"(,{"type":"own","n":{"a":[1,2],"e":[]}})");
    row("one line", R"({"name": "a", "plugins": [{"type": "x"}@]})",
        R"(, {"type": "own", "n": {"a": [1, 2], "e": []}})");
    row("one line, padded", R"({ "name": "a", "plugins": [ { "type": "x" }@ ] })",
        R"(, { "type": "own", "n": { "a": [1, 2], "e": [] } })");
    row("2 blanks", "{\n  \"name\": \"a\",\n  \"plugins\": [\n    {\n      \"type\": \"x\"\n    }@\n  ]\n}\n",
        ",\n    {\n      \"type\": \"own\",\n      \"n\": {\n        \"a\": [1, 2],\n        \"e\": []\n      }\n    "
        "}");
    row("1 blank", "{\n \"name\": \"a\",\n \"plugins\": [\n  {\n   \"type\": \"x\"\n  }@\n ]\n}",
        ",\n  {\n   \"type\": \"own\",\n   \"n\": {\n    \"a\": [1, 2],\n    \"e\": []\n   }\n  }");
    row("tabs", "{\n\t\"name\": \"a\",\n\t\"plugins\": [\n\t\t{\n\t\t\t\"type\": \"x\"\n\t\t}@\n\t]\n}",
        ",\n\t\t{\n\t\t\t\"type\": \"own\",\n\t\t\t\"n\": {\n\t\t\t\t\"a\": [1, 2],\n\t\t\t\t\"e\": "
        "[]\n\t\t\t}\n\t\t}");
    row("3 blanks in the plugin only",
        "\n{\n  \"name\": \"a\",\n  \"plugins\": [\n    {\n       \"type\": \"x\"\n    }@\n  ]\n}",
        ",\n    {\n       \"type\": \"own\",\n       \"n\": {\n          \"a\": [1, 2],\n          \"e\": []\n       "
        "}\n    }");
    row("no blank after the colon",
        "{\n  \"name\":\"a\",\n  \"plugins\":[\n    {\n      \"type\":\"x\"\n    }@\n  ]\n}",
        ",\n    {\n      \"type\":\"own\",\n      \"n\":{\n        \"a\":[1,2],\n        \"e\":[]\n      }\n    }");
    row("blanks on both sides of the colon", R"({"name" : "a", "plugins" : [{"type" : "x"}@]})",
        R"(, {"type" : "own", "n" : {"a" : [1, 2], "e" : []}})");
    row("CRLF",
        "{\r\n  \"name\": \"a\",\r\n  \"plugins\": [\r\n    {\r\n      \"type\": \"x\"\r\n    }@\r\n  ]\r\n}\r\n",
        ",\r\n    {\r\n      \"type\": \"own\",\r\n      \"n\": {\r\n        \"a\": [1, 2],\r\n        \"e\": []\r\n   "
        "   "
        "}\r\n    }");
    row("one element a line",
        "{\n  \"name\": \"a\",\n  \"plugins\": [\n    {\"type\": \"x\"},\n    {\"type\": \"y\"}@\n  ]\n}",
        ",\n    {\"type\": \"own\", \"n\": {\"a\": [1, 2], \"e\": []}}");
    row("bracket and brace on one line", "{\n  \"name\": \"a\",\n  \"plugins\": [{\n    \"type\": \"x\"\n  }@]\n}",
        ", {\n    \"type\": \"own\",\n    \"n\": {\n      \"a\": [1, 2],\n      \"e\": []\n    }\n  }");
    row("closing brace indented otherwise than the line of the opening one",
        "{\"name\": \"a\", \"plugins\": [{\n    \"type\": \"x\"\n  }@]}",
        ", {\n    \"type\": \"own\",\n    \"n\": {\n      \"a\": [1, 2],\n      \"e\": []\n    }\n  }");
    row("separator of its own", "{\"name\":\"a\",\"plugins\":[{\"type\":\"x\"}\n  ,\n {\"type\":\"y\"}@ ]}",
        "\n  ,\n {\"type\":\"own\",\"n\":{\"a\":[1,2],\"e\":[]}}");
    row("long lines beside short ones",
        "{\n  \"name\": \"a\",\n  \"plugins\": [\n    {\n      \"type\": \"x\"\n    },\n    {\"type\": \"y\"}@\n  ]\n}",
        ",\n    {\n      \"type\": \"own\",\n      \"n\": {\n        \"a\": [1, 2],\n        \"e\": []\n      }\n    "
        "}");
    row("first element behind the bracket", "{\n \"name\": \"a\",\n \"plugins\": [ {\"type\": \"x\"}@\n ]\n}",
        ", {\"type\": \"own\", \"n\": {\"a\": [1, 2], \"e\": []}}");
}

void tst_Plan::style()
{
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, added);
    const QByteArray original = QByteArray(before).replace('@', "");
    const Options options = optionsFor({ R"({ "type":"own","n":{"a":[1,
        2],"e":[ ]}})" });
    const Plan planned = plan("a.conflist", original, options);
    QCOMPARE(planned.action, Action::Patch);
    QCOMPARE(planned.text, QByteArray(before).replace("@", added));
    QCOMPARE(unplan("a.conflist", planned.text, { "own" }).text, original);
}

void tst_Plan::convert_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("target");
    QTest::addColumn<QByteArray>("list");
    int number = 0;
    const auto row = [&number](const char *name, const char *text, const char *target, const char *list) {
        QTest::addRow("%s %d", name, ++number)
            << QByteArray(name) << QByteArray(text) << QByteArray(target) << QByteArray(list);
    };
    row("10-a.conf", R"({"cniVersion":"0.4.0","name":"blue","type":"x"})", "10-a.conflist",
        R"({"cniVersion":"0.4.0","name":"blue","plugins":[{"cniVersion":"0.4.0","name":"blue","type":"x"},{"type":"own"}]})");
    row("05-a.json", R"({"name":"b","type":"x","n":18446744073709551615})", "05-a.conflist",
        R"({"name":"b","plugins":[{"name":"b","type":"x","n":18446744073709551615},{"type":"own"}]})");
    row("a.conf.conf", R"({"cniVersion":"0.2.0","name":"b","type":"x"})", "a.conf.conflist",
        R"({"cniVersion":"0.3.1","name":"b","plugins":[{"cniVersion":"0.2.0","name":"b","type":"x"},{"type":"own"}]})");
    row("a.conf", R"({"cniVersion":"0.3.0","name":"b","type":"x"})", "a.conflist",
        R"({"cniVersion":"0.3.0","name":"b","plugins":[{"cniVersion":"0.3.0","name":"b","type":"x"},{"type":"own"}]})");
    row("a.conf", R"({"cniVersion":"1","name":"b","type":"x"})", "a.conflist",
        R"({"cniVersion":"1","name":"b","plugins":[{"cniVersion":"1","name":"b","type":"x"},{"type":"own"}]})");
    row("a.conf", R"({ "name": "\u0062", "type": "x" })", "a.conflist",
        R"({ "name": "\u0062", "plugins": [{ "name": "\u0062", "type": "x" }, { "type": "own" }] })");
    row("a.conf", "\n{\n\t\"name\": \"b\",\n\n\t\"type\": \"x\"\n}", "a.conflist",
        "\n{\n\t\"name\": \"b\",\n\t\"plugins\": [\n\t\t{\n\t\t\t\"name\": \"b\",\n\n\t\t\t\"type\": "
        "\"x\"\n\t\t},\n\t\t{\n"
        "\t\t\t\"type\": \"own\"\n\t\t}\n\t]\n}");
    row("a.conf", "{\r\n  \"name\":  \"b\",\r\n  \"type\":  \"x\"\r\n}\r\n", "a.conflist",
        "{\r\n  \"name\":  \"b\",\r\n  \"plugins\":  [\r\n    {\r\n      \"name\":  \"b\",\r\n      \"type\":  "
        "\"x\"\r\n    "
        "},\r\n    {\r\n      \"type\":  \"own\"\r\n    }\r\n  ]\r\n}\r\n");
    row("a.conf", "{\"name\":\"b\",\n\"type\":\"x\"}\n", "a.conflist",
        "{\n  \"name\":\"b\",\n  \"plugins\":[\n    {\"name\":\"b\",\n    \"type\":\"x\"},\n    {\n      "
        "\"type\":\"own\"\n"
        "    }\n  ]\n}\n");
}

void tst_Plan::convert()
{
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, list);
    const Options options = optionsFor({ ours });
    const Plan planned = plan(name, text, options);
    QCOMPARE(planned.action, Action::Convert);
    QTEST(planned.targetName, "target");
    QCOMPARE(planned.text, list);
    QVERIFY(changesOnlyOurs(text, planned.text, { "own" }));
    QCOMPARE(verdict(planned.targetName, planned.text).network, verdict(name, text).network);
    QCOMPARE(plan(planned.targetName, planned.text, options).action, Action::None);
}

void tst_Plan::warns_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QList<int>>("codes");
    const auto row = [](const char *what, const char *name, const QByteArray &text, const QList<int> &codes) {
        QTest::newRow(what) << QByteArray(name) << text << codes;
    };
    using namespace firstwatch::conflist::code;
    row("nothing", "a.conflist", listOf(R"({"type":"a"})"), {});
    row("no version", "a.conflist", R"({"name":"x","plugins":[{"type":"a"}]})", { missingCniVersion });
    row("versions instead", "a.conflist", R"({"cniVersions":["1.0.0"],"name":"x","plugins":[{"type":"a"}]})", {});
    row("name that pods fail with", "a.conflist", R"({"cniVersion":"1.0.0","name":"../x","plugins":[{"type":"a"}]})",
        { unusableName });
    row("empty name", "a.conflist", R"({"cniVersion":"1.0.0","name":"","plugins":[{"type":"a"}]})", { unusableName });
    row("type beside plugins", "a.conflist", R"({"cniVersion":"1.0.0","name":"x","type":"y","plugins":[{"type":"a"}]})",
        { typeAndPlugins });
    row("repeated key", "a.conflist", listOf(R"({"type":"a","mtu":1,"mtu":2})"), { duplicateKey });
    row("large number", "a.conflist", listOf(R"({"type":"a","n":[18446744073709551615]})"), { corruptibleNumber });
    row("bad UTF-8", "a.conflist", listOf("{\"type\":\"a\",\"n\":\"\xFF\"}"), { invalidUtf8 });
    row("ours twice", "a.conflist", listOf(R"({"type":"own"},{"type":"a"},{"type":"own"})"), { ownRepeated });
    row("old version", "a.conf", R"({"cniVersion":"0.1.0","name":"x","type":"a"})", { versionRaised });
    row("no version in a .conf", "a.conf", R"({"name":"x","type":"a"})", { missingCniVersion });
}

void tst_Plan::warns()
{
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, text);
    QFETCH(QList<int>, codes);
    const Plan planned = plan(name, text, optionsFor({ ours }));
    QVERIFY(planned.action == Action::Patch || planned.action == Action::Convert);
    QCOMPARE(planned.findings.size(), codes.size());
    for (const int code : codes)
        QVERIFY(hasCode(planned, code));
}

// A key is the only thing out of a file that a message quotes.
void tst_Plan::keysInMessages_data()
{
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<QString>("shown");
    QTest::newRow("plain") << QByteArray("mtu") << QStringLiteral("'mtu'");
    QTest::newRow("letters of all kinds")
        << QByteArray("\u00e4\u5b57\U0001F600") << QString::fromUtf8("'\u00e4\u5b57\U0001F600'");
    QTest::newRow("escape sequence") << QByteArray(R"(\u001b[31m)") << QString::fromUtf8("'\uFFFD[31m'");
    QTest::newRow("line feed") << QByteArray(R"(a\nb)") << QString::fromUtf8("'a\uFFFDb'");
    QTest::newRow("bidi override") << QByteArray(R"(a\u202eb)") << QString::fromUtf8("'a\uFFFDb'");
    QTest::newRow("long") << QByteArray(70, 'k') << QString::fromUtf8("'%1\u2026'").arg(QString(64, u'k'));
}

void tst_Plan::keysInMessages()
{
    QFETCH(QByteArray, key);
    QFETCH(QString, shown);
    const QByteArray member = ",\"" + key + "\":1";
    const Plan planned = plan("a.conflist", listOf(R"({"type":"a")" + member + member + "}"), optionsFor({ ours }));
    QCOMPARE(planned.findings.size(), 1);
    QVERIFY2(planned.findings[0].text.contains(shown), qPrintable(planned.findings[0].text));
}

// Each is about 1 MiB. What is asserted is that it ends, with a verdict; time and memory are measured elsewhere.
void tst_Plan::p11_boundedWork_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("elements") << listOf(QByteArray("1,").repeated(500000) + '1');
    QTest::newRow("members") << QByteArray(R"({"name":"x")" + QByteArray(",\"a\":1").repeated(150000) + '}');
    QTest::newRow("empty plugins") << listOf(QByteArray("{},").repeated(300000) + "{}");
    QTest::newRow("escapes") << listOf(R"({"type":")" + QByteArray("\\ud800").repeated(170000) + "\"}");
    QTest::newRow("blanks") << listOf("{\n" + QByteArray(1000000, ' ') + "\"type\":\"a\"\n}");
    QTest::newRow("deep") << listOf(R"({"type":"own","x":)" + QByteArray(9000, '[') + QByteArray("1,").repeated(400000)
        + '1' + QByteArray(9000, ']') + R"(},{"type":"a"})");
    QTest::newRow("lines") << QByteArray(
        "{\n" + QByteArray(64, ' ') + R"("name":"x","type":"a","x":[)" + QByteArray("1,\n").repeated(300000) + "1]}");
}

void tst_Plan::p11_boundedWork()
{
    QFETCH(QByteArray, text);
    for (const char *name : { "a.conflist", "a.conf" }) {
        const Plan planned = plan(name, text, optionsFor({ ours }));
        QVERIFY(planned.action != Action::Ignore);
    }
}

// A file that fits, and would not any more when patched, could never be undone.
void tst_Plan::largestFile()
{
    const QByteArray small = listOf(R"({"type":"a"})");
    const QByteArray added = "," + ours;
    const qsizetype room = maximumFileSize - small.size();
    const QByteArray fits = small + QByteArray(room - added.size(), '\n');
    QCOMPARE(plan("a.conflist", fits, optionsFor({ ours })).action, Action::Patch);
    const Plan refused = plan("a.conflist", fits + '\n', optionsFor({ ours }));
    QCOMPARE(refused.action, Action::Refuse);
    QVERIFY(hasCode(refused, code::fileTooLarge));
}

QTEST_GUILESS_MAIN(tst_Plan)
#include "tst_plan.moc"
