// SPDX-License-Identifier: Apache-2.0
#include "recorded.h"
#include "ui/timeline/ascii.h"
#include "ui/timeline/compare.h"
#include "ui/timeline/picture.h"
#include "ui/timeline/range.h"
#include "ui/timeline/scale.h"

#include <QJsonArray>
#include <QRandomGenerator>
#include <QRegularExpression>
#include <QTest>
#include <QXmlStreamReader>

#include <algorithm>
#include <limits>

using namespace firstwatch;
using namespace firstwatch::ui;
using journal::Event;
using journal::Kind;

namespace {

constexpr qint64 ms = 1'000'000;

Event at(qint64 atMs, Kind kind, const QJsonObject &fields = {})
{
    static quint64 seq = 0;
    return { ++seq, "b007b007b007b007", atMs * ms + 1, 1'767'225'600'000'000 + atMs * 1000, kind, {}, fields };
}

QJsonObject about(const char *via)
{
    return { { QStringLiteral("file"), QStringLiteral("10-a.conflist") },
        { QStringLiteral("via"), QString::fromLatin1(via) } };
}

QJsonObject pass(int number, std::optional<qint64> marginMs)
{
    QJsonObject fields{ { QStringLiteral("pass"), number }, { QStringLiteral("reason"), QStringLiteral("start") },
        { QStringLiteral("evidence"), QStringLiteral("proof") } };
    if (marginMs)
        fields.insert(QStringLiteral("margin_ns"), *marginMs * ms);
    return fields;
}

const Event start = at(0, Kind::ProcessStart);

// A start whose watch is proven at 10 ms and whose first pass lasts from 20 to 30 ms.
QList<Event> goodStart()
{
    return { start, at(9, Kind::WatchArmed), at(10, Kind::WatchProven), at(20, Kind::PassBegin, pass(1, 10)),
        at(30, Kind::PassEnd, { { QStringLiteral("files"), 1 } }) };
}

Timeline recorded(const QByteArray &path)
{
    return timelineOf(stream::readCapture(test::sourcePath(path)).events);
}

const Lane *laneNamed(const Timeline &timeline, const QString &name)
{
    for (const Lane &lane : timeline.lanes) {
        if (lane.name == name)
            return &lane;
    }
    return nullptr;
}

} // namespace

class TestTimeline final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aRangeIsCutOut()
    {
        QList<Event> run = goodStart();
        run += { at(40, Kind::FileChange, about("event")),
            at(43, Kind::PatchApplied, { { QStringLiteral("file"), QStringLiteral("10-a.conflist") } }),
            at(90, Kind::ProcessStop) };
        quint64 missing = 0;
        const auto range = rangeBetween(run, run[6].seq, run[5].seq, missing); // in any order
        QVERIFY(range);
        QCOMPARE(range->ns(), 3 * ms);
        const Timeline whole = timelineOf(run);
        const Timeline part = cropped(whole, run, *range);
        QCOMPARE(part.endNs, 3 * ms);
        QVERIFY(part.verdict == whole.verdict && part.marginNs == whole.marginNs);
        QVERIFY2(part.sentence.startsWith(QStringLiteral("Δ +3.00 ms from ")), qPrintable(part.sentence));
        QVERIFY(part.blind.isEmpty());
        const Lane *const file = laneNamed(part, QStringLiteral("10-a.conflist"));
        QVERIFY(file != nullptr && file->marks.size() == 2);
        QCOMPARE(file->marks[0].atNs, 0);
        QCOMPARE(file->marks[1].atNs, 3 * ms);
        for (const Lane &lane : part.lanes) {
            for (const Bar &bar : lane.bars)
                QVERIFY(bar.fromNs >= 0 && bar.toNs <= part.endNs && bar.fromNs <= bar.toNs);
        }
        QVERIFY(laneNamed(part, QStringLiteral("pass")) == nullptr); // it was over
        QVERIFY(timelineText({ false, true, 80 }, part).contains(QStringLiteral("patched")));
    }

