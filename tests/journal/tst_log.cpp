// SPDX-License-Identifier: Apache-2.0
#include "journal/log.h"

#include "journal/findingcodes.h"
#include "stderrto.h"

#include <QJsonDocument>
#include <QLoggingCategory>
#include <QTest>

#include <cerrno>
#include <thread>

using namespace firstwatch::journal;
using firstwatch::test::StderrTo;

Q_DECLARE_METATYPE(StderrTo::What)

namespace {

Event made(Kind kind, const QJsonObject &fields = {}, quint64 seq = 1)
{
    // 12:00:00.123456
    return { seq, "91c0aa01f00dbeef", 5, 1'787'486'400'123'456, kind, {}, fields };
}

QJsonObject parsed(const char *json)
{
    return QJsonDocument::fromJson(json).object();
}

QString textOf(const QByteArray &line)
{
    const std::optional<Event> note = fromLine(line);
    return note && note->kind == Kind::Note ? note->fields[QLatin1String("text")].toString() : QString();
}

} // namespace

class TestLog final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void human_data();
    void human();
    void humanShowsNoControlCharacters();
    void level_data();
    void level();
    void jsonIsTheEventItself();
    void levelsAreFiltered();
    void textOnATerminal_data();
    void textOnATerminal();
    void aFullPipeNeverBlocks_data();
    void aFullPipeNeverBlocks();
    void everyLineIsWholeOrDropped_data();
    void everyLineIsWholeOrDropped();
    void theReaderGoesAway();
    void qtMessagesAreRouted();
    void repeatedMessagesAreSaidOnce();
};

void TestLog::init()
{
    ::unsetenv("NO_COLOR");
}

void TestLog::human_data()
{
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<QByteArray>("fields");
    QTest::addColumn<QString>("expected");
    const auto row = [](Kind kind, const char *fields, const char *expected) {
        QTest::addRow("%s %s", kindName(kind).data(), fields)
            << kind << QByteArray(fields) << QString::fromUtf8(expected);
    };
    row(Kind::ProcessStart, R"({"version":"0.1.0","pid":7,"node":"node-17","net_dir":"/host/etc/cni/net.d"})",
        "process.start      version 0.1.0, pid 7, node node-17, /host/etc/cni/net.d");
    row(Kind::ProcessStop, R"({"clean":true,"summary":"3 of 3 undone"})", "process.stop       clean: 3 of 3 undone");
    row(Kind::ProcessStop, R"({})", "process.stop       not clean");
    row(Kind::WatchArmed, R"({"backend":"inotify","dir":"/n"})", "watch.armed        inotify on /n");
    row(Kind::WatchProven, R"({"probe":"chmod","probe_us":52,"witness":"confirmed"})",
        "watch.proven       after 52 µs by chmod, second witness confirmed");
    row(Kind::WatchLost, R"({"reason":"directory removed","errno":2})",
        "watch.lost         directory removed (No such file or directory)");
    row(Kind::WatchPolling, R"({"reason":"no inotify instance left","interval_ms":2000})",
        "watch.polling      every 2000 ms: no inotify instance left");
    row(Kind::WatchWitness, R"({"witness":"late"})", "watch.witness      second witness late");
    row(Kind::PassBegin, R"({"pass":1,"reason":"start","margin_ns":412400})",
        "pass.begin         #1  start, ready margin +412 µs");
    row(Kind::PassBegin, R"({"pass":1,"reason":"start","margin_ns":-140000000})",
        "pass.begin         #1  start, ready margin -140.00 ms");
    row(Kind::PassBegin, R"({"pass":9,"reason":"periodic"})", "pass.begin         #9  periodic");
    row(Kind::PassEnd, R"({"pass":1,"files":3,"patched":2,"missed":0,"us":812})",
        "pass.end           #1  3 files, 2 patched, 0 missed, 812 µs");
    row(Kind::PassEnd, R"({"pass":2,"files":3,"clean":false})", "pass.end           #2  3 files, not clean");
    row(Kind::FileChange, R"({"file":"10-a.conflist","via":"event","mask":130})",
        "file.change        10-a.conflist  by event MODIFY MOVED_TO");
    row(Kind::FileState, R"({"file":"10-a.conflist","state":"patched","active":true})",
        "file.state         10-a.conflist  patched, active");
    row(Kind::FileUnreadable, R"({"file":"10-a.conflist","why":"cut in a string","retry_ms":20})",
        "file.unreadable    10-a.conflist  cut in a string, again in 20 ms");
    row(Kind::PatchApplied, R"({"file":"10-a.conflist","us":412,"repatch":true,"recovered":true})",
        "patch.applied      10-a.conflist  412 µs, repatch, newer content kept");
    row(Kind::PatchApplied, R"({"file":"10-a.conflist","us":412})", "patch.applied      10-a.conflist  412 µs");
    row(Kind::PatchFailed, R"({"file":"10-a.conflist","step":"temp.write","errno":28,"retry_ms":50})",
        "patch.failed       10-a.conflist  at temp.write (No space left on device), again in 50 ms");
    row(Kind::PatchUndone, R"({"file":"a","sha_after":"0123456789abcdef"})", "patch.undone       a  0123456789ab");
    row(Kind::Overflow, R"({"count":1})",
        "overflow           1 times: events were lost, everything is looked at again");
    row(Kind::TokenRotated, R"({"age_s":3600,"expires":1787479200})",
        "token.rotated      age 3600 s  expires 2026-08-23T10:00:00Z");
    row(Kind::KubeconfigWritten, R"({"file":"ZZZ","mode":"0600"})", "kubeconfig.written ZZZ  mode 0600");
    row(Kind::BinaryInstalled, R"({"file":"linkerd-cni","sha":"0123456789abcdef"})",
        "binary.installed   linkerd-cni  0123456789ab");
    row(Kind::LockWaiting, R"({"holder":"pid 12"})", "lock.waiting       held by pid 12");
    row(Kind::LockTaken, R"({"waited_ms":90})", "lock.taken         after 90 ms");
    row(Kind::CleanupStep, R"({"step":"unpatch","file":"a","ok":true})", "cleanup.step       unpatch  a  done");
    row(Kind::CleanupStep, R"({"step":"unpatch","ok":false,"errno":30})",
        "cleanup.step       unpatch  failed (Read-only file system)");
    row(Kind::FindingOpen, R"({"code":1002,"file":"","text":"128 of 128 in use."})",
        "finding.open       FW1002  128 of 128 in use.  → On the node: sysctl -w fs.inotify.max_user_instances=8192");
    row(Kind::FindingOpen, R"({"code":9999,"file":"a.conf","line":3,"column":7,"text":"x"})",
        "finding.open       FW9999  a.conf:3:7  x");
    row(Kind::FindingClose, R"({"code":1002})", "finding.close      FW1002  over: no inotify instance left");
    row(Kind::Note, R"({"text":"hello"})", "note               hello");
}

