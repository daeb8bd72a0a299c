// SPDX-License-Identifier: Apache-2.0
#include "conflist/canonical.h"
#include "conflist/findingcodes.h"
#include "conflist/position.h"
#include "conflist/scan.h"
#include "conflist/utf8.h"

#include <QTest>

using namespace firstwatch::conflist;

class tst_Scan : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void valueSpans_data();
    void valueSpans();
    void members();
    void elements();
    void spansOfAPart();
    void loneSurrogates_data();
    void loneSurrogates();
    void refused_data();
    void refused();
    void p11_nestingAsGoAllowsIt_data();
    void p11_nestingAsGoAllowsIt();
    void p11_itemsAreCapped();
    void corruptibleNumbers_data();
    void corruptibleNumbers();
    void positions_data();
    void positions();
    void utf8_data();
    void utf8();
    void sameMeaning_data();
    void sameMeaning();
};

// With the iterative flag RapidJSON's Tell() is one short of the end at a closing bracket, and past the end after
// everything else.
void tst_Scan::valueSpans_data()
{
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<int>("kind");
    const auto rows = [](Kind kind, std::initializer_list<const char *> values) {
        for (const char *value : values)
            QTest::newRow(value) << QByteArray(value) << int(kind);
    };
    rows(Kind::Object, { "{}", "{\"a\":{}}" });
    rows(Kind::Array, { "[]", "[[],[]]" });
    rows(Kind::String, { "\"text\"", "\"\"", "\"\\\"\\u0041\"" });
    rows(Kind::Number, { "-0.10e+5", "7" });
    rows(Kind::Bool, { "true", "false" });
    rows(Kind::Null, { "null" });
}

void tst_Scan::valueSpans()
{
    QFETCH(QByteArray, value);
    QFETCH(int, kind);
    const QByteArrayList surroundings{ "", " ", "\r\n\t " };
    for (const QByteArray &space : surroundings) {
        const QByteArray text = space + value + space;
        const Scan alone = scan(text);
        QVERIFY(!alone.fault);
        QCOMPARE(int(alone.kind), kind);
        QCOMPARE(alone.value.of(text).toByteArray(), value);

        const QByteArray list = "[" + space + value + space + "," + space + value + space + "]";
        const Scan inside = scan(list);
        QCOMPARE(inside.items.size(), 2);
        for (const Item &item : inside.items)
            QCOMPARE(item.value.of(list).toByteArray(), value);
    }
}

void tst_Scan::members()
{
    const QByteArray text = R"({ "a" : 1.0, "b\u0020c":"d\n", "a":{"x":[{}]} , "e":[] })";
    const Scan object = scan(text);
    QCOMPARE(object.items.size(), 4);
    QCOMPARE(object.items[0].key.of(text).toByteArray(), QByteArray("\"a\""));
    QCOMPARE(object.items[0].value.of(text).toByteArray(), QByteArray("1.0"));
    QCOMPARE(object.items[1].name, QByteArray("b c"));
    QCOMPARE(object.items[1].key.of(text).toByteArray(), QByteArray(R"("b\u0020c")"));
    QCOMPARE(object.items[1].string, QByteArray("d\n"));
    QCOMPARE(object.items[2].name, QByteArray("a"));
    QCOMPARE(object.items[2].value.of(text).toByteArray(), QByteArray(R"({"x":[{}]})"));
    QCOMPARE(object.items[3].value.of(text).toByteArray(), QByteArray("[]"));
}

void tst_Scan::elements()
{
    const QByteArray text = R"([{"type":"a"} , "b",3, [4]])";
    const Scan array = scan(text);
    QCOMPARE(array.items.size(), 4);
    QCOMPARE(array.items[0].value.of(text).toByteArray(), QByteArray(R"({"type":"a"})"));
    QCOMPARE(array.items[1].string, QByteArray("b"));
    QCOMPARE(int(array.items[2].kind), int(Kind::Number));
    QCOMPARE(array.items[3].value.of(text).toByteArray(), QByteArray("[4]"));
    QCOMPARE(array.depth, 2);
}

void tst_Scan::spansOfAPart()
{
    const QByteArray text = R"({"plugins":[{"mtu":18446744073709551615}]})";
    const Scan plugins = scan(text, scan(text).items[0].value);
    const Scan plugin = scan(text, plugins.items[0].value);
    QCOMPARE(plugin.items[0].key.of(text).toByteArray(), QByteArray("\"mtu\""));
    QCOMPARE(plugin.corruptibleNumber, text.indexOf("1844"));
}