    void aRangeOfNoEventIsNone()
    {
        const QList<Event> run = goodStart();
        quint64 missing = 0;
        QVERIFY(!rangeBetween(run, run.first().seq, 99999, missing));
        QCOMPARE(missing, quint64(99999));
    }

    // Times that fall, and such that no clock has.
    void aRangeOfStrangeTimesIsDrawn()
    {
        QList<Event> run = goodStart();
        run[2].tNs = 0;
        run.last().tNs = std::numeric_limits<qint64>::max();
        quint64 missing = 0;
        for (const Event &from : run) {
            for (const Event &to : run) {
                const auto range = rangeBetween(run, from.seq, to.seq, missing);
                const Timeline part = cropped(timelineOf(run), run, *range);
                QVERIFY(part.endNs >= 0);
                QVERIFY(!timelineText({ false, true, 80 }, part).isEmpty());
                QVERIFY(!timelineSvg(part).isEmpty());
            }
        }
    }

    // Each from its own proof, whatever the clocks say: the second run began a day later, and was proven 40 ms sooner.
    void twoRunsStandAtTheirProofs()
    {
        QList<Event> late;
        for (Event event : goodStart()) {
            event.tNs += event.kind == Kind::ProcessStart ? 0 : 40 * ms;
            late.append(event);
        }
        QList<Event> tomorrow = goodStart();
        for (Event &event : tomorrow) {
            event.tNs += 86'400'000 * ms;
            event.wallUs += 86'400'000'000;
        }
        const Timeline one = timelineOf(late);
        const Timeline other = timelineOf(tomorrow);
        QCOMPARE(proofNs(one), std::optional(50 * ms));
        QCOMPARE(proofNs(other), std::optional(10 * ms));
        const auto [left, right] = aligned(one, other);
        QCOMPARE(left.zeroNs, 50 * ms);
        QCOMPARE(right.zeroNs, 50 * ms);
        QCOMPARE(proofNs(left), proofNs(right));
        QCOMPARE(right.endNs, other.endNs + 40 * ms);
        QCOMPARE(right.blind.first().fromNs, 40 * ms);
        const QString text = comparisonText({ false, false, 80 }, one, other);
        const QStringList rows = text.split(u'\n');
        const QStringList watches = rows.filter(QRegularExpression(QStringLiteral("^watch .*=")));
        QCOMPARE(watches.size(), 2);
        QCOMPARE(watches[0].indexOf(u'*'), watches[1].indexOf(u'*')); // proven in the same column
        const QStringList axes = rows.filter(QRegularExpression(QStringLiteral("^ +-[0-9].* 0 ")));
        QVERIFY2(axes.size() == 2 && axes[0].contains(QLatin1String("-")), qPrintable(text));
        QCOMPARE(axes[0], axes[1]);
        QVERIFY(text.contains(QLatin1String("the clocks of two runs are not compared")));
        for (const QString &row : rows)
            QVERIFY2(row.size() <= 80, qPrintable(row));
    }

    void aRunWithoutProofIsSaidAsThat()
    {
        const Timeline one = timelineOf(goodStart());
        const Timeline other = timelineOf({ start, at(5, Kind::PassBegin, pass(1, {})) });
        QVERIFY(!proofNs(other));
        const auto [left, right] = aligned(one, other);
        QCOMPARE(right.zeroNs, 10 * ms);
        QVERIFY(comparisonNote(one, other).contains(QLatin1String("has no proof, and is put there with its start")));
        const QJsonObject json = comparisonJson(one, other);
        QCOMPARE(json[QStringLiteral("aligned_at")].toString(), QStringLiteral("proof"));
        const QJsonArray runs = json[QStringLiteral("runs")].toArray();
        QCOMPARE(runs[0][QStringLiteral("proof_ns")].toInteger(), 10 * ms);
        QVERIFY(runs[1][QStringLiteral("proof_ns")].isNull());
        QCOMPARE(runs[0][QStringLiteral("end_ns")].toInteger(), one.endNs); // times are since its own start
    }

