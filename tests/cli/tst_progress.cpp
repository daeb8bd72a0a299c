// SPDX-License-Identifier: Apache-2.0
// What somebody at a terminal sees while `preview` and `lint` take their time.
#include "program.h"
#include "terminal.h"

#include "eventually.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include <array>
#include <fcntl.h>
#include <unistd.h>

using namespace firstwatch;
using namespace firstwatch::test;

namespace {

constexpr int files = 400;

// A standard output that its reader takes a few bytes from, so that a run lasts as long as the test wants.
class SlowPipe {
public:
    SlowPipe()
    {
        int ends[2] = { -1, -1 };
        if (::pipe2(ends, O_CLOEXEC) != 0)
            qFatal("no pipe");
        ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
        m_reader = sys::FileDescriptor(ends[0]);
        m_writer = sys::FileDescriptor(ends[1]);
    }
    [[nodiscard]] int writer() const { return m_writer.get(); }
    bool take(size_t most) const
    {
        std::array<char, 4096> buffer{};
        return ::read(m_reader.get(), buffer.data(), std::min(most, buffer.size())) > 0;
    }

private:
    sys::FileDescriptor m_reader;
    sys::FileDescriptor m_writer;
};

bool endsWhile(QProcess &process, const SlowPipe &out)
{
    return eventually([&] {
        while (out.take(4096)) { }
        return process.waitForFinished(1);
    });
}

} // namespace

class TestProgress final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        const QString list = QStringLiteral(FIRSTWATCH_CAPTURES "/../cni/10-calico.conflist");
        for (int i = 0; i < files; ++i)
            QVERIFY(QFile::copy(list, m_folder.filePath(QStringLiteral("%1-x.conflist").arg(i))));
    }

    void aTerminalIsToldHowFarItIs_data()
    {
        QTest::addColumn<QStringList>("line");
        QTest::newRow("preview") << QStringList{ QStringLiteral("preview") };
        QTest::newRow("lint") << QStringList{ QStringLiteral("lint"), QStringLiteral("-o"), QStringLiteral("json") };
    }
    void aTerminalIsToldHowFarItIs()
    {
        QFETCH(const QStringList, line);
        Terminal terminal;
        const SlowPipe out;
        QProcess process;
        terminal.attach(process, { STDERR_FILENO });
        start(process, line, out);
        QVERIFY(eventually([&] {
            (void)out.take(64);
            return terminal.shown().contains(" files\033[K");
        }));
        QVERIFY(endsWhile(process, out));
        const QByteArray all = terminal.shown();
        const qsizetype end = all.lastIndexOf("\r\033[K");
        QVERIFY2(end > 0 && !all.sliced(end).contains(" files\033[K"), all.constData());
        QVERIFY(all.sliced(end).contains(QByteArray(QByteArray::number(files) + " files"))); // the verdict
    }

    void aPipeIsNotToldIt()
    {
        const SlowPipe out;
        QProcess process;
        start(process, { QStringLiteral("preview") }, out);
        QElapsedTimer timer;
        timer.start();
        QVERIFY(eventually([&] {
            (void)out.take(64);
            return timer.elapsed() > 800;
        }));
        QVERIFY(endsWhile(process, out));
        QCOMPARE(process.readAllStandardError(), QByteArray());
    }

private:
    void start(QProcess &process, const QStringList &line, const SlowPipe &out) const
    {
        prepare(process, line + QStringList{ m_folder.path() });
        const auto before = process.childProcessModifier();
        process.setChildProcessModifier([before, writer = out.writer()] {
            if (before)
                before();
            ::dup2(writer, STDOUT_FILENO);
        });
        process.start();
        QVERIFY(process.waitForStarted(patienceMs));
    }

    const QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestProgress)
#include "tst_progress.moc"
