// SPDX-License-Identifier: Apache-2.0
#include "patch/damping.h"

#include <QTest>

using namespace firstwatch::patch;

namespace {

constexpr qint64 ms = 1'000'000;
constexpr qint64 second = 1000 * ms;

// An opponent that restores `texts` in turn, `restoreNs` after each patch. Returns when each patch was made.
QList<qint64> fight(Damping &damping, const QByteArrayList &texts, qint64 lengthNs, qint64 restoreNs = 5 * ms)
{
    QList<qint64> patches;
    qint64 now = second;
    for (int i = 0; now < second + lengthNs; ++i) {
        const QByteArray &text = texts[i % texts.size()];
        while (const qint64 wait = damping.waitNs(text, now))
            now += wait;
        damping.patched(text, now);
        patches.append(now);
        now += restoreNs;
    }
    return patches;
}

} // namespace

class tst_Damping : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void p10_fightCostsThirtyWritesInTenMinutes_data();
    void p10_fightCostsThirtyWritesInTenMinutes();
    void p10_pausesDoubleToAMinuteAndNeverEnd();
    void newsIsAnsweredAtOnceInAFight();
    void newsHasABrakeOfItsOwn();
    void fightIsOverAfterTwoMinutesOfCalm();
    void slowRestoresAreNoFight();
    void isForgottenInTheEnd();
};

void tst_Damping::p10_fightCostsThirtyWritesInTenMinutes_data()
{
    QTest::addColumn<QByteArrayList>("texts");
    QTest::newRow("one text") << QByteArrayList{ "a" };
    QTest::newRow("two texts") << QByteArrayList{ "a", "b" };
    QTest::newRow("four texts") << QByteArrayList{ "a", "b", "c", "d" };
}

void tst_Damping::p10_fightCostsThirtyWritesInTenMinutes()
{
    QFETCH(QByteArrayList, texts);
    Damping damping;
    const QList<qint64> patches = fight(damping, texts, 600 * second);
    QVERIFY2(patches.size() <= 30, qPrintable(QString::number(patches.size())));
    QVERIFY(damping.isContested(patches.last() + second));
}

void tst_Damping::p10_pausesDoubleToAMinuteAndNeverEnd()
{
    Damping damping;
    const QList<qint64> patches = fight(damping, { "a" }, 3600 * second);
    // The first patch answers nobody; ten restores are answered at once.
    for (qsizetype i = 1; i <= Damping::freeAnswers; ++i)
        QCOMPARE(patches[i] - patches[i - 1], 5 * ms);
    const QList<qint64> pauses{ 1, 2, 4, 8, 16, 32, 60, 60 };
    for (qsizetype i = 0; i < pauses.size(); ++i)
        QCOMPARE(patches[11 + i] - patches[10 + i], pauses[i] * second);
    QVERIFY(patches.last() > 3540 * second);
}

void tst_Damping::newsIsAnsweredAtOnceInAFight()
{
    Damping damping;
    const qint64 now = fight(damping, { "a" }, 30 * second).last();
    QVERIFY(damping.waitNs("a", now) > 0);
    QCOMPARE(damping.waitNs("news", now), 0);
}

void tst_Damping::newsHasABrakeOfItsOwn()
{
    Damping damping;
    for (int i = 0; i < Damping::burst; ++i) {
        QCOMPARE(damping.waitNs(QByteArray::number(i), second), 0);
        damping.patched(QByteArray::number(i), second);
    }
    const qint64 wait = damping.waitNs("more", second);
    QCOMPARE(wait, qint64(double(second) / Damping::burstPerSecond));
    QCOMPARE(damping.waitNs("more", second + wait), 0);
    QVERIFY(!damping.isContested(second));
}

void tst_Damping::fightIsOverAfterTwoMinutesOfCalm()
{
    Damping damping;
    const qint64 last = fight(damping, { "a" }, 60 * second).last();
    QVERIFY(damping.isContested(last + Damping::calmNs));
    QVERIFY(!damping.isContested(last + Damping::calmNs + 1));
    QCOMPARE(damping.waitNs("a", last + Damping::calmNs + 1), 0);
    damping.patched("a", last + Damping::calmNs + 1);
    QCOMPARE(damping.restores(), 1); // a new count
}

void tst_Damping::slowRestoresAreNoFight()
{
    Damping damping;
    qint64 now = second;
    for (int i = 0; i < 100; ++i, now += Damping::calmNs + second) {
        QCOMPARE(damping.waitNs("a", now), 0);
        damping.patched("a", now);
        QVERIFY(!damping.isContested(now));
    }
}

void tst_Damping::isForgottenInTheEnd()
{
    Damping damping;
    QVERIFY(damping.isForgotten(second));
    damping.patched("a", second);
    QVERIFY(!damping.isForgotten(second + Damping::calmNs));
    QVERIFY(damping.isForgotten(second + Damping::calmNs + 1));
}

QTEST_GUILESS_MAIN(tst_Damping)
#include "tst_damping.moc"
