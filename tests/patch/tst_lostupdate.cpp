// SPDX-License-Identifier: Apache-2.0
#include "patchroom.h"
#include "sys/clock.h"
#include "sys/failpoint.h"
#include "writers.h"

#include <QTest>

#include <algorithm>
#include <random>
#include <sys/wait.h>

using namespace firstwatch;
using namespace firstwatch::test;

namespace {

QByteArray fileName(int i)
{
    return QByteArray::number(10 + i) + "-a.conflist";
}

// One owner of many files: a few changes to each, in all styles, at random moments. Returns the last counter of each by
// its exit: the counters are a function of the seed.
class RandomOwner {
public:
    RandomOwner(const NetDir &dir, int files, unsigned seed)
        : m_dir(dir)
        , m_last(files, 0)
        , m_random(seed)
    {
        for (int change = 0; change < files * 3; ++change) {
            const int file = int(m_random() % unsigned(files));
            m_changes.append({ file, int(m_random() % 5), int(m_random() % 300), change + 1 });
            m_last[file] = change + 1;
        }
    }
    void run() const
    {
        for (const Change &change : m_changes)
            act(change);
    }
    [[nodiscard]] QByteArray lastText(int file) const { return ownerText(m_last[file]); }

private:
    struct Change {
        int file;
        int style;
        int pauseUs;
        int counter;
    };

    void act(const Change &change) const
    {
        const QByteArray name = fileName(change.file);
        const QByteArray text = ownerText(change.counter);
        ::usleep(useconds_t(change.pauseUs)); // the moment is what the schedule is about
        switch (change.style) {
        case 0:
            return m_dir.writeByRename(name, text);
        case 1:
            return m_dir.writeInPlace(name, text);
        case 2:
            return m_dir.writeInTwo(name, text);
        case 3:
            return m_dir.writeNew(name, text);
        default:
            return openLong(name, text, change.pauseUs);
        }
    }
    // Opens, thinks, writes: the exchange may come at any moment of it.
    void openLong(const QByteArray &name, const QByteArray &text, int pauseUs) const
    {
        const int fd = ::open(m_dir.path(name).constData(), O_WRONLY | O_CLOEXEC);
        ::usleep(useconds_t(pauseUs));
        if (::ftruncate(fd, 0) != 0)
            qFatal("truncate");
        ::usleep(useconds_t(pauseUs));
        if (::pwrite(fd, text.constData(), size_t(text.size()), 0) != text.size())
            qFatal("write");
        ::usleep(useconds_t(pauseUs));
        ::close(fd);
    }

    const NetDir &m_dir;
    QList<Change> m_changes;
    QList<int> m_last;
    std::mt19937 m_random;
};

} // namespace

class tst_LostUpdate : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup()
    {
        sys::setFaults({});
        sys::setPointHook({});
    }
    void p17_lostUpdateIsImpossible_data();
    void p17_lostUpdateIsImpossible();
    void p17_randomSchedules();
    void p17_writersTextThatDoesNotParseGoesBack();
    void p17_ownersSecondThoughtWins_data();
    void p17_ownersSecondThoughtWins();
    void p17_failureToTakeUpANewerTextIsSaid();
    void writerThatNeverClosesIsFoundWhenQuiet();
    void openFileCostsNoBusyLoop();

private:
    void race(Style style, int point, const QByteArray &base, bool old, const QByteArray &faults, bool &reached);
};

void tst_LostUpdate::p17_lostUpdateIsImpossible_data()
{
    QTest::addColumn<Style>("style");
    QTest::addColumn<bool>("old"); // a file that is quiet is patched although somebody has it open
    QTest::addColumn<QByteArray>("base");
    QTest::addColumn<QByteArray>("faults");
    for (const auto &[style, name] : styles) {
        for (const bool old : { false, true }) {
            const char *age = old ? "quiet" : "fresh";
            QTest::addRow("%s, %s, tmpfs", name, age) << style << old << tmpfs << QByteArray();
            QTest::addRow("%s, %s, no exchange", name, age)
                << style << old << tmpfs << QByteArray("rename.exchange:errno=EINVAL");
            if (isLong())
                QTest::addRow("%s, %s, disk", name, age) << style << old << disk << QByteArray();
        }
    }
}

