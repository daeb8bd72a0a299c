// SPDX-License-Identifier: Apache-2.0
#include "journal/event.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QSet>
#include <QTest>

#include <limits>

using namespace firstwatch::journal;

namespace {

Event sample()
{
    return { 42, "91c0aa01f00dbeef", 1'000'000'001, 1'787'475'927'123'456, Kind::PatchApplied, {},
        { { QLatin1String("file"), QLatin1String("10-calico.conflist") }, { QLatin1String("us"), 412 } } };
}

// The inverse of shownName(), to show that no two names look the same.
QByteArray nameOf(const QString &shown)
{
    QByteArray name;
    for (qsizetype at = 0; at < shown.size(); ++at) {
        if (shown.at(at) != u'\\') {
            const qsizetype units = shown.at(at).isHighSurrogate() ? 2 : 1;
            name += shown.mid(at, units).toUtf8();
            at += units - 1;
        } else if (shown.at(at + 1) == u'x') {
            name += char(shown.mid(at + 2, 2).toUInt(nullptr, 16));
            at += 3;
        } else {
            const qsizetype end = shown.indexOf(u'}', at);
            const char32_t point = shown.mid(at + 3, end - at - 3).toUInt(nullptr, 16);
            name += QString::fromUcs4(&point, 1).toUtf8();
            at = end;
        }
    }
    return name;
}

} // namespace

class TestEvent final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void lineIsExactlyThis();
    void everyKindHasANameAndBack();
    void roundTrip_data();
    void roundTrip();
    void unknownKindPassesThrough();
    void headNamesAreReserved();
    void notAnEvent_data();
    void notAnEvent();
    void wall_data();
    void wall();
    void shownName_data();
    void shownName();
    void noTwoNamesLookTheSame();
    void shownTextIsSafe();
};

void TestEvent::lineIsExactlyThis()
{
    QCOMPARE(toLine(sample()),
        QByteArray(
            R"({"schema":"firstwatch/v1","seq":42,"boot":"91c0aa01f00dbeef","t_ns":1000000001,)"
            R"("wall":"2026-08-23T09:05:27.123456Z","kind":"patch.applied","file":"10-calico.conflist","us":412})"
            "\n"));
}

void TestEvent::everyKindHasANameAndBack()
{
    QSet<QString> names;
    for (int kind = 0; kind < int(Kind::Unknown); ++kind) {
        const QLatin1String name = kindName(Kind(kind));
        QVERIFY(!name.isEmpty());
        names.insert(name);
        QCOMPARE(kindFromName(name), std::optional(Kind(kind)));
    }
    QCOMPARE(names.size(), int(Kind::Unknown));
    QCOMPARE(kindName(Kind::WatchProven), QLatin1String("watch.proven"));
    QCOMPARE(kindName(Kind::Note), QLatin1String("note"));
    QVERIFY(kindName(Kind::Unknown).isEmpty());
    QVERIFY(!kindFromName(u"watch.dreamt"));
    QVERIFY(!kindFromName(u""));
}

void TestEvent::roundTrip_data()
{
    QTest::addColumn<Event>("event");
    Event event = sample();
    QTest::newRow("plain") << event;
    event.fields = {};
    QTest::newRow("no fields") << event;
    event.seq = (quint64(1) << 53) + 1;
    event.tNs = (qint64(1) << 53) + 1;
    QTest::newRow("one above what a double holds") << event;
    event.seq = quint64(std::numeric_limits<qint64>::max());
    event.tNs = std::numeric_limits<qint64>::max();
    QTest::newRow("largest") << event;
    event.fields = { { QLatin1String("big"), (qint64(1) << 62) + 1 }, { QLatin1String("half"), 0.5 },
        { QLatin1String("none"), QJsonValue::Null },
        { QLatin1String("nested"), QJsonObject{ { QLatin1String("seq"), 1 } } } };
    QTest::newRow("unknown fields") << event;
    event.fields = { { QLatin1String("text"), QStringLiteral("\"\\\n\t\u202e é 漢 \U0001F600") } };
    QTest::newRow("text to escape") << event;
    event.boot = "\"}{";
    QTest::newRow("hostile boot") << event;
    event.wallUs = 0;
    event.tNs = 0;
    event.seq = 0;
    QTest::newRow("zeros") << event;
}