void TestLog::human()
{
    QFETCH(Kind, kind);
    QFETCH(QByteArray, fields);
    QFETCH(QString, expected);
    QCOMPARE(humanLine(made(kind, parsed(fields.constData()))), QStringLiteral("12:00:00.123 ") + expected);
}

// Also with every field missing or of a wrong type, and of a newer version.
void TestLog::humanShowsNoControlCharacters()
{
    const QJsonValue hostile(QStringLiteral("\x1b[2J\n\r\u202e"));
    for (int kind = 0; kind <= int(Kind::Unknown); ++kind) {
        Event any = made(Kind(kind));
        any.unknownKind = hostile.toString();
        QVERIFY(!humanLine(any).isEmpty());
        for (const char *name : { "file", "text", "reason", "step", "holder", "state", "why", "summary", "dir",
                 "witness", "version", "sha", "expires", "mode" })
            any.fields.insert(QLatin1String(name), hostile);
        const QString line = humanLine(any);
        QVERIFY(!line.contains(u'\x1b') && !line.contains(u'\n') && !line.contains(u'\r') && !line.contains(u'\u202e'));
    }
}

void TestLog::level_data()
{
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<QByteArray>("fields");
    QTest::addColumn<LogLevel>("level");
    const auto row = [](const char *name, Kind kind, const char *fields, LogLevel level) {
        QTest::newRow(name) << kind << QByteArray(fields) << level;
    };
    row("start", Kind::ProcessStart, "{}", LogLevel::Info);
    row("clean stop", Kind::ProcessStop, R"({"clean":true})", LogLevel::Info);
    row("other stop", Kind::ProcessStop, R"({"clean":false})", LogLevel::Warning);
    row("armed", Kind::WatchArmed, "{}", LogLevel::Info);
    row("proven", Kind::WatchProven, "{}", LogLevel::Info);
    row("lost", Kind::WatchLost, "{}", LogLevel::Warning);
    row("polling", Kind::WatchPolling, "{}", LogLevel::Warning);
    row("first pass", Kind::PassBegin, R"({"pass":1})", LogLevel::Info);
    row("routine pass", Kind::PassBegin, R"({"pass":2})", LogLevel::Debug);
    row("routine end", Kind::PassEnd, R"({"pass":2,"patched":0,"missed":0})", LogLevel::Debug);
    row("patched", Kind::PassEnd, R"({"pass":2,"patched":1,"missed":0})", LogLevel::Info);
    row("missed", Kind::PassEnd, R"({"pass":2,"patched":1,"missed":1})", LogLevel::Warning);
    row("not clean", Kind::PassEnd, R"({"pass":2,"clean":false})", LogLevel::Warning);
    row("change", Kind::FileChange, "{}", LogLevel::Debug);
    row("patch failed", Kind::PatchFailed, "{}", LogLevel::Warning);
    row("step done", Kind::CleanupStep, R"({"ok":true})", LogLevel::Info);
    row("step failed", Kind::CleanupStep, R"({"ok":false})", LogLevel::Warning);
    row("error finding", Kind::FindingOpen, R"({"code":1101})", LogLevel::Error);
    row("warning finding", Kind::FindingOpen, R"({"code":1004})", LogLevel::Warning);
    row("info finding", Kind::FindingOpen, R"({"code":1204})", LogLevel::Info);
    row("unknown finding", Kind::FindingOpen, R"({"code":7777})", LogLevel::Warning);
    row("closed", Kind::FindingClose, R"({"code":1101})", LogLevel::Info);
}

