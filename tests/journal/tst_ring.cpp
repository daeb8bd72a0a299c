// SPDX-License-Identifier: Apache-2.0
#include "journal/ring.h"

#include <QTest>

#include <algorithm>

using namespace firstwatch::journal;

namespace {

Ring filled(quint64 lines, qsizetype bytes = 10)
{
    Ring ring;
    const QByteArray line(bytes, 'x');
    for (quint64 seq = 1; seq <= lines; ++seq)
        ring.append(seq, line);
    return ring;
}

} // namespace

class TestRing final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void bounds_data();
    void bounds();
    void since_data();
    void since();
};

void TestRing::bounds_data()
{
    QTest::addColumn<quint64>("lines");
    QTest::addColumn<qsizetype>("bytes");
    QTest::addColumn<quint64>("firstOfLast"); // 0: the recent part is empty
    QTest::newRow("empty") << quint64(0) << qsizetype(10) << quint64(0);
    QTest::newRow("pinned only") << quint64(256) << qsizetype(10) << quint64(0);
    QTest::newRow("one more") << quint64(257) << qsizetype(10) << quint64(257);
    QTest::newRow("full") << quint64(256 + 4096) << qsizetype(10) << quint64(257);
    QTest::newRow("one evicted") << quint64(256 + 4096 + 1) << qsizetype(10) << quint64(258);
    QTest::newRow("weeks") << quint64(100'000) << qsizetype(10) << quint64(100'000 - 4095);
    QTest::newRow("full by bytes") << quint64(256 + 1024) << qsizetype(4096) << quint64(257);
    QTest::newRow("evicted by bytes") << quint64(256 + 1025) << qsizetype(4096) << quint64(258);
    QTest::newRow("a line larger than all") << quint64(300) << Ring::maxBytes + 1 << quint64(0);
}

void TestRing::bounds()
{
    QFETCH(quint64, lines);
    QFETCH(qsizetype, bytes);
    QFETCH(quint64, firstOfLast);
    const Ring ring = filled(lines, bytes);
    QCOMPARE(ring.first().size(), size_t(std::min<quint64>(lines, 256)));
    QCOMPARE(ring.last().empty() ? 0 : ring.last().front().seq, firstOfLast);
    QVERIFY(firstOfLast == 0 || ring.last().back().seq == lines);
    QVERIFY(ring.last().size() <= Ring::maxLines);
    QVERIFY(qsizetype(ring.last().size()) * bytes <= Ring::maxBytes);
    for (size_t i = 0; i < ring.first().size(); ++i)
        QCOMPARE(ring.first().at(i).seq, quint64(i + 1));
}

void TestRing::since_data()
{
    QTest::addColumn<quint64>("seq");
    QTest::addColumn<quint64>("first"); // 0: nothing
    QTest::addColumn<qsizetype>("count");
    // 10 000 lines: 1…256 are pinned, 5 905…10 000 are there, 257…5 904 are gone
    QTest::newRow("all") << quint64(0) << quint64(1) << qsizetype(256 + 4096);
    QTest::newRow("within the pinned") << quint64(100) << quint64(101) << qsizetype(156 + 4096);
    QTest::newRow("from the hole") << quint64(256) << quint64(5905) << qsizetype(4096);
    QTest::newRow("within the hole") << quint64(3'000) << quint64(5905) << qsizetype(4096);
    QTest::newRow("within the rest") << quint64(9'999) << quint64(10'000) << qsizetype(1);
    QTest::newRow("up to date") << quint64(10'000) << quint64(0) << qsizetype(0);
    QTest::newRow("from the future") << quint64(20'000) << quint64(0) << qsizetype(0);
}

void TestRing::since()
{
    QFETCH(quint64, seq);
    const QList<Ring::Entry> entries = filled(10'000).since(seq);
    QTEST(entries.size(), "count");
    QTEST(entries.isEmpty() ? quint64(0) : entries.first().seq, "first");
    QVERIFY(std::is_sorted(
        entries.cbegin(), entries.cend(), [](const Ring::Entry &a, const Ring::Entry &b) { return a.seq < b.seq; }));
}

QTEST_GUILESS_MAIN(TestRing)
#include "tst_ring.moc"