void TestEvent::roundTrip()
{
    QFETCH(Event, event);
    const QByteArray line = toLine(event);
    QCOMPARE(line.count('\n'), 1);
    QVERIFY(line.endsWith('\n'));
    QCOMPARE(fromLine(line), std::optional(event));
    QCOMPARE(fromLine(line.chopped(1)), std::optional(event));
}

void TestEvent::unknownKindPassesThrough()
{
    const QByteArray line = R"({"schema":"firstwatch/v1","seq":7,"boot":"b","t_ns":9007199254740993,)"
                            R"("wall":"2031-01-01T00:00:00.000001Z","kind":"moon.\"rise","height":[1,{"a":2}]})"
                            "\n";
    const std::optional<Event> event = fromLine(line);
    QVERIFY(event);
    QCOMPARE(event->kind, Kind::Unknown);
    QCOMPARE(event->unknownKind, QStringLiteral("moon.\"rise"));
    QCOMPARE(toLine(*event), line);
}

void TestEvent::headNamesAreReserved()
{
    Event event = sample();
    event.fields.insert(QLatin1String("seq"), 1);
    event.fields.insert(QLatin1String("kind"), QLatin1String("overflow"));
    event.fields.insert(QLatin1String("schema"), QLatin1String("x"));
    QCOMPARE(fromLine(toLine(event)), std::optional(sample()));
}