void TestLog::level()
{
    QFETCH(Kind, kind);
    QFETCH(QByteArray, fields);
    QTEST(levelOf(made(kind, parsed(fields.constData()))), "level");
}

void TestLog::jsonIsTheEventItself()
{
    StderrTo reader(StderrTo::What::Pipe);
    startLog(LogFormat::Auto, LogLevel::Info);
    const Event proven = made(Kind::WatchProven, { { QLatin1String("probe_us"), 52 } });
    logEvent(proven);
    logEvent(proven, "as it was handed over\n");
    QCOMPARE(reader.readAll(), toLine(proven) + "as it was handed over\n");
}

void TestLog::levelsAreFiltered()
{
    for (const LogLevel level : { LogLevel::Debug, LogLevel::Info, LogLevel::Warning, LogLevel::Error }) {
        StderrTo reader(StderrTo::What::Pipe);
        startLog(LogFormat::Json, level);
        logEvent(made(Kind::FileChange)); // debug
        logEvent(made(Kind::WatchProven)); // info
        logEvent(made(Kind::WatchLost)); // warning
        logEvent(made(Kind::FindingOpen, { { QLatin1String("code"), code::drift } })); // error
        QCOMPARE(reader.lines().size(), 4 - int(level));
    }
}

void TestLog::textOnATerminal_data()
{
    QTest::addColumn<StderrTo::What>("what");
    QTest::addColumn<LogFormat>("format");
    QTest::addColumn<QByteArray>("noColor");
    QTest::addColumn<QByteArray>("expected");
    const QByteArray plain = "12:00:00.123 WARNING watch.lost         gone";
    const QByteArray colour = "12:00:00.123 \x1b[33mWARNING\x1b[0m watch.lost         gone";
    const QByteArray json =
        toLine(made(Kind::WatchLost, { { QLatin1String("reason"), QLatin1String("gone") } })).trimmed();
    QTest::newRow("terminal") << StderrTo::What::Terminal << LogFormat::Auto << QByteArray() << colour;
    QTest::newRow("terminal, NO_COLOR") << StderrTo::What::Terminal << LogFormat::Auto << QByteArray("1") << plain;
    QTest::newRow("terminal, JSON") << StderrTo::What::Terminal << LogFormat::Json << QByteArray() << json;
    QTest::newRow("pipe") << StderrTo::What::Pipe << LogFormat::Auto << QByteArray() << json;
    QTest::newRow("pipe, text") << StderrTo::What::Pipe << LogFormat::Text << QByteArray() << plain;
}

void TestLog::textOnATerminal()
{
    QFETCH(StderrTo::What, what);
    QFETCH(LogFormat, format);
    QFETCH(QByteArray, noColor);
    QFETCH(QByteArray, expected);
    if (!noColor.isEmpty())
        qputenv("NO_COLOR", noColor);
    StderrTo reader(what);
    startLog(format, LogLevel::Info);
    logEvent(made(Kind::WatchLost, { { QLatin1String("reason"), QLatin1String("gone") } }));
    QCOMPARE(reader.lines(), QByteArrayList{ expected });
}

void TestLog::aFullPipeNeverBlocks_data()
{
    QTest::addColumn<StderrTo::What>("what");
    QTest::newRow("pipe") << StderrTo::What::Pipe;
    QTest::newRow("fifo") << StderrTo::What::Fifo;
    QTest::newRow("socket") << StderrTo::What::Socket;
    QTest::newRow("terminal") << StderrTo::What::Terminal;
}

