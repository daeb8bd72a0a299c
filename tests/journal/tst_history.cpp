// SPDX-License-Identifier: Apache-2.0
#include "journal/history.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace firstwatch::journal;

namespace {

QByteArray lineOf(quint64 seq, qsizetype padding = 0)
{
    return toLine({ seq, "91c0aa01f00dbeef", qint64(seq), 0, Kind::Note, {},
        { { QLatin1String("text"), QString(padding, QLatin1Char('x')) } } });
}

QList<quint64> seqsOf(const History::Read &read)
{
    QList<quint64> seqs;
    for (const Event &event : read.events)
        seqs << event.seq;
    return seqs;
}

QList<quint64> upTo(quint64 last, quint64 first = 1)
{
    QList<quint64> seqs;
    for (quint64 seq = first; seq <= last; ++seq)
        seqs << seq;
    return seqs;
}

void write(const QByteArray &path, const QByteArray &text)
{
    QFile file(QFile::decodeName(path));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(text), text.size());
}

mode_t modeOf(const QByteArray &path)
{
    struct stat info { };
    return ::lstat(path.constData(), &info) == 0 ? info.st_mode & 07777 : 0;
}

} // namespace

class TestHistory final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void staysAcrossRuns();
    void modesArePrivate();
    void rotates();
    void anOldLineIsOldest();
    void killedAtEveryByte();
    void zerosAfterAPowerLoss();
    void nothingIsThrownAwayWhenRenamesFail();
    void unusable_data();
    void unusable();
    void fileSizeLimit();
    void fullDisk();
    void theDirectoryWasRemoved();

private:
    // Opens, or fails the test with the words of the history.
    static void open(History &history, const QByteArray &directory)
    {
        QString error;
        QVERIFY2(history.open(directory, error), qPrintable(error));
        QVERIFY(error.isEmpty());
    }
    [[nodiscard]] QByteArray path(const char *name = "") const { return m_path + name; }

    std::unique_ptr<QTemporaryDir> m_temporary;
    QByteArray m_path; // of the history's directory, not yet created
};

void TestHistory::init()
{
    m_temporary = std::make_unique<QTemporaryDir>();
    m_path = QFile::encodeName(m_temporary->path()) + "/new/history";
}

void TestHistory::staysAcrossRuns()
{
    for (quint64 seq = 1; seq <= 3; ++seq) {
        History history;
        open(history, path());
        QVERIFY(history.append(lineOf(seq)));
    }
    QCOMPARE(seqsOf(History::read(path())), upTo(3));
    QCOMPARE(History::read(path()).torn, 0);
}

void TestHistory::modesArePrivate()
{
    const mode_t old = ::umask(0);
    History history;
    open(history, path());
    ::umask(old);
    QCOMPARE(modeOf(path()), mode_t(0700));
    QCOMPARE(modeOf(path("/history.jsonl")), mode_t(0600));
}

void TestHistory::rotates()
{
    History history;
    open(history, path());
    const qsizetype padding = 100'000; // 10 lines a file
    for (quint64 seq = 1; seq <= 55; ++seq)
        QVERIFY(history.append(lineOf(seq, padding)));
    const QStringList names{ QStringLiteral("history.1.jsonl"), QStringLiteral("history.2.jsonl"),
        QStringLiteral("history.3.jsonl"), QStringLiteral("history.jsonl") };
    QCOMPARE(QDir(QFile::decodeName(path())).entryList(QDir::Files, QDir::Name), names);
    QCOMPARE(seqsOf(History::read(path())), upTo(55, 21));
    for (const QString &name : names)
        QVERIFY(QFile(QFile::decodeName(path()) + QLatin1Char('/') + name).size() <= History::fileBytes);
}

void TestHistory::anOldLineIsOldest()
{
    History history;
    open(history, path());
    write(path("/history.3.jsonl"), lineOf(1));
    write(path("/history.1.jsonl"), lineOf(2));
    QVERIFY(history.append(lineOf(3)));
    QCOMPARE(seqsOf(History::read(path())), upTo(3));
}

void TestHistory::killedAtEveryByte()
{
    QDir().mkpath(QFile::decodeName(path()));
    const QByteArray whole = lineOf(1) + lineOf(2);
    const qsizetype first = lineOf(1).size();
    for (qsizetype size = 0; size <= whole.size(); ++size) {
        write(path("/history.jsonl"), whole.left(size));
        History history;
        open(history, path());
        QVERIFY(history.append(lineOf(3)));
        // A line that only lacks its newline is whole.
        QList<quint64> expected;
        if (size >= first - 1)
            expected << 1;
        if (size >= whole.size() - 1)
            expected << 2;
        expected << 3;
        const bool isTorn = (size > 0 && size < first - 1) || (size > first && size < whole.size() - 1);
        const History::Read read = History::read(path());
        QCOMPARE(seqsOf(read), expected);
        QCOMPARE(read.torn, int(isTorn));
    }
}