void tst_Scan::loneSurrogates_data()
{
    QTest::addColumn<QByteArray>("escapes");
    QTest::addColumn<QByteArray>("decoded");
    QTest::newRow("pair") << QByteArray(R"(\ud83d\ude00)") << QByteArray("\U0001F600");
    QTest::newRow("high") << QByteArray(R"(\ud800)") << QByteArray("\uFFFD");
    QTest::newRow("high, upper case") << QByteArray(R"(\uD800x)") << QByteArray("\uFFFDx");
    QTest::newRow("low") << QByteArray(R"(\udFAA)") << QByteArray("\uFFFD");
    QTest::newRow("high, high, low") << QByteArray(R"(\ud800\ud83d\ude00)") << QByteArray("\uFFFD\U0001F600");
    QTest::newRow("low, high") << QByteArray(R"(\ude00\ud83d)") << QByteArray("\uFFFD\uFFFD");
    QTest::newRow("high, other escape") << QByteArray(R"(\ud83d\n)") << QByteArray("\uFFFD\n");
    QTest::newRow("escaped backslash before it") << QByteArray(R"(\\ud800)") << QByteArray(R"(\ud800)");
    QTest::newRow("two escaped backslashes") << QByteArray(R"(\\\ud800)") << QByteArray("\\\uFFFD");
}

void tst_Scan::loneSurrogates()
{
    QFETCH(QByteArray, escapes);
    QFETCH(QByteArray, decoded);
    const QByteArray text = R"(["a",")" + escapes + R"(","z"])";
    const Scan array = scan(text);
    QVERIFY(!array.fault);
    QCOMPARE(array.items[1].string, decoded);
    QCOMPARE(array.items[2].value.of(text).toByteArray(), QByteArray("\"z\""));
}

void tst_Scan::refused_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("code");
    QTest::addColumn<qsizetype>("offset");
    QTest::addColumn<QString>("says");
    const auto row = [](const char *name, const QByteArray &text, int code, qsizetype offset, const char *says) {
        QTest::newRow(name) << text << code << offset << QString::fromUtf8(says);
    };
    using namespace firstwatch::conflist::code;
    row("empty", "", emptyFile, 0, "empty");
    row("blank", " \n\t", emptyFile, 0, "blanks");
    row("BOM", "\xEF\xBB\xBF{}", byteOrderMark, 0, "U+FEFF");
    row("UTF-16, little end first", QByteArray("\xFF\xFE{\0}\0", 6), byteOrderMark, 0, "is UTF-16");
    row("UTF-16, big end first", QByteArray("\xFE\xFF\0{\0}", 6), byteOrderMark, 0, "iconv -f UTF-16 -t UTF-8");
    row("UTF-32, little end first", QByteArray("\xFF\xFE\0\0{\0\0\0", 8), byteOrderMark, 0, "is UTF-32");
    row("UTF-32, big end first", QByteArray("\0\0\xFE\xFF\0\0\0{", 8), byteOrderMark, 0, "is UTF-32");
    row("half a mark of UTF-16", "\xFF", notParsed, 0, "the byte 0xff");
    row("NUL at the end", QByteArray("{}\n\0", 4), nulBytes, 3, "Line 2, column 1: a NUL byte");
    row("NUL in a string", QByteArray("[\"\0\"]", 5), nulBytes, 2, "NUL");
    row("cut", "{\"a\":[1", notParsed, 7, "column 8: the file ends");
    row("cut in a string", "{\"a", notParsed, 3, "the file ends");
    row("line comment", "{\n  // x\n}", notParsed, 4, "Line 2, column 3: a comment, starting with '/'");
    row("comment after the end", "{} /**/", notParsed, 3, "a comment");
    row("hash comment", "# x\n{}", notParsed, 0, "a comment, starting with '#'");
    row("comma before }", "{\"a\":1,\n}", notParsed, 6, "Line 1, column 7: a trailing ','");
    row("comma before ]", "[1, ]", notParsed, 2, "a trailing ',' before ']'");
    row("comma alone", "[,]", notParsed, 1, "','");
    row("two commas", "[1,,2]", notParsed, 3, "','");
    row("no-break space", "{\n\xC2\xA0\"a\":1}", notParsed, 2, "Line 2, column 1: U+00A0 (no-break space)");
    row("zero width space", "[\xE2\x80\x8B]", notParsed, 1, "U+200B (zero width space)");
    row("BOM inside", "[\xEF\xBB\xBF]", notParsed, 1, "U+FEFF");
    row("typographic quote", "[\xE2\x80\x9C]", notParsed, 1, "U+201C");
    row("invalid byte outside a string", "[\xFF]", notParsed, 1, "the byte 0xff");
    row("control character", "[\x01]", notParsed, 1, "U+0001");
    row("tab in a string", "[\"a\tb\"]", notParsed, 3, "U+0009");
    row("line feed in a string", "[\"a\nb\"]", notParsed, 3, "U+000A");
    row("column counts code points", "{\"\xC3\xA4\": ?}", notParsed, 7, "column 7: '?'");
    row("unknown escape", "[\"\\q\"]", notParsed, 2, "'\\'");
    row("broken unicode escape", "[\"\\ud8\x10\x10\"]", notParsed, 2, "'\\'");
    row("single quotes", "['a']", notParsed, 1, "'''");
    row("bare word", "[True]", notParsed, 1, "'T'");
    row("no colon", "{\"a\" 1}", notParsed, 5, "'1'");
    row("no comma", "[1 2]", notParsed, 3, "'2'");
    row("key without quotes", "{a:1}", notParsed, 1, "'a'");
    row("leading zero", "[01]", notParsed, 2, "'1'");
    row("plus sign", "[+1]", notParsed, 1, "'+'");
    row("no digits after the point", "[1.]", notParsed, 3, "']'");
    row("NaN", "[NaN]", notParsed, 1, "'N'");
    row("1e400", "[ 1e400 ]", notParsed, 2, "column 3: a number too large");
    row("out of range by digits", "[1000e306]", notParsed, 1, "a number too large");
    row("negative, out of range", "[-1E309]", notParsed, 1, "a number too large");
    row("400 digits", "[" + QByteArray(400, '9') + "]", notParsed, 1, "a number too large");
    row("second value", "{} {}", notParsed, 3, "'{' after the end");
    row("closing bracket too many", "{}}", notParsed, 2, "'}' after the end");
    row("wrong bracket", "[1}", notParsed, 2, "'}'");
}

