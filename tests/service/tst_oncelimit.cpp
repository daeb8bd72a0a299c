// SPDX-License-Identifier: Apache-2.0
#include "service/oncelimit.h"

#include <QSignalSpy>
#include <QTest>

using namespace firstwatch;
using namespace firstwatch::service;
using journal::Kind;

class tst_OnceLimit : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        m_journal = std::make_unique<journal::Journal>();
        m_notes.clear();
        connect(m_journal.get(), &journal::Journal::recorded, this, [this](const journal::Event &event) {
            if (event.kind == Kind::Note)
                m_notes.append(event.fields[QStringLiteral("text")].toString());
        });
    }
    void saysAgainAndAgainWhatItWaitsFor();
    void endsInTime();
    void zeroIsForEver();
    void isSilentOnceItHasBegun();

private:
    std::unique_ptr<journal::Journal> m_journal;
    QStringList m_notes;
};

void tst_OnceLimit::saysAgainAndAgainWhatItWaitsFor()
{
    QString awaited = QStringLiteral("the lock");
    OnceLimit limit(
        60, [&] { return awaited; }, *m_journal, 1);
    limit.start();
    QTRY_VERIFY(m_notes.size() >= 2);
    QCOMPARE(m_notes.first(),
        QStringLiteral("waits for the lock, since 0 s; ends with exit code 3 after 60 s (--once-timeout)"));
    awaited = QStringLiteral("the net dir");
    QTRY_VERIFY(m_notes.last().startsWith(QStringLiteral("waits for the net dir, ")));
}

void tst_OnceLimit::endsInTime()
{
    OnceLimit limit(
        1, [] { return QStringLiteral("the lock"); }, *m_journal);
    QSignalSpy passed(&limit, &OnceLimit::passed);
    limit.start();
    QVERIFY(passed.wait());
    const QString summary = passed.first().first().toString();
    QVERIFY2(summary.startsWith(QStringLiteral("nothing patched: waited 1 s for the lock; ")), qPrintable(summary));
}

void tst_OnceLimit::zeroIsForEver()
{
    OnceLimit limit(
        0, [] { return QStringLiteral("the lock"); }, *m_journal, 1);
    QSignalSpy passed(&limit, &OnceLimit::passed);
    limit.start();
    QTRY_VERIFY(m_notes.size() >= 3);
    QVERIFY(passed.isEmpty());
    QVERIFY(m_notes.last().endsWith(QStringLiteral("without an end (--once-timeout 0)")));
}

void tst_OnceLimit::isSilentOnceItHasBegun()
{
    OnceLimit limit(
        1, [] { return QStringLiteral("the lock"); }, *m_journal, 1);
    QSignalSpy passed(&limit, &OnceLimit::passed);
    limit.start();
    limit.stop();
    QVERIFY(!passed.wait(1200));
    QCOMPARE(m_notes, QStringList());
}

QTEST_GUILESS_MAIN(tst_OnceLimit)
#include "tst_oncelimit.moc"
