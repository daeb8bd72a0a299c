// SPDX-License-Identifier: Apache-2.0
// The format of a schedule: what is written is what is read, what is wrong is said with its place and the way out.
#include "races.h"

#include "race/scheduletokens.h"

#include <QRandomGenerator>
#include <QTest>

#include <array>

using namespace firstwatch;
using namespace firstwatch::race;
using namespace firstwatch::test;

namespace {

constexpr int rounds = 3000;

QByteArray anyBytes(QRandomGenerator &random, int most)
{
    QByteArray bytes(random.bounded(most + 1), '\0');
    for (char &byte : bytes)
        byte = char(random.bounded(256));
    return bytes;
}

qint64 anySpan(QRandomGenerator &random)
{
    constexpr std::array<qint64, 4> units{ 1, 1'000, 1'000'000, 1'000'000'000 };
    return random.bounded(2000) * units.at(size_t(random.bounded(4)));
}

QByteArray anyName(QRandomGenerator &random)
{
    QByteArray name = anyBytes(random, 20);
    for (const char bad : { '/', '\0' })
        name.replace(bad, '_');
    return name.isEmpty() || name == "." || name == ".." ? QByteArray("10-a.conflist") : name;
}

Text anyText(QRandomGenerator &random)
{
    switch (random.bounded(3)) {
    case 0:
        return { Text::From::Literal, anyBytes(random, 60), random.bounded(2) == 0 };
    case 1:
        return { Text::From::Fixture, fixtureNames().at(random.bounded(int(fixtureNames().size()))), false };
    default:
        return { Text::From::File, "./10-calico.conflist", random.bounded(2) == 0 };
    }
}

void repeat(QRandomGenerator &random, Step &step)
{
    step.times = 1 + random.bounded(3);
    if (!step.isAnswer && step.times > 1)
        step.everyNs = anySpan(random);
}

Step anyStep(QRandomGenerator &random)
{
    Step step;
    step.what = Step::What(random.bounded(int(Step::What::Overflow) + 1));
    const bool isOfFile = step.what <= Step::What::Delete;
    step.isAnswer = isOfFile && random.bounded(4) == 0;
    step.atNs = anySpan(random) * (!step.isAnswer && random.bounded(3) == 0 ? -1 : 1);
    if (isOfFile)
        step.file = anyName(random);
    if (step.what == Step::What::Move)
        step.to = anyName(random);
    if (step.what <= Step::What::Rename)
        step.text = anyText(random);
    if (step.what <= Step::What::Create && random.bounded(2) == 0) {
        step.pieces = 2 + random.bounded(5);
        step.gapNs = anySpan(random);
    }
    if (step.what == Step::What::Overflow)
        step.spanNs = anySpan(random);
    repeat(random, step);
    return step;
}

Schedule anySchedule(QRandomGenerator &random)
{
    Schedule schedule;
    schedule.title = anyBytes(random, 30).replace('\n', ' ');
    schedule.source = anyBytes(random, 30).replace('\n', ' ');
    schedule.forkDelayNs = anySpan(random);
    schedule.watchDelayNs = anySpan(random);
    schedule.isDeaf = random.bounded(2) == 0;
    if (random.bounded(2) == 0)
        schedule.untilNs = anySpan(random);
    for (int step = random.bounded(6); step > 0; --step)
        schedule.steps.append(anyStep(random));
    return schedule;
}

// Pieces of the language in any order, so that the deep places are reached as well.
QByteArray nearlyASchedule(QRandomGenerator &random)
{
    constexpr std::array pieces{ "+4ms", "-1s", "patch+2ms", "write", "create", "rename", "move", "delete", "mkdir",
        "rmdir", "replace", "dir", "overflow", "10-a.conflist", "<", "calico", "patched", "in", "2", "pieces", "every",
        "20ms", "times", "99999999999", "\"", "\\", "\\x", "title", "until", "delay", "fork", "watch", "deaf", "#",
        "\n", "\n", "../x", "to", "+", "-", "+1.5.5s", "9999999999999s", "0.0000000001s", "\0" };
    QByteArray text;
    for (int piece = random.bounded(30); piece > 0; --piece)
        text += QByteArray(pieces.at(size_t(random.bounded(int(pieces.size()))))) + (random.bounded(4) == 0 ? "" : " ");
    return text;
}

} // namespace