void tst_Scan::refused()
{
    QFETCH(QByteArray, text);
    QFETCH(int, code);
    QFETCH(qsizetype, offset);
    QFETCH(QString, says);
    const Scan result = scan(text);
    QVERIFY(result.fault);
    QCOMPARE(result.fault->code, code);
    QCOMPARE(result.fault->offset, offset);
    QVERIFY2(result.fault->text.contains(says), qPrintable(result.fault->text));
}

void tst_Scan::p11_nestingAsGoAllowsIt_data()
{
    QTest::addColumn<int>("depth");
    QTest::addColumn<bool>("accepted");
    QTest::newRow("10 000") << 10000 << true;
    QTest::newRow("10 001") << 10001 << false;
    QTest::newRow("500 000") << 500000 << false;
}

void tst_Scan::p11_nestingAsGoAllowsIt()
{
    QFETCH(int, depth);
    QFETCH(bool, accepted);
    const QByteArray text = QByteArray(depth, '[') + QByteArray(depth, ']');
    const Scan result = scan(text);
    QCOMPARE(!result.fault, accepted);
    if (accepted)
        QCOMPARE(result.depth, depth);
    else
        QCOMPARE(result.fault->offset, qsizetype(10000));
}

void tst_Scan::p11_itemsAreCapped()
{
    const qsizetype most = Scan::maximumItems;
    const QByteArray fits = "[" + QByteArray("1,").repeated(most - 1) + "1]";
    const QByteArray tooMany = "[" + QByteArray("1,").repeated(most) + "1]";
    QVERIFY(!scan(fits).truncated);
    QVERIFY(scan(tooMany).truncated);
    QCOMPARE(scan(tooMany).items.size(), most);
    QVERIFY(!scan(tooMany).fault);
    const QByteArray cut = tooMany.chopped(1);
    QVERIFY(scan(cut).fault);
    const QByteArray deeper = "[" + tooMany + "]";
    QVERIFY(!scan(deeper).truncated);
}

void tst_Scan::corruptibleNumbers_data()
{
    QTest::addColumn<QByteArray>("number");
    QTest::addColumn<bool>("corruptible");
    QTest::newRow("2^53") << QByteArray("9007199254740992") << false;
    QTest::newRow("2^53 + 1") << QByteArray("9007199254740993") << true;
    QTest::newRow("negative") << QByteArray("-9007199254740993") << true;
    QTest::newRow("2^64 - 1") << QByteArray("18446744073709551615") << true;
    QTest::newRow("17 digits") << QByteArray("12345678901234567") << true;
    QTest::newRow("small") << QByteArray("1450") << false;
    QTest::newRow("fraction") << QByteArray("0.1000000000000000055") << false;
    QTest::newRow("exponent") << QByteArray("1e100") << false;
}

void tst_Scan::corruptibleNumbers()
{
    QFETCH(QByteArray, number);
    QFETCH(bool, corruptible);
    const QByteArray text = "[[1, " + number + "]]";
    QCOMPARE(scan(text).corruptibleNumber, corruptible ? qsizetype(5) : qsizetype(-1));
}

