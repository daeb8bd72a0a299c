// SPDX-License-Identifier: Apache-2.0
#include "conflist/plan.h"

#include <QTest>

using namespace firstwatch::conflist;

class tst_Template : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void accepted_data();
    void accepted();
    void refusedByField_data();
    void refusedByField();
};

void tst_Template::accepted_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QByteArray>("type");
    QTest::addColumn<QByteArray>("filled");
    const auto row = [](const char *name, const char *text, const char *path, const char *type, const char *filled) {
        QTest::newRow(name) << QByteArray(text) << QByteArray(path) << QByteArray(type) << QByteArray(filled);
    };
    row("smallest", R"({"type":"x"})", "/k", "x", R"({"type":"x"})");
    row("blanks around it", "\n {\"type\":\"a-b_C.9\"}\n", "/k", "a-b_C.9", R"({"type":"a-b_C.9"})");
    row("kubeconfig", R"({"type":"x","k":"__KUBECONFIG_FILEPATH__"})", "/etc/k", "x", R"({"type":"x","k":"/etc/k"})");
    row("twice", R"({"type":"x","k":["__KUBECONFIG_FILEPATH__","a__KUBECONFIG_FILEPATH__"]})", "/k", "x",
        R"({"type":"x","k":["/k","a/k"]})");
    row("path that needs escapes", R"({"type":"x","k":"__KUBECONFIG_FILEPATH__"})", "/a\"b\\c\nd", "x",
        R"({"type":"x","k":"/a\"b\\c\u000ad"})");
    row("path that looks like a placeholder", R"({"type":"x","k":"__KUBECONFIG_FILEPATH__"})",
        "/__KUBECONFIG_FILEPATH__", "x", R"({"type":"x","k":"/__KUBECONFIG_FILEPATH__"})");
    row("numbers keep their text", R"({"type":"x","n":[1.0,1e3,18446744073709551615]})", "/k", "x",
        R"({"type":"x","n":[1.0,1e3,18446744073709551615]})");
    row("underscores are no placeholder", R"({"type":"x","a":"__x__ ____ _A_ __A"})", "/k", "x",
        R"({"type":"x","a":"__x__ ____ _A_ __A"})");
}

void tst_Template::accepted()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, path);
    PluginTemplate::Error error;
    const std::optional<PluginTemplate> plugin = PluginTemplate::parse(text, path, error);
    QVERIFY2(plugin, qPrintable(error.text));
    QTEST(plugin->type(), "type");
    QTEST(plugin->text(), "filled");
}

void tst_Template::refusedByField_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("says");
    const auto row = [](const char *name, const QByteArray &text, const char *says) {
        QTest::newRow(name) << text << QString::fromUtf8(says);
    };
    row("empty", "", "not JSON");
    row("cut", R"({"type":"x")", "not JSON. Line 1, column 12");
    row("array", R"([{"type":"x"}])", "JSON object");
    row("no type", R"({"name":"x"})", "no 'type'");
    row("type is a number", R"({"type":5})", "'type' must be a string");
    row("type is null", R"({"type":null})", "'type' must be a string");
    row("type is empty", R"({"type":""})", "'type' must be a string");
    row("type is a path", R"({"type":"../x"})", "'type' must be a string");
    row("type is the parent directory", R"({"type":".."})", "'type' must be a string");
    row("type with a blank", R"({"type":"a b"})", "'type' must be a string");
    row("type not in ASCII", "{\"type\":\"\xC3\xA4\"}", "'type' must be a string");
    row("type twice", R"({"type":"a","type":"b"})", "'type' once");
    row("type in two cases", R"({"type":"a","Type":"b"})", "'type' once");
    row("type in another case", R"({"TYPE":"a"})", "'type' once, in lower case");
    row("unknown placeholder", R"({"type":"x","a":"__FOO__"})", "placeholder __FOO__");
    row("unknown placeholder beside the known", R"({"type":"x","a":"__KUBECONFIG_FILEPATH____BAR__"})", "placeholder");
    row("placeholder outside a string", R"({"type":"x","a":__KUBECONFIG_FILEPATH__})", "not JSON");
    row("capabilities that runtimes refuse", R"({"type":"x","capabilities":{"a":"yes"}})", "'capabilities.a'");
    row("name that runtimes refuse", R"({"type":"x","name":7})", "'name'");
    row("DNS that runtimes refuse", R"({"type":"x","dns":{"search":"a"}})", "'dns.search'");
    row("too deep", R"({"type":"x","a":)" + QByteArray(100, '[') + QByteArray(100, ']') + '}', "nested deeper");
    row("too large", R"({"type":"x","a":")" + QByteArray(70000, 'a') + "\"}", "larger than");
    row("too many members", R"({"type":"x")" + QByteArray(",\"a\":1").repeated(5000) + '}', "larger than");
    row("number that runtimes refuse", R"({"type":"x","a":1e400})", "too large for a float64");
}

void tst_Template::refusedByField()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, says);
    PluginTemplate::Error error;
    QVERIFY(!PluginTemplate::parse(text, "/k", error));
    QVERIFY2(error.text.contains(says), qPrintable(error.text));
}

QTEST_GUILESS_MAIN(tst_Template)
#include "tst_template.moc"
