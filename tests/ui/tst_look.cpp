// SPDX-License-Identifier: Apache-2.0
#include "ui/text/json.h"
#include "ui/text/look.h"
#include "ui/text/table.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

#include <algorithm>

using namespace firstwatch;
using namespace firstwatch::ui;

namespace {

// "a|b"
QStringList words(const char *text)
{
    return QString::fromUtf8(text).split(u'|');
}

} // namespace

class TestLook final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void p52_nothingIsObeyed_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("unicode");
        QTest::addColumn<QString>("ascii");
        QTest::newRow("escape") << QStringLiteral("a\x1b[31mb") << "a\\x1b[31mb"
                                << "a\\x1b[31mb";
        QTest::newRow("bidi") << QStringLiteral("a\u202eb") << "a\\u{202e}b"
                              << "a\\u{202e}b";
        QTest::newRow("c1") << QStringLiteral("\u009b2J") << "\\u{009b}2J"
                            << "\\u{009b}2J";
        QTest::newRow("newline") << QStringLiteral("a\nb") << "a\\x0ab"
                                 << "a\\x0ab";
        QTest::newRow("our signs") << QStringLiteral("✔ 5 µs → …") << "✔ 5 µs → …"
                                   << "+ 5 us -> ...";
        QTest::newRow("a name") << QStringLiteral("café-\U0001F600") << "café-\U0001F600"
                                << "caf\\u{00e9}-\\u{1f600}";
    }
    void p52_nothingIsObeyed()
    {
        QFETCH(QString, text);
        QTEST(shown({ false, true, 0 }, text), "unicode");
        QTEST(shown({ false, false, 0 }, text), "ascii");
    }

    // The same value, whatever stands in it, and nothing that a terminal obeys.
    void p52_jsonIsSafeAndTheSame()
    {
        const QJsonObject json{ { QStringLiteral("a\x1b\u202e"),
            QStringLiteral("\u009b\x7f\U000E0001 \U0001F600 é \" \\ \n") } };
        for (const bool hasUnicode : { true, false }) {
            for (const bool isIndented : { true, false }) {
                const QByteArray text = jsonText(json, hasUnicode, isIndented);
                QCOMPARE(QJsonDocument::fromJson(text).object(), json);
                QVERIFY(!text.contains('\x1b') && !text.contains('\x7f') && !text.contains("\xc2\x9b"));
                QVERIFY(!QString::fromUtf8(text).contains(QChar(0x202e)));
                QVERIFY(hasUnicode || std::all_of(text.begin(), text.end(), [](char c) { return uchar(c) < 0x80; }));
                QCOMPARE(text.contains("é"), hasUnicode);
            }
        }
    }

    void colourOnlyWhereWanted()
    {
        QCOMPARE(painted({ false, true, 0 }, Role::Error, QStringLiteral("x")), QStringLiteral("x"));
        QCOMPARE(painted({ true, true, 0 }, Role::Error, QStringLiteral("x")), QStringLiteral("\x1b[31mx\x1b[0m"));
        QCOMPARE(painted({ true, true, 0 }, Role::Plain, QStringLiteral("x")), QStringLiteral("x"));
    }

    void widths_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("width");
        QTest::newRow("ascii") << QStringLiteral("abc") << 3;
        QTest::newRow("wide") << QStringLiteral("漢字") << 4;
        QTest::newRow("combining") << QStringLiteral("e\u0301") << 1;
        QTest::newRow("our signs") << QStringLiteral("✘◐⇄…⌁□◌●◆◇▲△■≈") << 14;
    }
    void widths()
    {
        QFETCH(QString, text);
        QTEST(widthOf(text), "width");
    }

    void wrapping_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QStringList>("lines");
        QTest::newRow("fits") << "one two" << words("one two");
        QTest::newRow("breaks") << "one two three" << words("one two|three");
        QTest::newRow("a long word") << "x abcdefghijklm y" << words("x|abcdefghijklm|y");
        QTest::newRow("a number and its unit") << "about 16 ms" << words("about|16 ms");
        QTest::newRow("nothing") << "" << QStringList(QString());
    }
    void wrapping()
    {
        QFETCH(QString, text);
        QTEST(wrapped(text, 9), "lines");
    }

    void tableIsAligned()
    {
        Table table({ false, true, 40 },
            { { QStringLiteral("A") }, { QStringLiteral("N"), Table::Side::Right }, { QStringLiteral("TEXT") } });
        table.append({ { QStringLiteral("漢字") }, { QStringLiteral("7") },
            { QStringLiteral("a text that is too long for the line it stands in") } });
        table.append({ { QStringLiteral("x") }, { QStringLiteral("1234") }, { QStringLiteral("short") } });
        QCOMPARE(table.text(),
            QStringLiteral("A        N  TEXT\n"
                           "漢字     7  a text that is too long for\n"
                           "            the line it stands in\n"
                           "x     1234  short\n"));
    }

    void everyStateHasOneColumnInEachLook()
    {
        for (int state = 0; state <= int(journal::State::Ok); ++state) {
            QCOMPARE(widthOf(glyphOf({ false, true, 0 }, journal::State(state))), 1);
            const QString ascii = glyphOf({ false, false, 0 }, journal::State(state));
            QVERIFY(ascii.size() == 1 && ascii.front().unicode() < 0x7f);
        }
    }
};

QTEST_GUILESS_MAIN(TestLook)
#include "tst_look.moc"