    void twoRunsOfStrangeTimesAreDrawn()
    {
        QList<Event> run = goodStart();
        run.last().tNs = std::numeric_limits<qint64>::max();
        const Timeline strange = timelineOf(run);
        const Timeline slow = timelineOf({ start, at(1000, Kind::WatchArmed), at(2000, Kind::WatchProven) });
        for (const Timeline &other : { strange, slow, Timeline() }) {
            QVERIFY(!comparisonText({ false, true, 80 }, strange, other).isEmpty());
            QXmlStreamReader xml(comparisonSvg(other, strange));
            while (!xml.atEnd())
                xml.readNext();
            QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        }
    }

    void verdicts_data()
    {
        using Verdict = Timeline::Verdict;
        QTest::addColumn<QList<Event>>("run");
        QTest::addColumn<Timeline::Verdict>("verdict");
        QTest::addColumn<QString>("title");
        QTest::addColumn<int>("changes"); // inside the first blind band
        QTest::addColumn<int>("neverSeen");
        QTest::addColumn<bool>("isExposed");
        const QList<Event> late{ start, at(5, Kind::PassBegin, pass(1, -95)), at(9, Kind::PassEnd),
            at(100, Kind::WatchArmed) };
        const QList<Event> unseen{ start, at(5, Kind::PassBegin, pass(1, -95)), at(9, Kind::PassEnd),
            at(20, Kind::FileChange, about("outside")), at(100, Kind::WatchArmed), at(200, Kind::Note) };
        const QList<Event> covered{ start, at(4, Kind::FileChange, about("outside")), at(9, Kind::WatchArmed),
            at(10, Kind::WatchProven), at(20, Kind::PassBegin, pass(1, 10)), at(25, Kind::PatchApplied, about("")) };
        QTest::newRow("nothing") << QList<Event>() << Verdict::NoPass << "Ready margin none" << 0 << 0 << false;
        QTest::newRow("no pass yet") << goodStart().first(3) << Verdict::NoPass << "Ready margin none" << 0 << 0
                                     << false;
        QTest::newRow("proven") << goodStart() << Verdict::Proven << "Ready margin +10.0 ms" << 0 << 0 << false;
        QTest::newRow("the race, and nothing happened")
            << late << Verdict::NotProven << "Ready margin -95.0 ms" << 0 << 0 << true;
        QTest::newRow("the race, and a change")
            << unseen << Verdict::NotProven << "Ready margin -95.0 ms" << 1 << 1 << true;
        QTest::newRow("a change that the pass covers")
            << covered << Verdict::Proven << "Ready margin +10.0 ms" << 1 << 0 << false;
        QJsonObject unproven = pass(1, 5);
        unproven.insert(QStringLiteral("evidence"), QStringLiteral("none"));
        QTest::newRow("a watch in time, of an installer that proves none")
            << QList<Event>{ start, at(5, Kind::WatchArmed), at(10, Kind::PassBegin, unproven) } << Verdict::NotProven
            << "Ready margin +5.00 ms" << 0 << 0 << false;
        QTest::newRow("polling") << QList<Event>{ start, at(2, Kind::WatchPolling),
            at(5, Kind::PassBegin, pass(1, {})) }
                                 << Verdict::NoWatch << "Ready margin none" << 0 << 0 << false;
    }
    void verdicts()
    {
        QFETCH(QList<Event>, run);
        const Timeline timeline = timelineOf(run);
        QTEST(timeline.verdict, "verdict");
        QTEST(marginTitle(timeline), "title");
        const BlindBand band = timeline.blind.value(0);
        QTEST(band.changes, "changes");
        QTEST(band.neverSeen, "neverSeen");
        QTEST(band.exposedFromNs.has_value(), "isExposed");
    }

