// SPDX-License-Identifier: Apache-2.0
#include "conflist/unifieddiff.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <random>

using namespace firstwatch::conflist;

namespace {

const DiffLabels labels{ "a/x", "b/x" };

QByteArray numbered(int from, int to)
{
    QByteArray text;
    for (int i = from; i <= to; ++i)
        text += QByteArray::number(i) + '\n';
    return text;
}

QByteArray head(const char *rest)
{
    return QByteArray("--- a/x\n+++ b/x\n") + rest;
}

bool write(const QString &path, const QByteArray &text)
{
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
}

// What patch(1) makes of the text, without fuzz; what it says when it fails.
QByteArray patchedBy(const QByteArray &diff, const QByteArray &before)
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("x"));
    if (!write(path, before))
        return "not written";
    QProcess patch;
    patch.setWorkingDirectory(folder.path());
    patch.start(QStringLiteral("patch"),
        { QStringLiteral("--binary"), QStringLiteral("--fuzz=0"), QStringLiteral("--silent"), QStringLiteral("--force"),
            path });
    patch.write(diff);
    patch.closeWriteChannel();
    if (!patch.waitForFinished() || patch.exitCode() != 0)
        return "patch: " + patch.readAllStandardOutput() + patch.readAllStandardError();
    QFile file(path); // patch(1) removes what it has emptied
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// A text of few different lines, so that many are alike, and another one made from it by some edits.
class Texts {
public:
    explicit Texts(unsigned seed)
        : m_random(seed)
    {
        for (int lines = number(40); lines > 0; --lines)
            m_before.append(line());
        m_after = m_before;
        for (int edits = number(6); edits > 0; --edits)
            edit();
    }
    [[nodiscard]] QByteArray before() { return joined(m_before); }
    [[nodiscard]] QByteArray after() { return joined(m_after); }

private:
    int number(int bound) { return std::uniform_int_distribution<int>(0, bound - 1)(m_random); }
    QByteArray line()
    {
        static const QByteArrayList lines{ "", "{", "},", "  \"a\": 1,", "\t\"b\"", "-- x", "++ y", "\xff\xfe", "c\r" };
        return lines[number(int(lines.size()))];
    }
    void edit()
    {
        const int at = number(int(m_after.size()) + 1);
        if (number(2) == 0)
            m_after.insert(at, line());
        else if (at < m_after.size())
            m_after.removeAt(at);
    }
    QByteArray joined(const QByteArrayList &lines)
    {
        return lines.join('\n') + (number(2) == 0 || lines.isEmpty() ? "" : "\n");
    }

    std::mt19937 m_random;
    QByteArrayList m_before;
    QByteArrayList m_after;
};

} // namespace

class TestUnifiedDiff : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void looksAsEverybodyKnowsIt_data();
    void looksAsEverybodyKnowsIt();
    void hunksPartWhereMoreIsUnchanged();
    void isTheShortest();
    void largeTextsAreReplacedAsAWhole();
    void patchMakesTheOneOfTheOther_data();
    void patchMakesTheOneOfTheOther();
};

