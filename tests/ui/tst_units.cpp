// SPDX-License-Identifier: Apache-2.0
#include "ui/text/units.h"

#include <QTest>

#include <limits>

using namespace firstwatch::ui;

namespace {
constexpr qint64 us = 1'000;
constexpr qint64 ms = 1'000'000;
constexpr qint64 second = 1'000'000'000;
} // namespace

class TestUnits final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void ages_data()
    {
        QTest::addColumn<qint64>("ns");
        QTest::addColumn<QString>("text");
        QTest::newRow("below zero") << -5 * second << "0s";
        QTest::newRow("nothing") << qint64(0) << "0s";
        QTest::newRow("just below") << second - 1 << "0s";
        QTest::newRow("seconds") << 41 * second << "41s";
        QTest::newRow("a minute") << 60 * second << "1m";
        QTest::newRow("two parts") << 751 * second << "12m31s";
        QTest::newRow("hours") << 7860 * second << "2h11m";
        QTest::newRow("days") << (3 * 86'400 + 4 * 3600 + 59) * second << "3d4h";
        QTest::newRow("longest") << std::numeric_limits<qint64>::max() << "106751d23h";
    }
    void ages()
    {
        QFETCH(qint64, ns);
        QTEST(ageText(ns), "text");
    }

    void offsets_data()
    {
        QTest::addColumn<qint64>("ns");
        QTest::addColumn<QString>("text");
        QTest::newRow("zero") << qint64(0) << "+0 µs";
        QTest::newRow("before") << -140 * ms << "-140 ms";
        QTest::newRow("below a second") << 410 * us << "+0.41 ms";
        QTest::newRow("a second") << 999'600 * us << "+1.000 s";
        QTest::newRow("seconds") << -2'504 * ms << "-2.504 s";
        QTest::newRow("minutes") << 751'004 * ms << "+12m31.004s";
        QTest::newRow("a minute and little") << 61'050 * ms << "+1m01.050s";
        QTest::newRow("rounds over") << 59'999'600 * us << "+1m00.000s";
        QTest::newRow("hours") << 7531 * second << "+2h05m31s";
        QTest::newRow("smallest") << std::numeric_limits<qint64>::min() << "-2562047h47m16s";
    }
    void offsets()
    {
        QFETCH(qint64, ns);
        QTEST(offsetText(ns), "text");
    }

    void spans_data()
    {
        QTest::addColumn<qint64>("ns");
        QTest::addColumn<QString>("text");
        QTest::newRow("nothing") << qint64(0) << "0 µs";
        QTest::newRow("micro") << 15 * us << "15 µs";
        QTest::newRow("last micro") << 99 * us << "99 µs";
        QTest::newRow("below a millisecond") << 430 * us << "0.43 ms";
        QTest::newRow("three digits") << 12'440 * us << "12.4 ms";
        QTest::newRow("rounds up to three") << 99'960 * us << "100 ms";
        QTest::newRow("whole") << 143 * ms << "143 ms";
        QTest::newRow("not 1000 ms") << 999'900 * us << "1.00 s";
        QTest::newRow("seconds") << 2'500 * ms << "2.50 s";
        QTest::newRow("minutes") << 751 * second << "12m31s";
        QTest::newRow("smallest") << std::numeric_limits<qint64>::min() << "106751d23h";
    }
    void spans()
    {
        QFETCH(qint64, ns);
        QTEST(spanText(ns), "text");
    }

    // The sign is the verdict: it is always there.
    void margins_data()
    {
        QTest::addColumn<qint64>("ns");
        QTest::addColumn<QString>("text");
        QTest::newRow("proven") << 410 * us << "+0.41 ms";
        QTest::newRow("the race") << -140 * ms << "-140 ms";
        QTest::newRow("at once") << qint64(0) << "+0 µs";
    }
    void margins()
    {
        QFETCH(qint64, ns);
        QTEST(signedText(ns), "text");
    }

    void typed_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("ns"); // 0: refused
        QTest::newRow("seconds") << "90s" << 90 * second;
        QTest::newRow("milliseconds") << "500ms" << 500 * ms;
        QTest::newRow("parts") << "1h30m" << 5400 * second;
        QTest::newRow("days") << "2d" << 172'800 * second;
        QTest::newRow("no unit") << "90" << qint64(0);
        QTest::newRow("nothing") << "" << qint64(0);
        QTest::newRow("zero") << "0s" << qint64(0);
        QTest::newRow("below zero") << "-1s" << qint64(0);
        QTest::newRow("a blank") << "1 h" << qint64(0);
        QTest::newRow("too long to tell") << "999999999d" << qint64(0);
        QTest::newRow("too many digits") << "99999999999s" << qint64(0);
    }
    void typed()
    {
        QFETCH(QString, text);
        QTEST(spanFromText(text).value_or(0), "ns");
    }

    void counts()
    {
        QCOMPARE(countText(1, QStringLiteral("file")), QStringLiteral("1 file"));
        QCOMPARE(countText(0, QStringLiteral("file")), QStringLiteral("0 files"));
    }
};

QTEST_GUILESS_MAIN(TestUnits)
#include "tst_units.moc"