    void aLostWatchIsBlindUntilItIsProvenAgain()
    {
        QList<Event> run = goodStart();
        run += { at(100, Kind::WatchLost), at(150, Kind::WatchArmed), at(160, Kind::WatchProven),
            at(400, Kind::WatchProven) };
        const Timeline timeline = timelineOf(run);
        QCOMPARE(timeline.blind.size(), 2);
        QCOMPARE(timeline.blind[1].fromNs, 100 * ms);
        QCOMPARE(timeline.blind[1].toNs, 160 * ms);
        QVERIFY(timeline.blind[1].isProven);
        const Lane *watch = laneNamed(timeline, QStringLiteral("watch"));
        const auto proofs = std::count_if(
            watch->marks.begin(), watch->marks.end(), [](const Mark &mark) { return mark.kind == Mark::Kind::Proven; });
        QCOMPARE(proofs, 2); // a renewed proof is no news
    }

    void gapsStandInTheirOwnLane()
    {
        const Timeline timeline = timelineOf(goodStart(), { { 1, 1, QStringLiteral("evicted") } });
        const Lane *stream = laneNamed(timeline, QStringLiteral("stream"));
        QVERIFY(stream != nullptr);
        QCOMPARE(stream->marks.size(), 1);
        QVERIFY(stream->facts.first().contains(QStringLiteral("evicted")));
    }

