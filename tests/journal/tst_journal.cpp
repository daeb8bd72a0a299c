// SPDX-License-Identifier: Apache-2.0
#include "journal/journal.h"

#include "sys/clock.h"

#include <QRegularExpression>
#include <QSet>
#include <QSignalSpy>
#include <QTest>

using namespace firstwatch;
using namespace firstwatch::journal;

namespace {

QStringList kindsOf(const Journal &journal)
{
    QStringList kinds;
    for (const Ring::Entry &entry : journal.ring().since(0)) {
        const Event event = fromLine(entry.line).value();
        kinds << QString(kindName(event.kind)) + QString::number(event.fields[QLatin1String("code")].toInt())
                + event.fields[QLatin1String("file")].toString();
    }
    return kinds;
}

} // namespace

class TestJournal final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void recordsOnceForAllSinks();
    void everyRunHasItsOwnBoot();
    void numbersAndTimesOnlyRise();
    void orderHoldsWhenASlotRecords();
    void findingsOpenAndCloseOnce();
    void aFindingKeepsItsPlace();
};

void TestJournal::recordsOnceForAllSinks()
{
    Journal journal;
    QSignalSpy spy(&journal, &Journal::recorded);
    const qint64 before = sys::bootTimeNs();
    const Event event = journal.record(Kind::WatchProven, { { QLatin1String("probe_us"), 52 } });
    QVERIFY(event.tNs >= before && event.tNs <= sys::bootTimeNs());
    QCOMPARE(event.seq, quint64(1));
    QCOMPARE(spy.size(), 1);
    QCOMPARE(spy.at(0).at(0).value<Event>(), event);
    QCOMPARE(spy.at(0).at(1).toByteArray(), toLine(event));
    QCOMPARE(journal.ring().since(0).at(0).line, toLine(event));
    QVERIFY(journal.state().isProven());
}

void TestJournal::everyRunHasItsOwnBoot()
{
    QSet<QByteArray> boots;
    for (int i = 0; i < 1'000; ++i) {
        const QByteArray boot = Journal().boot();
        QVERIFY(QRegularExpression(QStringLiteral("^[0-9a-f]{16}$")).match(QString::fromLatin1(boot)).hasMatch());
        boots.insert(boot);
    }
    QCOMPARE(boots.size(), 1'000);
}

void TestJournal::numbersAndTimesOnlyRise()
{
    Journal journal;
    qint64 last = 0;
    for (quint64 seq = 1; seq <= 1'000; ++seq) {
        const Event event = journal.record(Kind::FileChange);
        QCOMPARE(event.seq, seq);
        QVERIFY(event.tNs >= last);
        last = event.tNs;
    }
}

void TestJournal::orderHoldsWhenASlotRecords()
{
    Journal journal;
    QList<quint64> first;
    QList<quint64> second;
    connect(&journal, &Journal::recorded, this, [&](const Event &event) {
        first << event.seq;
        if (event.kind == Kind::Overflow)
            journal.openFinding({ 1004, QStringLiteral("overflow") });
    });
    connect(&journal, &Journal::recorded, this, [&second](const Event &event) { second << event.seq; });
    QCOMPARE(journal.record(Kind::Overflow).kind, Kind::Overflow);
    journal.record(Kind::PassBegin);
    const QList<quint64> inOrder{ 1, 2, 3 };
    QCOMPARE(first, inOrder);
    QCOMPARE(second, inOrder);
}

void TestJournal::findingsOpenAndCloseOnce()
{
    Journal journal;
    const Finding drift{ 1101, QStringLiteral("drift") };
    const Finding busy{ 1102, QStringLiteral("busy") };
    journal.openFinding(drift, "a");
    journal.openFinding(drift, "a");
    journal.openFinding({ 1101, QStringLiteral("drift, still") }, "a");
    journal.openFinding(busy, "a");
    journal.openFinding(drift, "ab");
    journal.openFinding(drift);
    journal.closeFinding(1103, "a");
    journal.closeFindings("a");
    journal.closeFindings("a");
    journal.closeFinding(1101);
    journal.closeFinding(1101);
    journal.openFinding(drift, "a");
    const QStringList expected{ QStringLiteral("finding.open1101a"), QStringLiteral("finding.open1101a"),
        QStringLiteral("finding.open1102a"), QStringLiteral("finding.open1101ab"), QStringLiteral("finding.open1101"),
        QStringLiteral("finding.close1101a"), QStringLiteral("finding.close1102a"), QStringLiteral("finding.close1101"),
        QStringLiteral("finding.open1101a") };
    QCOMPARE(kindsOf(journal), expected);
    QCOMPARE(journal.state().findings().size(), 2);
}

void TestJournal::aFindingKeepsItsPlace()
{
    Journal journal;
    journal.openFinding({ 2001, QStringLiteral("x") }, "a\nb", { { QLatin1String("line"), 3 } });
    const Event event = fromLine(journal.ring().since(0).at(0).line).value();
    const QJsonObject expected{ { QLatin1String("code"), 2001 }, { QLatin1String("file"), QLatin1String("a\\x0ab") },
        { QLatin1String("line"), 3 }, { QLatin1String("text"), QLatin1String("x") } };
    QCOMPARE(event.fields, expected);
}

QTEST_GUILESS_MAIN(TestJournal)
#include "tst_journal.moc"