void TestHistory::zerosAfterAPowerLoss()
{
    QDir().mkpath(QFile::decodeName(path()));
    write(path("/history.jsonl"), lineOf(1) + QByteArray(4096, '\0'));
    History history;
    open(history, path());
    QVERIFY(history.append(lineOf(2)));
    QCOMPARE(seqsOf(History::read(path())), upTo(2));
    QCOMPARE(History::read(path()).torn, 1);
}

void TestHistory::nothingIsThrownAwayWhenRenamesFail()
{
    History history;
    open(history, path());
    QVERIFY(QDir().mkpath(QFile::decodeName(path("/history.3.jsonl/occupied"))));
    quint64 seq = 1;
    while (history.append(lineOf(seq, 100'000)))
        ++seq;
    QCOMPARE(seqsOf(History::read(path())), upTo(seq - 1));
    QVERIFY(seq > 60 && seq < 63); // two that were moved, and the size of all in the one that was not
    QVERIFY(!history.isOpen());
    QVERIFY2(history.error().contains(QStringLiteral("moved aside")), qPrintable(history.error()));
    QVERIFY(!history.append(lineOf(seq)));
}

void TestHistory::unusable_data()
{
    QTest::addColumn<QByteArray>("kind");
    QTest::newRow("the directory is a file") << QByteArray("file");
    QTest::newRow("the file is a directory") << QByteArray("directory");
    QTest::newRow("the file is a FIFO") << QByteArray("fifo");
    QTest::newRow("the file is a symbolic link") << QByteArray("link");
}

void TestHistory::unusable()
{
    QFETCH(QByteArray, kind);
    const QByteArray file = path("/history.jsonl");
    const QByteArray target = QFile::encodeName(m_temporary->filePath(QStringLiteral("target")));
    QDir().mkpath(kind == "file" ? m_temporary->filePath(QStringLiteral("new")) : QFile::decodeName(path()));
    if (kind == "file")
        write(path(), "x");
    else if (kind == "directory")
        QCOMPARE(::mkdir(file.constData(), 0700), 0);
    else if (kind == "fifo")
        QCOMPARE(::mkfifo(file.constData(), 0600), 0);
    else
        QCOMPARE(::symlink(target.constData(), file.constData()), 0);
    History history;
    QString error;
    QVERIFY(!history.open(path(), error));
    QVERIFY2(error.contains(QStringLiteral("cannot be written")), qPrintable(error));
    QCOMPARE(history.error(), error);
    QVERIFY(!history.append(lineOf(1)));
    QVERIFY(!QFile::exists(QFile::decodeName(target)));
    QVERIFY(History::read(path()).events.isEmpty());
}

void TestHistory::fileSizeLimit()
{
    History history;
    open(history, path());
    rlimit before{};
    QCOMPARE(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{ rlim_t(lineOf(1).size() * 2 + 10), before.rlim_max };
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &small), 0);
    const bool first = history.append(lineOf(1));
    const bool second = history.append(lineOf(2));
    const bool third = history.append(lineOf(3));
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    QVERIFY(first && second && !third);
    QVERIFY(!history.isOpen() && !history.error().isEmpty());
    open(history, path()); // the cut line ends here
    QVERIFY(history.append(lineOf(4)));
    const QList<quint64> expected{ 1, 2, 4 };
    QCOMPARE(seqsOf(History::read(path())), expected);
    QCOMPARE(History::read(path()).torn, 1);
}

void TestHistory::fullDisk()
{
    QDir().mkpath(QFile::decodeName(path()));
    if (::mount("tmpfs", path().constData(), "tmpfs", 0, "size=64k") != 0)
        QSKIP("Needs the right to mount: run as root.");
    const auto unmount = qScopeGuard([this] { ::umount2(path().constData(), MNT_DETACH); });
    History history;
    open(history, path());
    quint64 seq = 1;
    while (history.append(lineOf(seq, 1'000)) && seq < 1'000)
        ++seq;
    QVERIFY(seq > 20 && seq < 64);
    QVERIFY2(history.error().contains(QStringLiteral("No space left")), qPrintable(history.error()));
    QCOMPARE(seqsOf(History::read(path())), upTo(seq - 1));
}

void TestHistory::theDirectoryWasRemoved()
{
    History history;
    open(history, path());
    QVERIFY(history.append(lineOf(1, 900'000)));
    QVERIFY(QDir(QFile::decodeName(path())).removeRecursively());
    QVERIFY(!history.append(lineOf(2, 900'000))); // has to rotate, and has nowhere to go
    QVERIFY(!history.isOpen());
}

QTEST_GUILESS_MAIN(TestHistory)
#include "tst_history.moc"