void TestUnifiedDiff::looksAsEverybodyKnowsIt_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    QTest::addColumn<QByteArray>("diff");
    QTest::newRow("the same") << QByteArray("a\n") << QByteArray("a\n") << QByteArray();
    QTest::newRow("nothing") << QByteArray() << QByteArray() << QByteArray();
    QTest::newRow("from nothing") << QByteArray() << QByteArray("a\n") << head("@@ -0,0 +1 @@\n+a\n");
    QTest::newRow("to nothing") << QByteArray("a\nb\n") << QByteArray() << head("@@ -1,2 +0,0 @@\n-a\n-b\n");
    QTest::newRow("one line") << QByteArray("a\nb\nc\n") << QByteArray("a\nB\nc\n")
                              << head("@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n");
    QTest::newRow("without an end") << QByteArray("a") << QByteArray("b")
                                    << head("@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n"
                                            "\\ No newline at end of file\n");
    QTest::newRow("only the end") << QByteArray("x\na") << QByteArray("x\na\n")
                                  << head("@@ -1,2 +1,2 @@\n x\n-a\n\\ No newline at end of file\n+a\n");
    QTest::newRow("an end that stays away") << QByteArray("a\nb") << QByteArray("A\nb")
                                            << head("@@ -1,2 +1,2 @@\n-a\n+A\n b\n\\ No newline at end of file\n");
    QTest::newRow("CRLF") << QByteArray("a\r\nb\r\n") << QByteArray("a\r\nB\r\n")
                          << head("@@ -1,2 +1,2 @@\n a\r\n-b\r\n+B\r\n");
    QTest::newRow("three lines around") << numbered(1, 20) << numbered(1, 9) + "x\n" + numbered(10, 20)
                                        << head("@@ -7,6 +7,7 @@\n 7\n 8\n 9\n+x\n 10\n 11\n 12\n");
}

void TestUnifiedDiff::looksAsEverybodyKnowsIt()
{
    QFETCH(const QByteArray, before);
    QFETCH(const QByteArray, after);
    QTEST(unifiedDiff(before, after, labels), "diff");
}

void TestUnifiedDiff::hunksPartWhereMoreIsUnchanged()
{
    for (const int between : { 6, 7 }) {
        const QByteArray middle = numbered(1, between);
        const QByteArray before = "a\n" + middle + "b\n";
        const QByteArray after = "A\n" + middle + "B\n";
        const QByteArray diff = unifiedDiff(before, after, labels);
        QCOMPARE(diff.count("@@ -"), between <= 6 ? 1 : 2);
    }
    QCOMPARE(unifiedDiff("a\n1\nb\n", "A\n1\nB\n", labels, 0).count("@@ -"), 2);
}

void TestUnifiedDiff::isTheShortest()
{
    const QByteArray diff = unifiedDiff("a\nb\nc\na\nb\nb\na\n", "c\nb\na\nb\na\nc\n", labels); // the paper's own
    QCOMPARE(diff.count("\n-") + diff.count("\n+") - 1, 5); // without the "+++" of the head
}

void TestUnifiedDiff::largeTextsAreReplacedAsAWhole()
{
    const QByteArray before = "same\n" + numbered(1, 20000) + "last\n";
    QByteArray after = before;
    after.replace("\n", "!\n").replace("same!", "same").replace("last!", "last");
    after.insert(after.indexOf("7!\n"), "5\n"); // one that is in both
    const QByteArray diff = unifiedDiff(before, after, labels);
    QCOMPARE(diff.count("@@ -"), 1);
    QVERIFY(diff.contains("\n same\n-1\n") && diff.endsWith("\n last\n"));
    QCOMPARE(patchedBy(diff, before), after);
}

void TestUnifiedDiff::patchMakesTheOneOfTheOther_data()
{
    QTest::addColumn<unsigned>("firstSeed");
    for (unsigned seed = 0; seed < 400; seed += 100)
        QTest::addRow("from seed %u", seed) << seed;
}

void TestUnifiedDiff::patchMakesTheOneOfTheOther()
{
    QFETCH(const unsigned, firstSeed);
    for (unsigned seed = firstSeed; seed < firstSeed + 100; ++seed) {
        Texts texts(seed);
        const QByteArray before = texts.before();
        const QByteArray after = texts.after();
        const QByteArray diff = unifiedDiff(before, after, labels, int(seed % 4));
        QCOMPARE(diff.isEmpty(), before == after);
        if (seed % 4 != 0 && !diff.isEmpty()) // without context patch(1) wants another option
            QVERIFY2(patchedBy(diff, before) == after, diff.constData());
    }
}

QTEST_GUILESS_MAIN(TestUnifiedDiff)
#include "tst_unifieddiff.moc"