void tst_Scan::positions_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qsizetype>("offset");
    QTest::addColumn<int>("line");
    QTest::addColumn<int>("column");
    const auto row = [](const char *name, const QByteArray &text, qsizetype offset, int line, int column) {
        QTest::newRow(name) << text << offset << line << column;
    };
    row("start", "abc", 0, 1, 1);
    row("inside", "abc", 2, 1, 3);
    row("end", "abc", 3, 1, 4);
    row("past the end", "abc", 9, 1, 4);
    row("negative", "abc", -1, 1, 1);
    row("second line", "a\nbc", 3, 2, 2);
    row("the line feed itself", "a\nb", 1, 1, 2);
    row("CRLF", "a\r\nb", 3, 2, 1);
    row("two bytes", "\xC3\xA4x", 2, 1, 2);
    row("four bytes", "\xF0\x9F\x98\x80x", 4, 1, 2);
    row("invalid bytes", "\xFF\xFEx", 2, 1, 3);
    row("cut sequence", "\xE2\x82", 2, 1, 3);
}

void tst_Scan::positions()
{
    QFETCH(QByteArray, text);
    QFETCH(qsizetype, offset);
    const Position position = positionAt(text, offset);
    QTEST(position.line, "line");
    QTEST(position.column, "column");
}

void tst_Scan::utf8_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qsizetype>("firstInvalid");
    const auto row = [](const char *name, const QByteArray &text, qsizetype firstInvalid) {
        QTest::newRow(name) << text << firstInvalid;
    };
    row("ASCII", "abc", -1);
    row("two, three, four bytes", "\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80", -1);
    row("last of three bytes", "\xEF\xBF\xBF", -1);
    row("U+10FFFF", "\xF4\x8F\xBF\xBF", -1);
    row("U+110000", "a\xF4\x90\x80\x80", 1);
    row("overlong, two", "\xC0\xAF", 0);
    row("overlong, three", "\xE0\x80\x80", 0);
    row("overlong, four", "\xF0\x80\x80\x80", 0);
    row("surrogate", "\xED\xA0\x80", 0);
    row("before the surrogates", "\xED\x9F\xBF", -1);
    row("continuation alone", "ab\x80", 2);
    row("cut", "a\xE2\x82", 1);
    row("third byte wrong", "\xE2\x82(", 0);
    row("0xFF", "\xFF", 0);
}

void tst_Scan::utf8()
{
    QFETCH(QByteArray, text);
    QFETCH(qsizetype, firstInvalid);
    QCOMPARE(firstInvalidUtf8(text), firstInvalid);
    QCOMPARE(QByteArrayView(text).isValidUtf8(), firstInvalid < 0);
}

void tst_Scan::sameMeaning_data()
{
    QTest::addColumn<QByteArray>("a");
    QTest::addColumn<QByteArray>("b");
    QTest::addColumn<bool>("same");
    const auto row = [](const char *name, const char *a, const char *b, bool same) {
        QTest::newRow(name) << QByteArray(a) << QByteArray(b) << same;
    };
    row("blanks", R"({"a":[1,2]})", "{ \"a\" : [ 1 ,\n2 ] }", true);
    row("order of members", R"({"a":1,"b":{"c":2,"d":3}})", R"({"b":{"d":3,"c":2},"a":1})", true);
    row("order of elements", "[1,2]", "[2,1]", false);
    row("escapes", R"(["A/"])", R"(["\u0041\/"])", true);
    row("1.0 and 1", "[1.0]", "[1]", true);
    row("1e3 and 1000", "[1e3]", "[1000]", true);
    row("1E+2 and 100.00", "[1E+2]", "[100.00]", true);
    row("0.10 and 10e-2", "[0.10]", "[10e-2]", true);
    row("-0 and 0", "[-0]", "[0.0]", true);
    row("-1 and 1", "[-1]", "[1]", false);
    row("10 and 1", "[10]", "[1]", false);
    row("beyond float64", "[9007199254740993]", "[9007199254740992]", false);
    row("number and string", "[1]", R"(["1"])", false);
    row("true and string", "[true]", R"(["true"])", false);
    row("null and missing", R"({"a":null})", "{}", false);
    row("empty object and array", "[{}]", "[[]]", false);
    row("nesting", "[[1],2]", "[[1,2]]", false);
    row("last of a repeated key", R"({"a":1,"a":2})", R"({"a":2})", true);
    row("strings that look alike when joined", R"(["ab","c"])", R"(["a","bc"])", false);
    row("string that looks like two", R"(["a,sb"])", R"(["a","b"])", false);
    row("key and value that look alike when joined", R"({"ab":"c"})", R"({"a":"bc"})", false);
}

void tst_Scan::sameMeaning()
{
    QFETCH(QByteArray, a);
    QFETCH(QByteArray, b);
    QFETCH(bool, same);
    QVERIFY(!canonical(a).isEmpty());
    QCOMPARE(canonical(a) == canonical(b), same);
}

QTEST_GUILESS_MAIN(tst_Scan)
#include "tst_scan.moc"
