// SPDX-License-Identifier: Apache-2.0
#include "stream/cursor.h"
#include "stream/protocol.h"

#include <QRandomGenerator>
#include <QTest>

using namespace firstwatch;
using namespace firstwatch::stream;
using journal::Event;
using journal::Kind;

namespace {

constexpr char boot[] = "00112233445566aa";
constexpr auto whole = quint64(journal::Ring::pinned) + quint64(journal::Ring::maxLines);

// A tape, and the cursors that hear what falls out of it.
class Room {
public:
    void happen(quint64 count, qsizetype bytes = 20)
    {
        for (quint64 i = 0; i < count; ++i) {
            const quint64 seq = tape.last() + 1;
            Event event{ seq, boot, qint64(seq), 0, seq % 3 == 0 ? Kind::FileChange : Kind::Note, {}, {} };
            event.fields.insert(QStringLiteral("text"), QString(bytes, QLatin1Char('x')));
            const QList<Tape::Evicted> gone = tape.append(event, journal::toLine(event));
            for (Cursor *cursor : cursors) {
                for (const Tape::Evicted &each : gone)
                    cursor->noteEvicted(each);
            }
        }
    }
    Tape tape;
    QList<Cursor *> cursors;
};

QList<Notification> framesOf(const QByteArray &text)
{
    QList<Notification> frames;
    for (const QByteArray &line : text.split('\n')) {
        const Message message = parseMessage(line);
        if (const auto *frame = std::get_if<Notification>(&message))
            frames.append(*frame);
    }
    return frames;
}

QList<Notification> all(Cursor &cursor, const Tape &tape, qsizetype room)
{
    QList<Notification> frames;
    for (QByteArray text = cursor.take(tape, room); !text.isEmpty(); text = cursor.take(tape, room))
        frames += framesOf(text);
    return frames;
}

QJsonObject kindsOf(quint64 from, quint64 to)
{
    const auto changes = qint64(to / 3 - (from - 1) / 3);
    return { { QStringLiteral("file.change"), changes }, { QStringLiteral("note"), qint64(to - from + 1) - changes } };
}

} // namespace

class TestCursor : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void helpingsStayWithinTheirRoom()
    {
        Room room;
        room.happen(100, 1000);
        Cursor cursor(room.tape, 0);
        quint64 last = 0;
        for (QByteArray text = cursor.take(room.tape, 10'000); !text.isEmpty(); text = cursor.take(room.tape, 10'000)) {
            QVERIFY(text.size() <= 10'000 && text.endsWith('\n'));
            last = cursor.last();
        }
        QCOMPARE(last, 100);
    }

    void oneThatIsLargerThanTheRoomGoesAlone()
    {
        Room room;
        room.happen(3, 1000);
        Cursor cursor(room.tape, 0);
        QCOMPARE(framesOf(cursor.take(room.tape, 10)).size(), 1);
        QCOMPARE(cursor.last(), 1);
    }

    // It stands still while the ring goes once around: one gap, with exact bounds and kinds.
    void p34_aLappedOneGetsOneExactGap_data()
    {
        QTest::addColumn<quint64>("taken");
        QTest::addColumn<quint64>("more");
        QTest::newRow("at the start") << quint64(0) << quint64(500);
        QTest::newRow("within the pinned") << quint64(100) << quint64(500);
        QTest::newRow("behind the pinned") << quint64(1000) << whole + 500;
        QTest::newRow("by three") << quint64(256) << quint64(3);
    }
    void p34_aLappedOneGetsOneExactGap()
    {
        QFETCH(const quint64, taken);
        QFETCH(const quint64, more);
        Room room;
        room.happen(taken);
        Cursor cursor(room.tape, 0);
        (void)all(cursor, room.tape, 1 << 20);
        room.cursors = { &cursor };
        room.happen(whole - taken);
        room.happen(more);
        const quint64 last = room.tape.last();
        const QList<Notification> frames = all(cursor, room.tape, 1 << 20);
        quint64 next = taken + 1;
        int gaps = 0;
        for (const Notification &frame : frames) {
            if (frame.method == u"event") {
                QCOMPARE(quint64(frame.params[u"seq"].toInteger()), next++);
                continue;
            }
            QCOMPARE(frame.method, QStringLiteral("gap"));
            const quint64 from = std::max<quint64>(taken, journal::Ring::pinned) + 1;
            const quint64 to = last - journal::Ring::maxLines;
            QCOMPARE(frame.params,
                (QJsonObject{ { QStringLiteral("from"), qint64(from) }, { QStringLiteral("to"), qint64(to) },
                    { QStringLiteral("why"), QStringLiteral("slow_consumer") },
                    { QStringLiteral("kinds"), kindsOf(from, to) } }));
            QCOMPARE(next, from);
            next = to + 1;
            ++gaps;
        }
        QCOMPARE(gaps, 1);
        QCOMPARE(next, last + 1);
    }

    // Where only the sum of the kinds is known, nothing is made up.
    void kindsOfAPartAreNotGuessed()
    {
        Room room;
        room.happen(whole + 500);
        Cursor cursor(room.tape, 400);
        const QList<Notification> frames = framesOf(cursor.take(room.tape, 1000));
        QCOMPARE(frames.first().params,
            (QJsonObject{ { QStringLiteral("from"), 401 }, { QStringLiteral("to"), 756 },
                { QStringLiteral("why"), QStringLiteral("evicted") } }));
    }

    // Against the plainest model there is: a list of all that ever happened.
    void p3B_nothingTwiceNothingSkippedUntold()
    {
        for (quint32 seed = 1; seed <= 12; ++seed) {
            QRandomGenerator random(seed);
            Room room;
            room.happen(1 + random.bounded(5000));
            Cursor cursor(room.tape, random.bounded(quint32(room.tape.last()) + 1));
            room.cursors = { &cursor };
            quint64 next = cursor.last() + 1;
            for (int step = 0; step < 200; ++step) {
                if (random.bounded(2) == 0)
                    room.happen(random.bounded(random.bounded(10) == 0 ? 6000 : 50));
                const quint64 first = room.tape.first();
                for (const Notification &frame : framesOf(cursor.take(room.tape, 1 + random.bounded(100'000)))) {
                    if (frame.method == u"event") {
                        QCOMPARE(quint64(frame.params[u"seq"].toInteger()), next++);
                    } else {
                        QCOMPARE(quint64(frame.params[u"from"].toInteger()), next);
                        next = quint64(frame.params[u"to"].toInteger()) + 1;
                        QCOMPARE(next, first); // no more than what is really gone
                    }
                }
            }
            (void)all(cursor, room.tape, 1 << 20);
            QCOMPARE(cursor.last(), room.tape.last());
        }
    }

    void aLineLargerThanTheWholeRing()
    {
        Room room;
        room.happen(journal::Ring::pinned + 10);
        Cursor cursor(room.tape, 0);
        (void)all(cursor, room.tape, 1 << 20);
        room.cursors = { &cursor };
        room.happen(1, journal::Ring::maxBytes);
        QVERIFY(cursor.take(room.tape, 1 << 20).isEmpty());
        QCOMPARE(room.tape.first(), room.tape.last() + 1);
        room.happen(1);
        const QList<Notification> frames = all(cursor, room.tape, 1 << 20);
        QCOMPARE(frames.size(), 2);
        QCOMPARE(frames.first().params[u"to"].toInteger(), qint64(room.tape.last() - 1));
    }
};

QTEST_GUILESS_MAIN(TestCursor)
#include "tst_cursor.moc"