// It would hang here, and the time limit of the test would end it.
void TestLog::aFullPipeNeverBlocks()
{
    QFETCH(StderrTo::What, what);
    StderrTo reader(what);
    reader.fill();
    startLog(LogFormat::Json, LogLevel::Debug);
    for (quint64 seq = 1; seq <= 10'000; ++seq)
        logEvent(made(Kind::FileChange, {}, seq));
    qWarning("also this");
    QCOMPARE(droppedLogLines(), quint64(10'001));
    QVERIFY(!reader.readAll().contains("file.change"));
    logEvent(made(Kind::FileChange, {}, 10'001));
    logEvent(made(Kind::FileChange, {}, 10'002));
    const QByteArrayList lines = reader.lines();
    QCOMPARE(lines.size(), 3);
    QCOMPARE(textOf(lines.at(0)), QStringLiteral("… 10001 log lines dropped"));
    QCOMPARE(fromLine(lines.at(1)).value().seq, quint64(10'001));
    QCOMPARE(fromLine(lines.at(2)).value().seq, quint64(10'002));
    QCOMPARE(droppedLogLines(), quint64(10'001));
}

void TestLog::everyLineIsWholeOrDropped_data()
{
    aFullPipeNeverBlocks_data();
}

// A reader that is too slow, several writers, and lines larger than a pipe takes at once.
void TestLog::everyLineIsWholeOrDropped()
{
    QFETCH(StderrTo::What, what);
    StderrTo reader(what);
    startLog(LogFormat::Json, LogLevel::Debug);
    constexpr int perThread = 2'000;
    std::atomic<int> running = 2;
    const auto logAll = [&running] {
        for (int i = 1; i <= perThread; ++i)
            logEvent(made(
                Kind::FileChange, { { QLatin1String("text"), QString(i % 7'000, QLatin1Char('x')) } }, quint64(i)));
        --running;
    };
    std::thread first(logAll);
    std::thread second(logAll);
    QByteArray text;
    while (running > 0)
        text += reader.readAll();
    first.join();
    second.join();
    text += reader.readAll();
    logEvent(made(Kind::Overflow)); // room again: the rest of a line begun, and the count
    text += reader.readAll();
    quint64 whole = 0;
    quint64 said = 0;
    for (const QByteArray &line : text.replace("\r\n", "\n").trimmed().split('\n')) {
        const std::optional<Event> one = fromLine(line);
        QVERIFY2(one, line.left(200).constData());
        if (one->kind == Kind::Note)
            said += textOf(line).section(QLatin1Char(' '), 1, 1).toULongLong();
        else if (one->kind == Kind::FileChange)
            ++whole;
    }
    QCOMPARE(said, droppedLogLines());
    QCOMPARE(whole + said, quint64(2 * perThread));
}

void TestLog::theReaderGoesAway()
{
    StderrTo reader(StderrTo::What::Pipe);
    startLog(LogFormat::Json, LogLevel::Debug);
    reader.closeReader();
    for (int i = 0; i < 100; ++i)
        logEvent(made(Kind::FileChange));
    QCOMPARE(droppedLogLines(), quint64(100)); // and the process is still there
}

void TestLog::qtMessagesAreRouted()
{
    static const QLoggingCategory category("firstwatch.test");
    StderrTo reader(StderrTo::What::Pipe);
    startLog(LogFormat::Json, LogLevel::Info);
    qDebug("not at this level");
    qInfo("one\ntwo");
    qCWarning(category, "three");
    const QByteArrayList lines = reader.lines();
    QCOMPARE(lines.size(), 2);
    QCOMPARE(textOf(lines.at(0)), QStringLiteral("one\ntwo"));
    QCOMPARE(textOf(lines.at(1)), QStringLiteral("firstwatch.test: three"));
    QCOMPARE(fromLine(lines.at(0)).value().seq, quint64(0)); // not of the journal
}

void TestLog::repeatedMessagesAreSaidOnce()
{
    StderrTo reader(StderrTo::What::Pipe);
    startLog(LogFormat::Text, LogLevel::Info);
    for (int i = 0; i < 1'000; ++i)
        qWarning("again");
    qWarning("other");
    const QByteArrayList lines = reader.lines();
    QCOMPARE(lines.size(), 3);
    QVERIFY(lines.at(0).endsWith("again"));
    QVERIFY2(lines.at(1).contains("999"), lines.at(1).constData());
    QVERIFY(lines.at(2).endsWith("other"));
}

QTEST_GUILESS_MAIN(TestLog)
#include "tst_log.moc"