class TestRaceSchedule final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatIsWrittenIsRead()
    {
        QRandomGenerator random(1);
        for (int round = 0; round < rounds; ++round) {
            const Schedule schedule = anySchedule(random);
            const QByteArray text = scheduleText(schedule);
            ScheduleError error;
            const std::optional<Schedule> read = parseSchedule(text, error);
            QVERIFY2(read, text.constData());
            QVERIFY2(*read == schedule, text.constData());
        }
    }

    // Whatever it is: understood, and then the same again, or an error with a place that is in the text.
    void anyTextIsReadOrRefused()
    {
        QRandomGenerator random(2);
        int understood = 0;
        for (int round = 0; round < rounds; ++round) {
            const QByteArray text = round % 2 == 0 ? nearlyASchedule(random) : anyBytes(random, 200);
            ScheduleError error;
            const std::optional<Schedule> read = parseSchedule(text, error);
            if (read) {
                ++understood;
                QVERIFY2(parseSchedule(scheduleText(*read), error) == read, text.constData());
                continue;
            }
            QVERIFY2(!error.text.isEmpty(), text.constData());
            const QByteArrayList lines = text.split('\n');
            QVERIFY2(error.line >= 1 && error.line <= lines.size(), text.constData());
            QVERIFY2(error.column >= 1 && error.column <= lines[error.line - 1].size() + 1, text.constData());
        }
        QVERIFY(understood > 0 && understood < rounds);
    }

    void mutatedExamplesAreReadOrRefused()
    {
        QRandomGenerator random(3);
        for (const QString &name : exampleNames()) {
            for (int round = 0; round < 100; ++round) {
                QByteArray text = exampleText(name);
                text[random.bounded(int(text.size()))] = char(random.bounded(256));
                ScheduleError error;
                QVERIFY(parseSchedule(text, error).has_value() == error.text.isEmpty());
            }
        }
    }

    void errorsNameThePlaceAndTheWayOut_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("line");
        QTest::addColumn<int>("column");
        QTest::addColumn<QString>("says");
        const auto row = [](const char *name, const char *text, int line, int column, const char *says) {
            QTest::newRow(name) << QByteArray(text) << line << column << QString::fromLatin1(says);
        };
        row("no such operation", "# x\n+4ms wrte 10-a < calico", 2, 6, "it is one of write, create");
        row("no unit", "+4 write 10-a < calico", 1, 1, "give +140ms");
        row("no time", "write 10-a < calico", 1, 1, "begins no line: give a time");
        row("a day", "+4ms overflow 86400s", 1, 15, "is no span of time");
        row("half a nanosecond", "delay fork 0.5ns", 1, 12, "is no span of time");
        row("no text", "+4ms write 10-a.conflist", 1, 25, "write < and a text");
        row("no such text", "+4ms write 10-a.conflist < calicoo", 1, 28, "it is one of calico, calico2");
        row("a text that does not end", "+4ms write 10-a < \"{}", 1, 22, "close it with \"");
        row("a bad escape", "+4ms write 10-a < \"\\q\"", 1, 20, "write \\\\ for the sign");
        row("a bad byte", "+4ms write 10-a < \"\\xg0\"", 1, 20, "two hexadecimal digits");
        row("a path as a name", "+4ms delete ../x", 1, 13, "without /");
        row("rename in pieces", "+4ms rename a < calico in 2 pieces every 1ms", 1, 24, "leave out 'in'");
        row("pieces without a gap", "+4ms write a < calico in 2 pieces", 1, 34, "in 2 pieces every 20ms");
        row("no pieces", "+4ms write a < calico in 0 pieces every 1ms", 1, 26, "from 1 to 1000");
        row("times without every", "+4ms delete a times 3", 1, 22, "times 10 every 50ms");
        row("an answer with every", "patch+4ms delete a times 3 every 1s", 1, 28, "leave out 'every'");
        row("an answer without a file", "patch+4ms mkdir", 1, 11, "give a time such as +2s");
        row("move without to", "+1s move a b", 1, 12, "move OLD to NEW");
        row("replace what", "+1s replace a", 1, 13, "replace dir");
        row("too much", "+1s mkdir now", 1, 11, "is too much here");
        row("twice", "deaf\ndeaf", 2, 1, "was said before");
        row("what is late", "delay me 3ms", 1, 7, "delay fork SPAN");
        row("a title of two lines", "title \"a\\nb\"", 1, 7, "of one line");
        row("too many", "+1s delete a times 10000 every 1ms\n+1s mkdir", 2, 1, "make the schedule smaller");
    }
    void errorsNameThePlaceAndTheWayOut()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, says);
        ScheduleError error;
        QVERIFY(!parseSchedule(text, error));
        QVERIFY2(error.text.contains(says), qPrintable(error.text));
        QTEST(error.line, "line");
        QTEST(error.column, "column");
    }

    void spans_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<qint64>("ns"); // -1: none
        QTest::newRow("ms") << QByteArray("140ms") << qint64(140'000'000);
        QTest::newRow("fraction") << QByteArray("1.5s") << qint64(1'500'000'000);
        QTest::newRow("fine") << QByteArray("1.000000001s") << qint64(1'000'000'001);
        QTest::newRow("us") << QByteArray("20us") << qint64(20'000);
        QTest::newRow("an hour") << QByteArray("3600s") << qint64(3'600'000'000'000);
        QTest::newRow("more") << QByteArray("3600.1s") << qint64(-1);
        QTest::newRow("no number") << QByteArray("ms") << qint64(-1);
        QTest::newRow("a point only") << QByteArray("1.ms") << qint64(-1);
        QTest::newRow("two points") << QByteArray("1.2.3ms") << qint64(-1);
        QTest::newRow("too fine") << QByteArray("0.1ns") << qint64(-1);
        QTest::newRow("huge") << QByteArray("99999999999999999999s") << qint64(-1);
        QTest::newRow("a space") << QByteArray("1 s") << qint64(-1);
    }
    void spans()
    {
        QFETCH(QByteArray, text);
        QFETCH(qint64, ns);
        QCOMPARE(spanNs(text).value_or(-1), ns);
        if (ns >= 0)
            QCOMPARE(spanNs(spanWord(ns)), std::optional(ns));
    }

    void whatCannotBeHadIsNamed()
    {
        ScheduleError error;
        const auto refuse = [](const QByteArray &, QString &reason) {
            reason = QStringLiteral("is not there");
            return std::optional<QByteArray>();
        };
        std::optional<Schedule> file = parseSchedule("+1s write 10-a.conflist < ./x", error);
        QCOMPARE(resolve(*file, linkerdChain(), refuse), QStringLiteral("./x: is not there"));
        std::optional<Schedule> half = parseSchedule("+1s write 10-a.conflist < half patched", error);
        QVERIFY(resolve(*half, linkerdChain(), refuse).contains(QStringLiteral("leave out the word")));
    }
};

QTEST_GUILESS_MAIN(TestRaceSchedule)
#include "tst_raceschedule.moc"