// The writer acts at each call of the recipe in turn.
void tst_LostUpdate::p17_lostUpdateIsImpossible()
{
    QFETCH(Style, style);
    QFETCH(bool, old);
    QFETCH(QByteArray, base);
    QFETCH(QByteArray, faults);
    bool reached = true;
    int point = 0;
    for (; reached && point < 200 && !QTest::currentTestFailed(); ++point)
        race(style, point, base, old, faults, reached);
    QVERIFY2(point > 6, qPrintable(QString::number(point)));
}

void tst_LostUpdate::race(
    Style style, int point, const QByteArray &base, bool old, const QByteArray &faults, bool &reached)
{
    Room room(base);
    room.dir.writeInPlace(config, ownerText(1));
    if (old)
        makeOld(room.dir, config);
    Writer writer(room.dir, config, style, ownerText(2));
    writer.prepare();
    int calls = 0;
    QByteArray where;
    sys::setFaults(faults);
    sys::setPointHook([&](const char *name) {
        if (calls++ != point)
            return;
        // Without an exchange, what is renamed in between the two calls that stand for it cannot be seen.
        const bool blind = !faults.isEmpty() && QByteArrayView(name) == "rename.plain";
        where = blind ? QByteArray() : QByteArray(name);
        if (!blind)
            writer.act();
    });
    room.pass();
    sys::setPointHook({});
    reached = calls > point;
    writer.act();
    room.pass();
    writer.finish();
    const QByteArray message = QByteArray::number(point) + ' ' + where;
    QVERIFY2(room.settles(), message.constData());
    if (writer.withdraws()) {
        QVERIFY2(!room.dir.exists(config), message.constData());
        QVERIFY2(room.dir.exists(config + ".cilium_bak") == (style == Style::RenameAway), message.constData());
    } else {
        QVERIFY2(room.isPatchedFrom(ownerText(2)), QByteArray(message + " holds " + room.dir.read(config)).constData());
    }
    QVERIFY2(room.temporaries().isEmpty(), message.constData());
}

