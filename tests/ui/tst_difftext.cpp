// SPDX-License-Identifier: Apache-2.0
#include "ui/text/diff.h"

#include <QTest>

using namespace firstwatch::ui;

class TestDiffText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void linesAreShownAsTheyMayBe_data()
    {
        QTest::addColumn<QString>("diff");
        QTest::addColumn<QString>("shown");
        QTest::newRow("nothing") << QString() << QString();
        QTest::newRow("tabs and CRLF stay") << QStringLiteral("+\ta\r\n") << QStringLiteral("+\ta\r\n");
        QTest::newRow("a return inside does not")
            << QStringLiteral("+a\rb\r\r\n") << QStringLiteral("+a\\x0db\\x0d\r\n");
        QTest::newRow("escapes and directions")
            << QString::fromUtf8("-\x1b[31m\xe2\x80\xae\n") << QStringLiteral("-\\x1b[31m\\u{202e}\n");
    }
    void linesAreShownAsTheyMayBe()
    {
        QFETCH(const QString, diff);
        QTEST(diffText({ false, true, 0 }, diff), "shown");
    }

    void onlyTheHeadIsAHead()
    {
        const QString text =
            diffText({ true, true, 0 }, QStringLiteral("--- a/x\n+++ b/x\n@@ -1 +1 @@\n--- y\n+++ z\n c\n"));
        const QStringList lines = text.split(u'\n');
        QCOMPARE(lines[0], QStringLiteral("\x1b[1m--- a/x\x1b[0m"));
        QCOMPARE(lines[1], QStringLiteral("\x1b[1m+++ b/x\x1b[0m"));
        QCOMPARE(lines[2], QStringLiteral("\x1b[2m@@ -1 +1 @@\x1b[0m"));
        QCOMPARE(lines[3], QStringLiteral("\x1b[31m--- y\x1b[0m")); // a line "-- y" that went
        QCOMPARE(lines[4], QStringLiteral("\x1b[32m+++ z\x1b[0m"));
        QCOMPARE(lines[5], QStringLiteral(" c"));
    }
};

QTEST_GUILESS_MAIN(TestDiffText)
#include "tst_difftext.moc"
