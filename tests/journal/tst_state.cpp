// SPDX-License-Identifier: Apache-2.0
#include "journal/findingcodes.h"
#include "journal/state.h"

#include <QJsonArray>
#include <QRandomGenerator>
#include <QTest>

using namespace firstwatch::journal;

namespace {

constexpr qint64 second = 1'000'000'000;

Event at(qint64 seconds, Kind kind, const QJsonObject &fields = {})
{
    return { 1, "b1", seconds * second, 0, kind, {}, fields };
}

Event file(qint64 seconds, const char *name, const char *word, bool active = false)
{
    return at(seconds, Kind::FileState,
        { { QLatin1String("file"), QLatin1String(name) }, { QLatin1String("state"), QLatin1String(word) },
            { QLatin1String("active"), active } });
}

Event finding(Kind kind, int code, const char *name = "")
{
    return at(4, kind, { { QLatin1String("code"), code }, { QLatin1String("file"), QLatin1String(name) } });
}

Event stop(bool clean)
{
    return at(20, Kind::ProcessStop, { { QLatin1String("clean"), clean } });
}

Event passEnd(qint64 seconds, bool clean = true)
{
    return at(seconds, Kind::PassEnd, { { QLatin1String("clean"), clean } });
}

Event ofBoot(const char *boot, Event event)
{
    event.boot = boot;
    return event;
}

NodeState folded(const QList<Event> &events)
{
    NodeState state;
    for (const Event &event : events)
        state.apply(event);
    return state;
}

const Event start = at(1, Kind::ProcessStart);
const Event armed = at(1, Kind::WatchArmed);
const Event proven = at(2, Kind::WatchProven);
const Event lost = at(5, Kind::WatchLost);
const Event polling = at(3, Kind::WatchPolling);

QList<Event> clean(const QList<Event> &more = {})
{
    return QList<Event>{ start, armed, proven, passEnd(3) } + more;
}

} // namespace

class TestState final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void words();
    void word_data();
    void word();
    void survivesTheWire_data() { word_data(); }
    void survivesTheWire();
    void driftAge();
    void oneFileIsActive();
    void aFileThatIsGoneIsForgotten();
    void findings();
    void aNewRunForgetsTheOldOne();
    void anythingFromOutsideIsTaken();
    void debugShowsAll();
};

void TestState::words()
{
    const QStringList expected{ QStringLiteral("BLIND"), QStringLiteral("DRIFT"), QStringLiteral("CONTESTED"),
        QStringLiteral("DEGRADED"), QStringLiteral("STARTING"), QStringLiteral("UNREACHABLE"),
        QStringLiteral("STOPPED"), QStringLiteral("WAITING"), QStringLiteral("OK") };
    const QString glyphs = QStringLiteral("✘◐⇄!…⌁□◌●");
    for (int state = 0; state < expected.size(); ++state) {
        QCOMPARE(QString(stateWord(State(state))), expected.at(state));
        QCOMPARE(stateGlyph(State(state)).toString(), QString(glyphs.at(state)));
    }
    for (int word = 0; word <= int(FileWord::Gone); ++word)
        QCOMPARE(fileWordFromName(fileWordName(FileWord(word))), std::optional(FileWord(word)));
    QVERIFY(!fileWordFromName(u"lost"));
}