void tst_LostUpdate::p17_randomSchedules()
{
    constexpr int files = 20;
    const int rounds = (isLong() ? 10'000 : 1000) / files;
    for (int round = 0; round < rounds; ++round) {
        Room room(round % 4 == 0 ? disk : tmpfs);
        for (int i = 0; i < files; ++i)
            room.dir.writeInPlace(fileName(i), ownerText(0));
        const RandomOwner owner(room.dir, files, unsigned(round));
        const pid_t child = ::fork();
        if (child == 0) {
            owner.run();
            ::_exit(0);
        }
        int status = 0;
        while (::waitpid(child, &status, WNOHANG) == 0)
            room.pass();
        QCOMPARE(status, 0);
        QVERIFY(room.settles());
        for (int i = 0; i < files; ++i) {
            const QByteArray last = counterOf(owner.lastText(i)) == 0 ? ownerText(0) : owner.lastText(i);
            QVERIFY2(room.isPatchedFrom(last, fileName(i)),
                qPrintable(QStringLiteral("seed %1 file %2 holds %3, not %4")
                               .arg(round)
                               .arg(i)
                               .arg(counterOf(room.dir.read(fileName(i))))
                               .arg(counterOf(last))));
        }
        QVERIFY(room.temporaries().isEmpty());
    }
}

// What an owner has broken itself is its own business; we only may not say that it is patched.
void tst_LostUpdate::p17_writersTextThatDoesNotParseGoesBack()
{
    Room room;
    room.dir.writeInPlace(config, ownerText(1));
    QVERIFY(room.settles());
    room.dir.writeByRename(config, ownerText(2)); // patched before: the second time is the one that went wrong
    Writer writer(room.dir, config, Style::InPlace, "{\"broken\":");
    bool done = false;
    sys::setPointHook([&](const char *point) {
        if (QByteArrayView(point) == "rename.exchange" && !std::exchange(done, true))
            writer.act();
    });
    room.pass();
    QTRY_COMPARE(room.dir.read(config), QByteArray("{\"broken\":"));
    QTRY_COMPARE(room.word(config), journal::FileWord::Incomplete);
    room.dir.writeInPlace(config, ownerText(3));
    QVERIFY(room.settles());
    QVERIFY(room.isPatchedFrom(ownerText(3)));
}

void tst_LostUpdate::p17_ownersSecondThoughtWins_data()
{
    QTest::addColumn<bool>("link");
    QTest::newRow("after a text that does not parse") << false;
    QTest::newRow("after a link") << true;
}

// The owner puts in place what must go back to it, and while it goes back, a good text. What went back comes out of the
// next exchange, and is not its last word.
void tst_LostUpdate::p17_ownersSecondThoughtWins()
{
    QFETCH(bool, link);
    Room room;
    room.dir.writeInPlace(config, ownerText(1));
    int exchanges = 0;
    sys::setPointHook([&](const char *point) {
        if (QByteArrayView(point) != "rename.exchange")
            return;
        ++exchanges;
        if (exchanges == 1 && link && ::symlink("/nowhere", room.dir.path(".link").constData()) == 0)
            ::rename(room.dir.path(".link").constData(), room.dir.path(config).constData());
        else if (exchanges == 1)
            room.dir.writeByRename(config, "{\"broken\":");
        else if (exchanges == 2)
            room.dir.writeByRename(config, ownerText(2));
    });
    QVERIFY(room.settles());
    QVERIFY(exchanges > 2);
    QVERIFY(room.isPatchedFrom(ownerText(2)));
    QVERIFY(room.temporaries().isEmpty());
}

void tst_LostUpdate::p17_failureToTakeUpANewerTextIsSaid()
{
    Room room;
    room.dir.writeInPlace(config, ownerText(1));
    makeOld(room.dir, config);
    Writer writer(room.dir, config, Style::OpenedBefore, ownerText(2));
    writer.prepare();
    QCOMPARE(room.pass().patched, 1);
    writer.act();
    sys::setFaults("temp.create:errno=ENOSPC");
    for (int i = 0; i < 3; ++i) {
        room.pass();
        QCOMPARE(room.word(config), journal::FileWord::Drift);
        QVERIFY(room.hasFinding(1202, config));
        QVERIFY(!room.reconciler->isClean());
    }
    sys::setFaults({});
    QVERIFY(room.settles());
    QVERIFY(room.isPatchedFrom(ownerText(2)));
    QVERIFY(!room.hasFinding(1202));
}

void tst_LostUpdate::writerThatNeverClosesIsFoundWhenQuiet()
{
    Room room;
    room.dir.writeInPlace(config, ownerText(1));
    makeOld(room.dir, config);
    const int writer = ::open(room.dir.path(config).constData(), O_WRONLY | O_CLOEXEC);
    QCOMPARE(room.pass().patched, 1);
    const QByteArray late = ownerText(2);
    QCOMPARE(::pwrite(writer, late.constData(), size_t(late.size()), 0), ssize_t(late.size()));
    QTRY_VERIFY_WITH_TIMEOUT(room.isPatchedFrom(late), 20'000); // by our own timer, no pass
    ::close(writer);
    QVERIFY(room.settles());
    QVERIFY(room.temporaries().isEmpty());
}

// The longer it has been open, the longer until the next look; but not longer than a second.
void tst_LostUpdate::openFileCostsNoBusyLoop()
{
    Room room;
    room.dir.writeInPlace(config, ownerText(1));
    makeOld(room.dir, config);
    const int writer = ::open(room.dir.path(config).constData(), O_WRONLY | O_CLOEXEC);
    QCOMPARE(room.pass().patched, 1);
    QList<qint64> agesNs; // at each look; 21, 42, 84 … 1 000 ms, then each second
    sys::setPointHook([&agesNs, since = sys::bootTimeNs()](const char *point) {
        if (QByteArrayView(point) == "file.lease")
            agesNs.append(sys::bootTimeNs() - since);
    });
    QVERIFY(runUntil([&agesNs] { return agesNs.size() >= 12; })); // with pauses that go on growing, 43 s
    sys::setPointHook({});
    for (qsizetype i = 1; i < agesNs.size(); ++i) {
        const qint64 least = std::clamp(agesNs[i - 1], patch::FileExchange::graceNs, patch::FileExchange::noLeaseNs);
        QVERIFY2(agesNs[i] - agesNs[i - 1] >= least, qPrintable(QString::number(i)));
    }
    ::close(writer);
    QVERIFY(room.settles());
}

QTEST_GUILESS_MAIN(tst_LostUpdate)
#include "tst_lostupdate.moc"
