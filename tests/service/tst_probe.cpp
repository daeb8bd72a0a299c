// SPDX-License-Identifier: Apache-2.0
#include "service/heartbeat.h"
#include "service/probe.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <ctime>
#include <fcntl.h>
#include <sys/stat.h>

using namespace firstwatch::service;

class ProbeTest final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void nothingRuns();
    void aBeatingServiceIsLiveAndNotReady();
    void readyTakesTheReadyFileAndAHeartbeat();
    void anOldHeartbeatIsAHang();
    void aCleanEndLeavesNoHeartbeat();

private:
    Settings settings(ProbeTarget target) const
    {
        Settings settings;
        settings.runtimeDir = QFile::encodeName(m_dir.path());
        settings.probeTarget = target;
        return settings;
    }
    void touch(const char *name) const
    {
        QFile file(m_dir.filePath(QString::fromLatin1(name)));
        QVERIFY(file.open(QIODevice::WriteOnly));
    }
    QTemporaryDir m_dir;
};

void ProbeTest::nothingRuns()
{
    QVERIFY(!probe(settings(ProbeTarget::Live)).good);
    touch("ready"); // left by a killed run
    QVERIFY(!probe(settings(ProbeTarget::Ready)).good);
    QFile::remove(m_dir.filePath(QStringLiteral("ready")));
}

void ProbeTest::aBeatingServiceIsLiveAndNotReady()
{
    const Heartbeat heartbeat(QFile::encodeName(m_dir.path()));
    QVERIFY(probe(settings(ProbeTarget::Live)).good);
    QVERIFY(!probe(settings(ProbeTarget::Ready)).good);
}

void ProbeTest::readyTakesTheReadyFileAndAHeartbeat()
{
    const Heartbeat heartbeat(QFile::encodeName(m_dir.path()));
    touch("ready");
    QVERIFY(probe(settings(ProbeTarget::Ready)).good);
    QFile::remove(m_dir.filePath(QStringLiteral("ready")));
}

void ProbeTest::anOldHeartbeatIsAHang()
{
    const Heartbeat heartbeat(QFile::encodeName(m_dir.path()));
    const QByteArray file = Heartbeat::fileIn(QFile::encodeName(m_dir.path()));
    const timespec longAgo{ time(nullptr) - 1000, 0 };
    const timespec times[]{ longAgo, longAgo };
    QCOMPARE(::utimensat(AT_FDCWD, file.constData(), times, 0), 0);
    const ProbeResult result = probe(settings(ProbeTarget::Live));
    QVERIFY(!result.good);
    QVERIFY2(result.text.startsWith(QStringLiteral("hangs")), qPrintable(result.text));
}

void ProbeTest::aCleanEndLeavesNoHeartbeat()
{
    {
        const Heartbeat heartbeat(QFile::encodeName(m_dir.path()));
    }
    QVERIFY(!QFile::exists(m_dir.filePath(QStringLiteral("alive"))));
}

QTEST_GUILESS_MAIN(ProbeTest)
#include "tst_probe.moc"
