// SPDX-License-Identifier: Apache-2.0
// `preview` and `lint` over thousands of files: what they need does not grow with their number.
#include "program.h"
#include "schedule.h"

#include "eventually.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <unistd.h>

using namespace firstwatch::test;

namespace {

constexpr int perFolder = 10;

// Net dirs of ten configs each, all of them names of two files.
void makeTree(const QString &root, int files)
{
    const QByteArray list = QByteArray(FIRSTWATCH_CAPTURES) + "/../cni/10-calico.conflist";
    const QByteArray single = QByteArray(FIRSTWATCH_CAPTURES) + "/../cni/10-ovn.conf";
    const QString copies[] = { root + QStringLiteral("/list"), root + QStringLiteral("/single") };
    QVERIFY(QFile::copy(QFile::decodeName(list), copies[0]) && QFile::copy(QFile::decodeName(single), copies[1]));
    for (int i = 0; i < files; ++i) {
        const QString folder = root + QStringLiteral("/node-%1/etc/cni/net.d").arg(i / perFolder);
        QVERIFY(i % perFolder != 0 || QDir().mkpath(folder));
        const bool isSingle = i % perFolder == 1;
        const QString path = folder
            + QStringLiteral("/%1-x.conf%2")
                  .arg(i % perFolder, 2, 10, QLatin1Char('0'))
                  .arg(isSingle ? QString() : QStringLiteral("list"));
        QVERIFY(
            ::link(QFile::encodeName(copies[isSingle ? 1 : 0]).constData(), QFile::encodeName(path).constData()) == 0);
    }
}

// The most memory that it had so far.
qint64 highWaterKib(qint64 pid)
{
    QFile status(QStringLiteral("/proc/%1/status").arg(pid));
    static const QRegularExpression line(QStringLiteral("VmHWM:\\s*(\\d+) kB"));
    return status.open(QIODevice::ReadOnly) ? line.match(QString::fromLatin1(status.readAll())).captured(1).toLongLong()
                                            : 0;
}

struct Cost {
    qint64 kib = 0;
    qint64 bytes = 0; // of output
};

// Looked at whenever there is output, so up to the last of it.
Cost costOf(const QStringList &arguments)
{
    QProcess process;
    prepare(process, arguments);
    process.setReadChannel(QProcess::StandardOutput);
    process.start();
    Cost cost;
    while (process.waitForReadyRead(patienceMs)) {
        cost.kib = std::max(cost.kib, highWaterKib(process.processId()));
        cost.bytes += process.readAllStandardOutput().size();
    }
    process.waitForFinished(patienceMs);
    return cost;
}

} // namespace

class TestManyFiles final : public QObject {
    Q_OBJECT

public:
    static void initMain() { allowLongRuns(); }

private Q_SLOTS:
    void initTestCase()
    {
#ifdef __SANITIZE_ADDRESS__
        QSKIP("a sanitizer keeps what was freed");
#endif
#ifdef __SANITIZE_THREAD__
        QSKIP("a sanitizer keeps what was freed");
#endif
        makeTree(m_few.path(), m_most / 10);
        makeTree(m_many.path(), m_most);
    }

    void memoryDoesNotGrowWithTheFiles_data()
    {
        QTest::addColumn<QString>("line");
        for (const char *line : { "preview -o diff", "preview -o summary", "preview -o json", "preview -o yaml",
                 "preview -o sarif", "lint -o table", "lint -o json", "lint -o yaml", "lint -o sarif" })
            QTest::newRow(line) << QString::fromLatin1(line);
    }
    void memoryDoesNotGrowWithTheFiles()
    {
        QFETCH(const QString, line);
        const QStringList words = line.split(u' ');
        const Cost few = costOf(words + QStringList{ m_few.path() });
        const Cost many = costOf(words + QStringList{ m_many.path() });
        QVERIFY(few.kib > 1000);
        QVERIFY2(many.bytes > 9 * few.bytes, qPrintable(QString::number(many.bytes)));
        QVERIFY2(many.kib - few.kib < 1536, qPrintable(QStringLiteral("%1 KiB, %2 KiB").arg(few.kib).arg(many.kib)));
    }

private:
    const int m_most = sized(3000, 10000);
    const QTemporaryDir m_few;
    const QTemporaryDir m_many;
};

QTEST_GUILESS_MAIN(TestManyFiles)
#include "tst_manyfiles.moc"