// NOLINTNEXTLINE(readability-function-size): a table
void TestState::word_data()
{
    QTest::addColumn<QList<Event>>("events");
    QTest::addColumn<qint64>("seconds");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *name, const QList<Event> &events, qint64 seconds, const char *expected) {
        QTest::newRow(name) << events << seconds << QString::fromLatin1(expected);
    };
    // before proof
    row("nothing known", {}, 1'000, "STARTING");
    row("started", { start }, 1, "STARTING");
    row("started, 9 s old", { start }, 10, "STARTING");
    row("started, 10 s old", { start }, 11, "BLIND");
    row("armed is not proven", { start, armed }, 11, "BLIND");
    row("the clock stands before the start", { start }, 0, "STARTING");
    row("a pass proves nothing", { start, passEnd(2) }, 11, "BLIND");
    row("seen from the middle of a run", { at(50, Kind::FileChange) }, 55, "STARTING");
    row("seen from the middle of a run, 10 s later", { at(50, Kind::FileChange) }, 60, "BLIND");
    // proven
    row("proven, no pass yet", { start, armed, proven }, 3, "STARTING");
    row("proven, no pass after 10 s", { start, armed, proven }, 12, "DEGRADED");
    row("proven, clean, no file", clean(), 1'000, "WAITING");
    row("only files that are not for us", clean({ file(3, "99-loopback.conf", "ignored") }), 9, "WAITING");
    row("patched", clean({ file(3, "10-a.conflist", "patched", true) }), 9, "OK");
    row("patched, long ago", clean({ file(3, "10-a.conflist", "patched", true) }), 1'000'000, "OK");
    row("refused alone", clean({ file(3, "10-a.conflist", "refused") }), 9, "OK");
    row("incomplete alone", clean({ file(3, "10-a.conflist", "incomplete") }), 9, "OK");
    row("withdrawn", clean({ file(3, "10-a.conflist", "patched"), file(4, "10-a.conflist", "gone") }), 9, "WAITING");
    row("a proof on the timer needs no new pass", clean({ file(3, "a.conf", "patched"), at(30, Kind::WatchProven) }),
        31, "OK");
    row("a pass that was not clean", clean({ file(3, "a.conf", "patched"), passEnd(4, false) }), 9, "DEGRADED");
    row("clean again", clean({ file(3, "a.conf", "patched"), passEnd(4, false), passEnd(5) }), 9, "OK");
    // lost
    row("lost, at once", clean({ file(3, "a.conf", "patched"), lost }), 5, "BLIND");
    row("lost before it was proven", { start, armed, at(2, Kind::WatchLost) }, 2, "BLIND");
    row("lost and armed again", clean({ lost, at(6, Kind::WatchArmed) }), 6, "BLIND");
    row("lost and proven again", clean({ file(3, "a.conf", "patched"), lost, at(6, Kind::WatchProven) }), 6,
        "STARTING");
    row("lost, proven, and looked at again",
        clean({ file(3, "a.conf", "patched"), lost, at(6, Kind::WatchProven), passEnd(7) }), 7, "OK");
    row("worse than drift", clean({ file(3, "a.conf", "drift"), lost }), 5, "BLIND");
    // fallbacks
    row("polling", { start, polling, passEnd(4) }, 9, "DEGRADED");
    row("a poll that cannot look", { start, polling, passEnd(4, false) }, 9, "BLIND");
    row("a poll that can look again", { start, polling, passEnd(4, false), passEnd(5) }, 9, "DEGRADED");
    row("polling before a pass", { start, polling }, 100, "DEGRADED");
    row("polling after the watch was lost", clean({ lost, at(6, Kind::WatchPolling) }), 7, "DEGRADED");
    row("polling, then proven", { start, polling, at(4, Kind::WatchProven), passEnd(5) }, 9, "WAITING");
    row("a finding that degrades", clean({ finding(Kind::FindingOpen, code::historyOff) }), 9, "DEGRADED");
    row("a finding that is listed only", clean({ finding(Kind::FindingOpen, code::kubeconfigMode) }), 9, "WAITING");
    row("a finding of a newer version", clean({ finding(Kind::FindingOpen, 7777) }), 9, "WAITING");
    row("closed again",
        clean({ finding(Kind::FindingOpen, code::historyOff), finding(Kind::FindingClose, code::historyOff) }), 9,
        "WAITING");
    row("closed for another file",
        clean(
            { finding(Kind::FindingOpen, code::unreadable, "a"), finding(Kind::FindingClose, code::unreadable, "b") }),
        9, "DEGRADED");
    // files
    row("drift", clean({ file(3, "a.conf", "patched"), file(4, "b.conf", "drift") }), 9, "DRIFT");
    row("drift over", clean({ file(4, "b.conf", "drift"), file(5, "b.conf", "patched") }), 9, "OK");
    row("drift while polling", { start, polling, file(4, "b.conf", "drift") }, 9, "DRIFT");
    row("contested", clean({ file(4, "b.conf", "contested") }), 9, "CONTESTED");
    row("drift is worse than contested", clean({ file(4, "b.conf", "contested"), file(4, "a.conf", "drift") }), 9,
        "DRIFT");
    row("contested is worse than degraded", { start, polling, file(4, "b.conf", "contested") }, 9, "CONTESTED");
    // the end
    row("stopped", clean({ stop(true) }), 1'000, "STOPPED");
    row("stopped, with files left as they are", clean({ file(4, "b.conf", "drift"), stop(true) }), 1'000, "STOPPED");
    row("stopped, not clean", clean({ stop(false) }), 20, "BLIND");
    row("started again", clean({ stop(true), ofBoot("b2", at(30, Kind::ProcessStart)) }), 31, "STARTING");
    // notes
    row("a note outside any run", clean({ file(3, "a.conf", "patched"), ofBoot("", at(9, Kind::Note)) }), 9, "OK");
}

void TestState::word()
{
    QFETCH(QList<Event>, events);
    QFETCH(qint64, seconds);
    QFETCH(QString, expected);
    QCOMPARE(QString(stateWord(folded(events).word(seconds * second))), expected);
}

void TestState::survivesTheWire()
{
    QFETCH(QList<Event>, events);
    QFETCH(qint64, seconds);
    QFETCH(QString, expected);
    NodeState state;
    for (const Event &event : events)
        state.apply(fromLine(toLine(event)).value());
    QCOMPARE(QString(stateWord(state.word(seconds * second))), expected);
}

void TestState::driftAge()
{
    QList<Event> events = clean();
    QCOMPARE(folded(events).oldestDriftNs(), 0);
    events << file(7, "b.conf", "drift") << file(5, "a.conf", "drift") << file(3, "c.conf", "patched");
    QCOMPARE(folded(events).oldestDriftNs(), 5 * second);
    events << file(9, "a.conf", "drift");
    QCOMPARE(folded(events).oldestDriftNs(), 5 * second); // said twice is not newer
    events << file(10, "a.conf", "patched");
    QCOMPARE(folded(events).oldestDriftNs(), 7 * second);
}

void TestState::oneFileIsActive()
{
    const NodeState state = folded({ file(1, "b.conf", "patched", true), file(2, "a.conf", "patched", true) });
    QVERIFY(state.files().value(QStringLiteral("a.conf")).active);
    QVERIFY(!state.files().value(QStringLiteral("b.conf")).active);
}

void TestState::aFileThatIsGoneIsForgotten()
{
    NodeState state;
    for (int i = 0; i < 1'000; ++i) {
        const QByteArray name = QByteArray::number(i);
        state.apply(file(1, name.constData(), "patched"));
        state.apply(file(1, name.constData(), "gone"));
    }
    QVERIFY(state.files().isEmpty());
}

void TestState::findings()
{
    Event again = finding(Kind::FindingOpen, 1101, "a");
    again.tNs = 9 * second;
    again.fields.insert(QLatin1String("text"), QLatin1String("new"));
    const NodeState state =
        folded({ finding(Kind::FindingOpen, 1101, "a"), finding(Kind::FindingOpen, 1101, "b"), again });
    QCOMPARE(state.findings().size(), 2);
    QCOMPARE(state.findings().at(0).text, QStringLiteral("new"));
    QCOMPARE(state.findings().at(0).sinceNs, 4 * second);
}

void TestState::aNewRunForgetsTheOldOne()
{
    const QList<Event> old = clean({ file(3, "a.conf", "drift"), finding(Kind::FindingOpen, 1101, "a.conf") });
    const NodeState state = folded(old + QList{ ofBoot("b2", at(2, Kind::WatchProven)) });
    QVERIFY(state.files().isEmpty());
    QVERIFY(state.findings().isEmpty());
    QVERIFY(state.isProven());
}

void TestState::anythingFromOutsideIsTaken()
{
    const QList<QJsonValue> values{ QJsonValue(), QJsonValue(QJsonValue::Undefined), true, -1, 1e300, 1102,
        QStringLiteral("drift"), QStringLiteral("a"), QString(), QJsonArray{ 1 }, QJsonObject() };
    const QStringList names{ QStringLiteral("file"), QStringLiteral("state"), QStringLiteral("active"),
        QStringLiteral("code"), QStringLiteral("text"), QStringLiteral("clean") };
    QRandomGenerator random(20260823);
    NodeState state;
    for (int i = 0; i < 200'000; ++i) {
        Event event = at(random.bounded(100), Kind(random.bounded(int(Kind::Unknown) + 1)));
        event.boot = random.bounded(1'000) == 0 ? "other" : "b1";
        for (const QString &name : names)
            event.fields.insert(name, values.at(random.bounded(int(values.size()))));
        state.apply(event);
        const State word = state.word(qint64(random.generate64() >> 1));
        QVERIFY(word != State::Unreachable);
        QVERIFY(state.isProven() || (word != State::Ok && word != State::Waiting));
    }
    QVERIFY(state.files().size() <= 2); // the texts that can be a file name
}

void TestState::debugShowsAll()
{
    QString text;
    QDebug(&text) << folded(clean({ file(3, "a.conf", "drift", true), finding(Kind::FindingOpen, 1101, "a.conf") }));
    QCOMPARE(text.trimmed(), QStringLiteral("NodeState(proven, a.conf drift active, FW1101 a.conf)"));
}

QTEST_GUILESS_MAIN(TestState)
#include "tst_state.moc"