    // One scale for all, and each moment inside the picture or in a break.
    void scaleIsLinear_data()
    {
        QTest::addColumn<QList<int>>("changesMs");
        QTest::addColumn<int>("pieces");
        QTest::newRow("the start alone") << QList<int>() << 1;
        QTest::newRow("soon after") << QList<int>{ 50 } << 1;
        QTest::newRow("much later") << QList<int>{ 5000 } << 2;
        QTest::newRow("twice") << QList<int>{ 5000, 90'000 } << 3;
        QList<int> many;
        for (int i = 1; i <= 200; ++i)
            many.append(i * 1000);
        QTest::newRow("more than there is room for") << many << 6;
    }
    void scaleIsLinear()
    {
        QFETCH(QList<int>, changesMs);
        QList<Event> run = goodStart();
        for (const int change : changesMs)
            run.append(at(change, Kind::FileChange, about("event")));
        const Timeline timeline = timelineOf(run);
        const Scale scale(timeline, 80, 4, 4);
        QTEST(int(scale.pieces().size()), "pieces");
        double before = 0;
        for (const Lane &lane : timeline.lanes) {
            for (const Mark &mark : lane.marks) {
                const double x = scale.x(mark.atNs);
                QVERIFY(x >= 0 && x <= 80.5);
            }
        }
        for (const Scale::Piece &piece : scale.pieces()) {
            QVERIFY(piece.x >= before);
            const double width = scale.x(piece.toNs) - scale.x(piece.fromNs);
            QVERIFY(qAbs(width - double(piece.toNs - piece.fromNs) / scale.nsPerUnit()) < 0.01);
            before = piece.x + width;
        }
        int folded = 0;
        for (const Scale::Break &each : scale.breaks())
            folded += each.marks;
        const Lane *file = laneNamed(timeline, QStringLiteral("10-a.conflist"));
        const auto drawn = file == nullptr ? 0
                                           : std::count_if(file->marks.begin(), file->marks.end(),
                                               [&](const Mark &mark) { return scale.shows(mark.atNs); });
        QCOMPARE(drawn + folded, changesMs.size()); // nothing is dropped silently
    }

    void marksInOneColumnAreCounted()
    {
        QList<Event> run = goodStart();
        for (int i = 0; i < 5; ++i)
            run.append(at(25, Kind::FileChange, about("event")));
        const QString text = timelineText({ false, true, 80 }, timelineOf(run));
        QVERIFY2(text.contains(QStringLiteral("4▲")) || text.contains(QStringLiteral("▲4")), qPrintable(text));
    }

    // Looked at by a person before it was kept.
    void golden_data()
    {
        QTest::addColumn<QByteArray>("recording");
        QTest::addColumn<int>("columns");
        QTest::addColumn<bool>("hasUnicode");
        QTest::addColumn<QByteArray>("name");
        for (const char *name : { "race-seed", "race-firstwatch" }) {
            const QByteArray path = QByteArrayLiteral("app/firstwatch/data/") + name + ".jsonl";
            QTest::newRow(name) << path << 80 << true << name + QByteArrayLiteral(".txt");
            QTest::addRow("%s ascii", name) << path << 80 << false << name + QByteArrayLiteral("-ascii.txt");
        }
        QTest::newRow("drift") << QByteArrayLiteral("tests/data/captures/drift.jsonl") << 120 << true
                               << QByteArrayLiteral("drift.txt");
    }
    void golden()
    {
        QFETCH(QByteArray, recording);
        QFETCH(int, columns);
        QFETCH(bool, hasUnicode);
        QFETCH(QByteArray, name);
        const QByteArray text = timelineText({ false, hasUnicode, columns }, recorded(recording)).toUtf8();
        QCOMPARE(text, test::golden(name, text));
        for (const QString &line : QString::fromUtf8(text).split(u'\n'))
            QVERIFY2(widthOf(line) <= columns, qPrintable(line));
    }

    // The seed race has to be one red rectangle: at least a fifth of the width.
    void theRaceIsSeenAtOneLook()
    {
        const Timeline timeline = recorded("app/firstwatch/data/race-seed.jsonl");
        const Scale scale(timeline, 100, 4, 4);
        const BlindBand &band = timeline.blind.first();
        QVERIFY(band.exposedFromNs);
        QVERIFY(scale.x(band.toNs) - scale.x(*band.exposedFromNs) >= 20);
        QCOMPARE(timeline.verdict, Timeline::Verdict::NotProven);
        QVERIFY(*timeline.marginNs < 0);
    }

    void svgIsWellFormed_data()
    {
        QTest::addColumn<QByteArray>("path");
        for (const char *path : { "app/firstwatch/data/race-seed.jsonl", "app/firstwatch/data/race-firstwatch.jsonl",
                 "tests/data/captures/usual.jsonl", "tests/data/captures/blind.jsonl" })
            QTest::newRow(path) << QByteArray(path);
    }
    void svgIsWellFormed()
    {
        QFETCH(QByteArray, path);
        QXmlStreamReader xml(timelineSvg(recorded(path)));
        int shapes = 0;
        while (!xml.atEnd()) {
            xml.readNext();
            shapes += xml.isStartElement() ? 1 : 0;
            QVERIFY(xml.name() != QStringLiteral("script"));
        }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QVERIFY(shapes > 20);
    }

    void p52_anyEventsAreBorne()
    {
        const QList<Event> good = stream::readCapture(test::sourcePath("tests/data/captures/usual.jsonl")).events;
        QRandomGenerator random(1);
        const QJsonArray odd{ QStringLiteral("\x1b[2J\u202e%1%2"), -1, 9e18, QJsonValue(), QJsonArray{ 1 },
            QStringLiteral("10-a"), true };
        for (int i = 0; i < 500; ++i) {
            QList<Event> run = good;
            for (int change = 0; change < 8; ++change) {
                Event &event = run[random.bounded(run.size())];
                const QStringList names = event.fields.keys();
                if (!names.isEmpty())
                    event.fields.insert(names[random.bounded(names.size())], odd[random.bounded(odd.size())]);
                if (random.bounded(4) == 0)
                    event.tNs = qint64(random.generate64() >> 1);
            }
            const Timeline timeline = timelineOf(run);
            const QString text = timelineText({ false, true, 80 }, timeline);
            QVERIFY(!text.contains(u'\x1b') && !text.contains(u'\u202e'));
            QXmlStreamReader xml(timelineSvg(timeline));
            while (!xml.atEnd())
                xml.readNext();
            QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
            (void)timelineJson(timeline);
        }
    }
};

QTEST_GUILESS_MAIN(TestTimeline)
#include "tst_timeline.moc"
