// SPDX-License-Identifier: Apache-2.0
#include "patchroom.h"

#include <QCoreApplication>
#include <QTest>

#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <thread>
#include <unistd.h>

using namespace firstwatch;
using namespace firstwatch::test;

namespace {

// A runtime that reads the config all the time.
class Reader {
public:
    explicit Reader(const QByteArray &path)
        : m_path(path)
        , m_thread([this] { run(); })
    {
    }
    ~Reader() { stop(); }
    Reader(const Reader &) = delete;
    Reader &operator=(const Reader &) = delete;
    void stop()
    {
        m_stop = true;
        if (m_thread.joinable())
            m_thread.join();
    }
    std::atomic<qint64> reads = 0;
    std::atomic<qint64> missing = 0;
    std::atomic<qint64> empty = 0;
    std::atomic<qint64> torn = 0;

private:
    void run()
    {
        while (!m_stop) {
            const int fd = ::open(m_path.constData(), O_RDONLY | O_CLOEXEC);
            char text[4096];
            const ssize_t size = fd < 0 ? -1 : ::read(fd, text, sizeof text);
            ::close(fd);
            ++reads;
            const qint64 counter = counterOf(QByteArray(text, qsizetype(std::max<ssize_t>(size, 0))));
            missing += size < 0 ? 1 : 0;
            empty += size == 0 ? 1 : 0;
            torn += size > 0 && counter < 0 ? 1 : 0;
        }
    }

    QByteArray m_path;
    std::atomic<bool> m_stop = false;
    std::thread m_thread;
};

} // namespace

class tst_Reader : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void p13_aReaderNeverSeesAHole_data();
    void p13_aReaderNeverSeesAHole();
};

void tst_Reader::p13_aReaderNeverSeesAHole_data()
{
    QTest::addColumn<QByteArray>("base");
    QTest::newRow("tmpfs") << tmpfs;
    QTest::newRow("disk") << disk;
}

void tst_Reader::p13_aReaderNeverSeesAHole()
{
    QFETCH(QByteArray, base);
    const int patches = isLong() ? 1000 : 300;
    const qint64 reads = isLong() ? 1'000'000 : 100'000;
    Room room(base);
    room.dir.writeByRename(config, ownerText(0));
    room.pass();
    Reader reader(room.dir.path(config));
    int done = 0;
    for (int i = 1; i <= patches || reader.reads < reads; ++i) {
        room.dir.writeByRename(config, ownerText(i)); // atomic, so that each hole is ours
        done += room.pass().patched;
        if (i % 4 == 0)
            QCoreApplication::processEvents();
    }
    reader.stop();
    QVERIFY(done >= patches / 2); // what came quicker than the pass was taken up by an exchange
    QCOMPARE(reader.missing.load(), 0);
    QCOMPARE(reader.empty.load(), 0);
    QCOMPARE(reader.torn.load(), 0);
    QVERIFY(room.settles());
}

QTEST_GUILESS_MAIN(tst_Reader)
#include "tst_reader.moc"
