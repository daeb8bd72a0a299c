// SPDX-License-Identifier: Apache-2.0
#include "ui/text/sidebyside.h"

#include <QTest>

using namespace firstwatch::ui;

namespace {

// "4 a[b]c | 5 a[x]c": number, text, what differs in brackets.
QString sideText(const SideLine::Side &side)
{
    if (side.number == 0)
        return side.text;
    const QString marked = side.size == 0
        ? side.text
        : QString(side.text.left(side.from) + u'[' + side.text.mid(side.from, side.size) + u']'
            + side.text.mid(side.from + side.size));
    return QString::number(side.number) + u' ' + marked;
}

QStringList textOf(const QList<SideLine> &lines)
{
    QStringList all;
    for (const SideLine &line : lines)
        all += sideText(line.left) + QStringLiteral(" | ") + sideText(line.right);
    return all;
}

} // namespace

class TestSideBySide final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void lines_data()
    {
        QTest::addColumn<QString>("diff");
        QTest::addColumn<QStringList>("lines");
        const auto row = [](const char *name, const char *diff, const char *lines) {
            QTest::newRow(name) << QString::fromUtf8(diff) << QString::fromUtf8(lines).split(u';', Qt::SkipEmptyParts);
        };
        row("nothing", "", "");
        row("no diff", "hello\n-a\n+b\n", "");
        row("the head is left out", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n same\n",
            "@@ -1 +1 @@ | @@ -1 +1 @@;1 same | 1 same");
        row("put in", "@@ -4,1 +4,2 @@\n a\n+b\n", "@@ -4,1 +4,2 @@ | @@ -4,1 +4,2 @@;4 a | 4 a; | 5 [b]");
        row("taken out", "@@ -4 +3,0 @@\n-b\n", "@@ -4 +3,0 @@ | @@ -4 +3,0 @@;4 [b] | ");
        row("a word", "@@ -1 +1 @@\n-mtu 1500 x\n+mtu 1440 x\n",
            "@@ -1 +1 @@ | @@ -1 +1 @@;1 mtu 1[50]0 x | 1 mtu 1[44]0 x");
        row("another line", "@@ -1 +1 @@\n-alpha\n+omega\n", "@@ -1 +1 @@ | @@ -1 +1 @@;1 [alpha] | 1 [omega]");
        row("only longer", "@@ -1 +1 @@\n-abc\n+abc,\n", "@@ -1 +1 @@ | @@ -1 +1 @@;1 abc | 1 abc[,]");
        row("looks like a head", "@@ -1 +1 @@\n--- b\n+++ b\n", "@@ -1 +1 @@ | @@ -1 +1 @@;1 [--] b | 1 [++] b");
        row("no newline at the end", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n",
            "@@ -1 +1 @@ | @@ -1 +1 @@;1 [a] | 1 [b]");
        row("windows", "@@ -1 +1 @@\r\n a\r\n", "@@ -1 +1 @@ | @@ -1 +1 @@;1 a | 1 a");
        row("nonsense of a place", "@@ nonsense\n a\n", "@@ nonsense | @@ nonsense;1 a | 1 a");
    }
    void lines()
    {
        QFETCH(QString, diff);
        QTEST(textOf(sideBySide(diff)), "lines");
    }
};

QTEST_GUILESS_MAIN(TestSideBySide)
#include "tst_sidebyside.moc"
