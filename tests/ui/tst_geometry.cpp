// SPDX-License-Identifier: Apache-2.0
#include "recorded.h"
#include "ui/timeline/geometry.h"

#include <QTest>

#include <algorithm>

using namespace firstwatch;
using namespace firstwatch::ui;

namespace {

constexpr qint64 ms = 1'000'000;

// A run of 200 ms: blind for 100 ms, a pass from 20 to 40 ms, marks of one file where the test wants them.
Timeline runWith(const QList<qint64> &marksAtMs, std::optional<qint64> exposedFromMs)
{
    Timeline timeline;
    timeline.endNs = 200 * ms;
    BlindBand band;
    band.toNs = 100 * ms;
    if (exposedFromMs)
        band.exposedFromNs = *exposedFromMs * ms;
    timeline.blind = { band };
    Lane pass{ QStringLiteral("pass"), { { Bar::Kind::Pass, 20 * ms, 40 * ms, false, QStringLiteral("1") } }, {}, {} };
    Lane file{ QStringLiteral("10-a.conflist"), {}, {}, {} };
    quint64 seq = 0;
    for (const qint64 at : marksAtMs)
        file.marks.append({ Mark::Kind::ChangeByEvent, at * ms, ++seq, {} });
    // No idle time that would be folded: a millisecond is five pixels.
    Lane process{ QStringLiteral("process"), { { Bar::Kind::Running, 0, 100 * ms, false, {} } }, {}, {} };
    timeline.lanes = { pass, file, process };
    return timeline;
}

TimelineGeometry::Metrics thousand()
{
    return { 1000, 20, 30, 12 };
}

} // namespace

class TestGeometry : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyPartHasItsPlace();
    void theExposedPartIsTheRace_data();
    void theExposedPartIsTheRace();
    void marksThatHideEachOtherAreOneSpot_data();
    void marksThatHideEachOtherAreOneSpot();
    void noMarkIsLost();
    void aSpotIsFoundByPointAndBySeq();
    void aPlaceIsAMomentAgain();
};

void TestGeometry::everyPartHasItsPlace()
{
    const Timeline timeline = runWith({}, {});
    const TimelineGeometry geometry(timeline, thousand());
    QCOMPARE(geometry.lane(0), QRectF(0, 20, 1000, 30));
    QCOMPARE(geometry.lane(1), QRectF(0, 50, 1000, 30));
    QCOMPARE(geometry.lanes(), QRectF(0, 20, 1000, 90));
    QCOMPARE(geometry.bars().size(), 2);
    const QRectF bar = geometry.bars().first().box;
    QCOMPARE(qRound(bar.left()), 100);
    QCOMPARE(qRound(bar.width()), 100);
    QCOMPARE(bar.center().y(), 35.0);
    QVERIFY(geometry.lane(0).contains(bar));
}

void TestGeometry::theExposedPartIsTheRace_data()
{
    QTest::addColumn<int>("exposedFromMs"); // -1: no pass ran in it
    QTest::addColumn<int>("exposedWidth");
    QTest::newRow("no pass before the proof") << -1 << 0;
    QTest::newRow("a pass from the start on") << 0 << 500;
    QTest::newRow("a pass at 20 ms") << 20 << 400;
    QTest::newRow("a pass just before the proof") << 99 << 5;
}

void TestGeometry::theExposedPartIsTheRace()
{
    QFETCH(const int, exposedFromMs);
    QFETCH(const int, exposedWidth);
    const Timeline timeline =
        runWith({}, exposedFromMs < 0 ? std::optional<qint64>() : std::optional<qint64>(exposedFromMs));
    const TimelineGeometry geometry(timeline, thousand());
    QCOMPARE(geometry.blind().size(), 1);
    QCOMPARE(qRound(geometry.blind().first().box.width()), 500);
    QCOMPARE(qRound(geometry.blind().first().exposed.width()), exposedWidth);
    QCOMPARE(geometry.blind().first().exposed.isNull(), exposedFromMs < 0);
}

void TestGeometry::marksThatHideEachOtherAreOneSpot_data()
{
    QTest::addColumn<QList<qint64>>("marksAtMs");
    QTest::addColumn<QList<int>>("sizes");
    QTest::newRow("none") << QList<qint64>{} << QList<int>{};
    QTest::newRow("far apart") << QList<qint64>{ 10, 20, 30 } << QList<int>{ 1, 1, 1 };
    QTest::newRow("at once") << QList<qint64>{ 10, 10, 10 } << QList<int>{ 3 };
    QTest::newRow("5 pixels apart") << QList<qint64>{ 10, 11 } << QList<int>{ 2 };
    QTest::newRow("10 pixels apart") << QList<qint64>{ 10, 12 } << QList<int>{ 1, 1 };
    QTest::newRow("not in order") << QList<qint64>{ 30, 10, 30 } << QList<int>{ 1, 2 };
}

void TestGeometry::marksThatHideEachOtherAreOneSpot()
{
    QFETCH(const QList<qint64>, marksAtMs);
    QFETCH(const QList<int>, sizes);
    const Timeline timeline = runWith(marksAtMs, {});
    const TimelineGeometry geometry(timeline, thousand());
    QList<int> found;
    for (const TimelineGeometry::Spot &spot : geometry.spots())
        found.append(int(spot.marks.size()));
    QCOMPARE(found, sizes);
}

void TestGeometry::noMarkIsLost()
{
    QList<qint64> many;
    for (qint64 at = 0; at <= 200; ++at)
        many.append(at);
    const Timeline timeline = runWith(many, {});
    for (const double width : { 50.0, 300.0, 1000.0, 50'000.0 }) {
        TimelineGeometry::Metrics metrics = thousand();
        metrics.width = width;
        const TimelineGeometry geometry(timeline, metrics);
        qsizetype shown = 0;
        for (const TimelineGeometry::Spot &spot : geometry.spots())
            shown += spot.marks.size();
        QCOMPARE(shown, many.size());
    }
}

void TestGeometry::aSpotIsFoundByPointAndBySeq()
{
    const Timeline timeline = runWith({ 10, 100 }, {});
    const TimelineGeometry geometry(timeline, thousand());
    const TimelineGeometry::Spot *second = geometry.spotOf(timeline, 2);
    QVERIFY(second != nullptr);
    QCOMPARE(geometry.spotAt(second->centre + QPointF(3, -3)), second);
    QCOMPARE(geometry.spotAt(second->centre + QPointF(40, 0)), nullptr);
    QCOMPARE(geometry.spotOf(timeline, 3), nullptr);
}

void TestGeometry::aPlaceIsAMomentAgain()
{
    const Timeline timeline = runWith({ 10, 100 }, {});
    const Scale scale(timeline, 1000, 28, 40);
    for (const qint64 at : { 0, 7, 100, 199 })
        QVERIFY(std::abs(scale.at(scale.x(at * ms)) - at * ms) <= qint64(scale.nsPerUnit()));
    QCOMPARE(scale.at(-50), 0);
    QCOMPARE(scale.at(5000), 200 * ms);
}

QTEST_GUILESS_MAIN(TestGeometry)
#include "tst_geometry.moc"
