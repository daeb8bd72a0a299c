// SPDX-License-Identifier: Apache-2.0
#include "stream/linesplitter.h"

#include <QList>
#include <QTest>

using namespace firstwatch::stream;

namespace {

constexpr qsizetype longest = 10;

QList<QByteArray> linesOf(LineSplitter &splitter)
{
    QList<QByteArray> lines;
    while (const std::optional<QByteArray> line = splitter.next())
        lines.append(*line);
    return lines;
}

} // namespace

class tst_LineSplitter : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // A socket gives what it likes: fifty messages in one piece, one message in fifteen.
    void anyCutGivesTheSameLines()
    {
        const QByteArray text = "one\n\nthree 3\n0123456789\nrest";
        const QList<QByteArray> expected{ "one", "", "three 3", "0123456789" };
        for (qsizetype first = 0; first <= text.size(); ++first) {
            for (qsizetype second = first; second <= text.size(); ++second) {
                LineSplitter splitter(longest);
                QVERIFY(splitter.append(text.first(first)));
                QVERIFY(splitter.append(text.sliced(first, second - first)));
                QVERIFY(splitter.append(text.sliced(second)));
                QCOMPARE(linesOf(splitter), expected);
                QCOMPARE(splitter.pending(), 4);
            }
        }
    }

    void p35_longLineEndsIt_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("isGood");
        QTest::addColumn<QList<QByteArray>>("lines");
        QTest::newRow("longest") << QByteArray("0123456789\n") << true << QList<QByteArray>{ "0123456789" };
        QTest::newRow("longest without its end") << QByteArray("0123456789") << true << QList<QByteArray>();
        QTest::newRow("one more") << QByteArray("0123456789x\n") << false << QList<QByteArray>();
        QTest::newRow("one more without its end") << QByteArray("0123456789x") << false << QList<QByteArray>();
        QTest::newRow("what was before is kept")
            << QByteArray("a\n0123456789x\nb\n") << false << QList<QByteArray>{ "a" };
    }
    void p35_longLineEndsIt()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const bool, isGood);
        QFETCH(const QList<QByteArray>, lines);
        LineSplitter whole(longest);
        QCOMPARE(whole.append(text), isGood);
        QCOMPARE(linesOf(whole), lines);
        LineSplitter pieces(longest);
        for (const char c : text)
            (void)pieces.append(QByteArray(1, c));
        QCOMPARE(linesOf(pieces), lines);
        QCOMPARE(pieces.append("x\n"), isGood && text.endsWith('\n')); // never good again
    }

    void p35_nothingIsKeptOfALineWithoutEnd()
    {
        LineSplitter splitter(longest);
        for (int i = 0; i < 1000; ++i) {
            (void)splitter.append(QByteArray(1000, 'x'));
            QVERIFY(splitter.pending() <= longest);
        }
    }
};

QTEST_GUILESS_MAIN(tst_LineSplitter)
#include "tst_linesplitter.moc"