void TestEvent::notAnEvent_data()
{
    QTest::addColumn<QByteArray>("line");
    const QByteArray line = toLine(sample());
    for (qsizetype size = 0; size < line.size() - 1; ++size)
        QTest::addRow("cut at %lld", qlonglong(size)) << line.left(size);
    const auto changed = [&line](const char *from, const char *to) { return QByteArray(line).replace(from, to); };
    QTest::newRow("other schema") << changed("firstwatch/v1", "firstwatch/v2");
    QTest::newRow("no schema") << changed("\"schema\":\"firstwatch/v1\",", "");
    QTest::newRow("seq is text") << changed("\"seq\":42", "\"seq\":\"42\"");
    QTest::newRow("seq is negative") << changed("\"seq\":42", "\"seq\":-42");
    QTest::newRow("seq is a fraction") << changed("\"seq\":42", "\"seq\":42.5");
    QTest::newRow("seq is too large") << changed("\"seq\":42", "\"seq\":18446744073709551616");
    QTest::newRow("t_ns is negative") << changed("\"t_ns\":1", "\"t_ns\":-1");
    QTest::newRow("t_ns is missing") << changed("\"t_ns\"", "\"t\"");
    QTest::newRow("boot is a number") << changed("\"91c0aa01f00dbeef\"", "91");
    QTest::newRow("kind is empty") << changed("\"patch.applied\"", "\"\"");
    QTest::newRow("kind is a list") << changed("\"patch.applied\"", "[]");
    QTest::newRow("wall without micros") << changed(".123456Z", "Z");
    QTest::newRow("wall in a zone") << changed("27.123456Z", "27+02:00:00");
    QTest::newRow("wall on no day") << changed("2026-08-23", "2026-02-30");
    QTest::newRow("wall with a sign") << changed(".123456Z", ".+12345Z");
    QTest::newRow("list") << QByteArray("[1]");
    QTest::newRow("two objects") << line + line;
    QTest::newRow("NULs") << QByteArray(300, '\0');
    QTest::newRow("not UTF-8") << QByteArray("{\"schema\":\"\xff\xfe\"}");
    QTest::newRow("deep") << QByteArray(100'000, '[');
}

void TestEvent::notAnEvent()
{
    QFETCH(QByteArray, line);
    QVERIFY(!fromLine(line));
}

void TestEvent::wall_data()
{
    QTest::addColumn<qint64>("us");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("epoch") << qint64(0) << QByteArray("1970-01-01T00:00:00.000000Z");
    QTest::newRow("before the epoch") << qint64(-1) << QByteArray("1969-12-31T23:59:59.999999Z");
    QTest::newRow("leap day") << qint64(1'709'164'800'000'007) << QByteArray("2024-02-29T00:00:00.000007Z");
    QTest::newRow("end of a day") << qint64(1'709'251'199'999'999) << QByteArray("2024-02-29T23:59:59.999999Z");
    QTest::newRow("year 9999") << qint64(253'402'300'799'000'000) << QByteArray("9999-12-31T23:59:59.000000Z");
}

void TestEvent::wall()
{
    QFETCH(qint64, us);
    QFETCH(QByteArray, text);
    QCOMPARE(wallText(us), text);
    Event event = sample();
    event.wallUs = us;
    QCOMPARE(fromLine(toLine(event)), std::optional(event));
}

void TestEvent::shownName_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QString>("shown");
    QTest::newRow("plain") << QByteArray("10-calico.conflist") << QStringLiteral("10-calico.conflist");
    QTest::newRow("empty") << QByteArray() << QString();
    QTest::newRow("space") << QByteArray("a b") << QStringLiteral("a b");
    QTest::newRow("UTF-8") << QByteArray("ä漢.conf") << QStringLiteral("ä漢.conf");
    QTest::newRow("beyond 16 bits") << QByteArray("\xF0\x9F\x98\x80") << QStringLiteral("\U0001F600");
    QTest::newRow("newline") << QByteArray("a\nb") << QStringLiteral("a\\x0ab");
    QTest::newRow("escape sequence") << QByteArray("\x1b[2J") << QStringLiteral("\\x1b[2J");
    QTest::newRow("delete") << QByteArray("\x7f") << QStringLiteral("\\x7f");
    QTest::newRow("backslash") << QByteArray("a\\x0ab") << QStringLiteral("a\\x5cx0ab");
    QTest::newRow("not UTF-8") << QByteArray("a\xff.conf") << QStringLiteral("a\\xff.conf");
    QTest::newRow("cut UTF-8") << QByteArray("a\xe6\xbc") << QStringLiteral("a\\xe6\\xbc");
    QTest::newRow("overlong") << QByteArray("\xc0\x80") << QStringLiteral("\\xc0\\x80");
    QTest::newRow("a surrogate") << QByteArray("\xed\xa0\x80") << QStringLiteral("\\xed\\xa0\\x80");
    QTest::newRow("bidi override") << QByteArray::fromHex("e280ae") << QStringLiteral("\\u{202e}");
    QTest::newRow("zero width") << QByteArray("\xe2\x80\x8b") << QStringLiteral("\\u{200b}");
    QTest::newRow("line separator") << QByteArray("\xe2\x80\xa8") << QStringLiteral("\\u{2028}");
    QTest::newRow("C1 control") << QByteArray("\xc2\x9b") << QStringLiteral("\\u{009b}");
    QTest::newRow("the replacement character") << QByteArray("\xef\xbf\xbd") << QStringLiteral("\uFFFD");
    QTest::newRow("NUL") << QByteArray("a\0b", 3) << QStringLiteral("a\\x00b");
}

void TestEvent::shownName()
{
    QFETCH(QByteArray, name);
    QTEST(firstwatch::journal::shownName(name), "shown");
    QCOMPARE(nameOf(firstwatch::journal::shownName(name)), name);
}

void TestEvent::noTwoNamesLookTheSame()
{
    for (uint pair = 0; pair < 0x10000; ++pair) {
        QByteArray name(2, char(pair >> 8));
        name[1] = char(pair & 0xff);
        QCOMPARE(nameOf(firstwatch::journal::shownName(name)), name);
        QCOMPARE(nameOf(firstwatch::journal::shownName("\xe2" + name)), "\xe2" + name);
    }
}

void TestEvent::shownTextIsSafe()
{
    QCOMPARE(shownText(QStringLiteral("a\\x0a é")), QStringLiteral("a\\x0a é"));
    QCOMPARE(shownText(QStringLiteral("\x1b]8;;http://x\a\u202e")), QStringLiteral("\\x1b]8;;http://x\\x07\\u{202e}"));
}

QTEST_GUILESS_MAIN(TestEvent)
#include "tst_event.moc"
