// SPDX-License-Identifier: Apache-2.0
// What the models of the installers say: what is known of each, and that none of them can only say one thing.
#include "races.h"

#include "stream/capture.h"
#include "ui/timeline/timeline.h"

#include <QRandomGenerator>
#include <QTest>

#include <algorithm>

using namespace firstwatch;
using namespace firstwatch::race;
using namespace firstwatch::test;

namespace {

constexpr int rounds = 300;
constexpr qint64 ms = 1'000'000;
const QByteArrayList none;

QByteArrayList files(const char *names)
{
    return QByteArray(names).isEmpty() ? none : QByteArray(names).split(' ');
}

Outcome shell(bool isFixed, const QByteArray &text)
{
    return simulate(isFixed ? Installer::ShellAfter : Installer::ShellBefore, raceOf(text), linkerdChain());
}

Outcome ours(const QByteArray &text, const FirstwatchRules &rules = {})
{
    return simulateFirstwatch(raceOf(text), linkerdChain(), rules);
}

// As the script was measured: a config is there, and its owner renames a new one over it at a random moment of the
// first 400 ms after exec(2). The script had a watch 71 ms after that.
struct Share {
    int unpatched = 0;
    int lost = 0;
};
Share shareOf(bool isFixed, const QByteArray &delay)
{
    constexpr int starts = 100;
    constexpr int loadMs = 69; // from exec(2) to time zero
    QRandomGenerator random(7);
    Share share;
    for (int start = 0; start < starts; ++start) {
        const int atMs = random.bounded(400) - loadMs;
        const QByteArray moment = (atMs < 0 ? "" : "+") + QByteArray::number(atMs);
        const Outcome outcome = shell(isFixed,
            delay + "\nuntil +4s\n-1s write 10-a.conflist < calico\n" + moment + "ms rename 10-a.conflist < calico2\n");
        share.unpatched += missedFiles(outcome).isEmpty() ? 0 : 1;
        share.lost += outcome.lostUpdates.isEmpty() ? 0 : 1;
    }
    share.unpatched = share.unpatched * 100 / starts;
    share.lost = share.lost * 100 / starts;
    return share;
}

// Any owner's doings: writes of each kind, removals, another directory, overflows.
QByteArray anyRace(QRandomGenerator &random)
{
    QByteArray text = "delay fork " + QByteArray::number(random.bounded(200)) + "ms\ndelay watch "
        + QByteArray::number(random.bounded(200)) + "ms\nuntil +29s\n";
    if (random.bounded(2) == 0)
        text += "-1s write 10-a.conflist < calico\n";
    for (int step = 1 + random.bounded(6); step > 0; --step) {
        const QByteArray at = "+" + QByteArray::number(random.bounded(500'000)) + "us ";
        const QByteArray name = random.bounded(2) == 0 ? " 10-a.conflist" : " 20-b.conflist";
        const QByteArray content = random.bounded(2) == 0 ? " < calico" : " < calico2";
        switch (random.bounded(9)) {
        case 0:
            text += at + "write" + name + content + "\n";
            break;
        case 1:
            text += at + "write" + name + content + " in 3 pieces every " + QByteArray::number(random.bounded(900))
                + "us\n";
            break;
        case 2:
            text += at + "create" + name + content + "\n";
            break;
        case 3:
            text += at + "delete" + name + "\n";
            break;
        case 4:
            text += at + "replace dir\n";
            break;
        case 6: // a second write while the first is being patched
            text += "+700ms rename" + name + " < calico\n+700.3ms rename" + name + " < calico2\n";
            break;
        case 5:
            text += at + "overflow " + QByteArray::number(random.bounded(300)) + "ms\n";
            break;
        default:
            text += at + "rename" + name + content + "\n";
        }
    }
    return text;
}

} // namespace

class TestRaceModels final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Each row has its source: what was measured of linkerd's script, or what Firstwatch promises.
    void whatEachWouldMiss_data()
    {
        QTest::addColumn<QByteArray>("race");
        QTest::addColumn<QByteArrayList>("before");
        QTest::addColumn<QByteArrayList>("after");
        QTest::addColumn<QByteArrayList>("ours");
        const auto row = [](const char *name, const char *race, const char *before, const char *after,
                             const char *own) {
            QTest::newRow(name) << QByteArray(race) << files(before) << files(after) << files(own);
        };
        row("a config, and all in time", "until +3s\n-1s write 10-a.conflist < calico", "", "", "");
        row("fork late", "delay fork 140ms\nuntil +3s\n+4ms rename 10-a.conflist < calico", "10-a.conflist", "", "");
        row("fork late, the pass provokes for nobody", "delay fork 140ms\nuntil +3s\n-1s write 10-a.conflist < calico",
            "10-a.conflist", "", "");
        row("watch late", "delay watch 140ms\nuntil +3s\n+100ms rename 10-a.conflist < calico", "10-a.conflist",
            "10-a.conflist", "");
        row("overflow, not asked for", "until +5s\n+1s overflow 1s\n+1.1s rename 10-a.conflist < calico",
            "10-a.conflist", "10-a.conflist", "");
        row("another directory", "until +5s\n+1s replace dir\n+1s rename 10-a.conflist < calico", "10-a.conflist",
            "10-a.conflist", "");
        row("directory made again", "until +5s\n+1s rmdir\n+2s mkdir\n+2s rename 10-a.conflist < calico",
            "10-a.conflist", "10-a.conflist", "");
        row("no directory at the start", "-1s rmdir\nuntil +8s\n+2s mkdir\n+2.1s rename 10-a.conflist < calico",
            "10-a.conflist", "10-a.conflist", "");
        row("no events", "deaf\nuntil +8s\n+1s rename 10-a.conflist < calico", "10-a.conflist", "10-a.conflist", "");
        row("a name without regard to case", "until +3s\n+1s rename X.CONFLIST < calico", "", "", "");
        row("json", "until +3s\n+1s rename 10-a.json < single", "10-a.json", "10-a.json", "");
        row("partial, and completed", "until +5s\n+1s write 10-a.conflist < calico in 2 pieces every 1.5s", "", "", "");
        row("empty, and filled", "until +5s\n-1s write 10-a.conflist < empty\n+2s rename 10-a.conflist < calico", "",
            "", "");
        row("a single plugin", "until +3s\n-1s write 10-a.conf < single", "", "", "");
    }
    void whatEachWouldMiss()
    {
        QFETCH(QByteArray, race);
        // Nobody can say when a script that waits without an end is over.
        const bool waits = race.contains("-1s rmdir");
        QTEST(missedFiles(shell(false, race)), "before");
        if (!waits)
            QTEST(missedFiles(shell(true, race)), "after");
        QTEST(missedFiles(ours(race)), "ours");
    }

    // docs/race.md has the figures that were measured of the script itself in the same harness: left unpatched were
    // 203 of 300 with a late fork before the fix and none after it; with a late watch after the fix 64 of 99, and all
    // of 45 when it was a second late. The model is no clock, so its shares are near, not equal.
    void sharesAreThoseThatWereMeasured()
    {
        const Share before = shareOf(false, "delay fork 140ms");
        QVERIFY2(before.unpatched > 30 && before.unpatched <= 75, qPrintable(QString::number(before.unpatched)));
        const Share after = shareOf(true, "delay fork 140ms");
        QCOMPARE(after.unpatched, 0);
        QVERIFY2(after.lost > 0 && after.lost < 25, qPrintable(QString::number(after.lost)));
        const Share defeated = shareOf(true, "delay watch 140ms");
        QVERIFY2(defeated.unpatched > 25 && defeated.unpatched < 75, qPrintable(QString::number(defeated.unpatched)));
        QVERIFY(shareOf(true, "delay watch 1s").unpatched >= 98);
    }

    // The seed that `demo race` has recorded: a script whose inotifywait came late. It patched in its pass what was
    // there, where linkerd's provokes events, so the file that was there is no part of the comparison.
    void theRecordedSeedIsTheModels()
    {
        const QList<journal::Event> run =
            stream::readCapture(FIRSTWATCH_SOURCE_DIR "/app/firstwatch/data/race-seed.jsonl").events;
        QVERIFY(!run.isEmpty());
        const auto at = [&](journal::Kind kind) {
            for (const journal::Event &event : run) {
                if (event.kind == kind)
                    return event.tNs - run.first().tNs;
            }
            return qint64(-1);
        };
        const auto passNs = at(journal::Kind::PassBegin);
        const auto written = at(journal::Kind::FileChange);
        const auto armed = at(journal::Kind::WatchArmed);
        // Its times, with the beginning of the pass where the model's is.
        constexpr qint64 modelPassNs = 3 * ms;
        constexpr qint64 modelLeadNs = 1 * ms; // of a watch that is not late
        const QByteArray race = "delay fork " + QByteArray::number(armed - passNs + modelLeadNs) + "ns\nuntil +600ms\n+"
            + QByteArray::number(written - passNs + modelPassNs) + "ns rename 10-calico.conflist < calico\n";
        const Outcome outcome = shell(false, race);
        QCOMPARE(missedFiles(outcome), QByteArrayList{ "10-calico.conflist" });
        const ui::Timeline modelled = ui::timelineOf(outcome.events);
        const ui::Timeline recorded = ui::timelineOf(run);
        QCOMPARE(modelled.verdict, recorded.verdict);
        QCOMPARE(*modelled.marginNs / ms, *recorded.marginNs / ms);
        QCOMPARE(modelled.blind.first().neverSeen, recorded.blind.first().neverSeen);
    }

    void theShellsLoseAndPutBack()
    {
        const QByteArray twice = "until +3s\n+1s rename 10-a.conflist < calico\n+1.28s rename 10-a.conflist < calico2";
        QCOMPARE(shell(true, twice).lostUpdates.size(), 1);
        QCOMPARE(ours(twice).lostUpdates.size(), 0);
        const QByteArray withdrawn = "until +3s\n+1s rename 10-a.conflist < calico\n+1.28s delete 10-a.conflist";
        QCOMPARE(shell(true, withdrawn).putBack, QByteArrayList{ "10-a.conflist" });
        QCOMPARE(ours(withdrawn).putBack, none);
        const QByteArray both = "until +3s\n-1s write 10-a.conf < single\n-1s write 10-a.conflist < flannel";
        QCOMPARE(shell(true, both).lostUpdates.size(), 1);
        QCOMPARE(ours(both).lostUpdates.size(), 0);
    }

    void aFightIsDamped()
    {
        const QByteArray fight =
            "until +30s\n-1s write 10-a.conflist < calico\npatch+5ms rename 10-a.conflist < calico times 1000";
        const auto patches = [](const Outcome &outcome) {
            return std::count_if(outcome.events.cbegin(), outcome.events.cend(),
                [](const journal::Event &event) { return event.kind == journal::Kind::PatchApplied; });
        };
        const auto answers = patches(ours(fight));
        QVERIFY2(answers >= 10 && answers <= 20, qPrintable(QString::number(answers)));
        QVERIFY(patches(shell(true, fight)) > 30);
    }

    // Whatever the owners do: nothing that should have the plugin lacks it in the end, nothing newer is overwritten,
    // nothing withdrawn comes back.
    void firstwatchMissesNothing()
    {
        QRandomGenerator random(11);
        int shellMisses = 0;
        for (int round = 0; round < rounds; ++round) {
            const QByteArray race = anyRace(random);
            const Outcome outcome = ours(race);
            QVERIFY2(outcome.isComplete, race.constData());
            QVERIFY2(missedFiles(outcome).isEmpty(), race.constData());
            QVERIFY2(outcome.lostUpdates.isEmpty() && outcome.putBack.isEmpty(), race.constData());
            shellMisses += missedFiles(shell(true, race)).isEmpty() ? 0 : 1;
        }
        QVERIFY(shellMisses > 0); // these are races
    }

    // Nor does the model say so by nature: each rule that is taken away is missed in some race.
    void withoutItsRulesItMisses_data()
    {
        QTest::addColumn<int>("rule");
        QTest::newRow("the proof before the pass") << 0;
        QTest::newRow("the look after an overflow") << 1;
        QTest::newRow("the watch of another directory") << 2;
        QTest::newRow("the look at what came out") << 3;
    }
    void withoutItsRulesItMisses()
    {
        QFETCH(int, rule);
        FirstwatchRules rules;
        rules.provesFirst = rule != 0;
        rules.rescansAfterOverflow = rule != 1;
        rules.rearms = rule != 2;
        rules.looksAtDisplaced = rule != 3;
        QRandomGenerator random(11);
        int misses = 0;
        for (int round = 0; round < rounds; ++round) {
            const Outcome outcome = ours(anyRace(random), rules);
            misses += missedFiles(outcome).isEmpty() && outcome.lostUpdates.isEmpty() ? 0 : 1;
        }
        QVERIFY(misses > 0);
    }

    void withoutTheProofTheSeedIsMissedUntilThePeriodicPass()
    {
        FirstwatchRules rules;
        rules.provesFirst = false;
        const QByteArray seed = "delay watch 140ms\n+100ms rename 10-a.conflist < calico\nuntil +";
        const Outcome early = ours(seed + "5s", rules);
        QCOMPARE(missedFiles(early), QByteArrayList{ "10-a.conflist" });
        QVERIFY(early.nextPassNs.value_or(0) > 29'000 * ms);
        QVERIFY(*early.passNs < *early.armedNs);
        QCOMPARE(missedFiles(ours(seed + "31s", rules)), none);
        rules.periodNs.reset();
        QCOMPARE(missedFiles(ours(seed + "31s", rules)), QByteArrayList{ "10-a.conflist" });
    }

    void theSameRaceHasTheSameOutcome()
    {
        QRandomGenerator random(5);
        for (int round = 0; round < 50; ++round) {
            const QByteArray race = anyRace(random);
            QVERIFY(ours(race).events == ours(race).events);
            QVERIFY(shell(true, race).events == shell(true, race).events);
        }
    }

    // A schedule that asks for a lot ends all the same.
    void muchIsSimulatedOrSaidToBeTooMuch()
    {
        const QByteArray much = "until +3600s\n-1s write 10-a.conflist < calico\n"
                                "patch+0ms rename 10-a.conflist < calico times 5000\n"
                                "+1s rename 20-b.conflist < calico times 4000 every 1ms\n";
        QVERIFY(ours(much).isComplete);
        QVERIFY(shell(true, much).isComplete);
    }
};

QTEST_GUILESS_MAIN(TestRaceModels)
#include "tst_racemodels.moc"
