// SPDX-License-Identifier: Apache-2.0
#include "watchedroom.h"

#include "sys/failpoint.h"

#include <QDir>
#include <QTest>

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace firstwatch::test {

using watch::DirectoryWatch;

WatchedRoom::WatchedRoom(const QByteArray &base, bool makeDirectory)
    : m_root(base.isEmpty() ? QDir::tempPath() + QStringLiteral("/watch-XXXXXX")
                            : QString::fromUtf8(base) + QStringLiteral("/watch-XXXXXX"))
    , m_rootPath(m_root.path().toUtf8())
{
    options.hostPath = path();
    options.pollMs = 50;
    options.identityMs = 200;
    options.retryMs = 20;
    options.witnessMs = 100;
    if (makeDirectory && ::mkdir(path().constData(), 0700) != 0)
        qFatal("mkdir %s: errno %d", path().constData(), errno);
}

void WatchedRoom::start()
{
    watch = std::make_unique<DirectoryWatch>(inotify, options);
    connectWatch();
    watch->start();
}

void WatchedRoom::connectWatch()
{
    connect(watch.get(), &DirectoryWatch::armed, this, [this](qint64 ns, int, const QByteArray &) {
        armedNs = ns;
        order.append("armed");
        evidenceBeforeProof |= isProven();
    });
    connect(watch.get(), &DirectoryWatch::proven, this, [this](const watch::Proof &proof) {
        provenOnes.append(proof);
        order.append("proven");
        evidenceBeforeProof |= isProven();
    });
    connect(watch.get(), &DirectoryWatch::ready, this, [this](const watch::Proof &proof) {
        readyOnes.append(proof);
        order.append("ready");
    });
    connect(watch.get(), &DirectoryWatch::polling, this, [this](const watch::Polling &polling, int code) {
        reasons.append(polling.reason);
        codes.append(code);
        order.append("polling");
    });
    connect(watch.get(), &DirectoryWatch::pollDue, this, [this] { ++polls; });
    connect(watch.get(), &DirectoryWatch::lost, this, [this](DirectoryWatch::Loss loss, const QString &reason) {
        losses.append(loss);
        reasons.append(reason);
        order.append("lost");
        evidenceBeforeProof |= watch->evidence().has_value() || watch->directory() >= 0;
    });
    connect(watch.get(), &DirectoryWatch::changed, this, [this](const watch::Change &change) {
        if (!change.name.isEmpty())
            changes.append(change.name);
    });
    connect(watch.get(), &DirectoryWatch::disagreed, this,
        [this](const QString &text) { order.append(text.isEmpty() ? "agreed" : "disagreed"); });
}

void WatchedRoom::touch(const QByteArray &name) const
{
    const int fd = ::open(path(name).constData(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0 || ::write(fd, "x", 1) != 1)
        qFatal("write %s: errno %d", path(name).constData(), errno);
    ::close(fd);
}

bool WatchedRoom::isProven() const
{
    return watch->evidence() && std::holds_alternative<watch::Proof>(*watch->evidence());
}

bool WatchedRoom::isPolling() const
{
    return watch->evidence() && std::holds_alternative<watch::Polling>(*watch->evidence());
}

void WatchedRoom::forget()
{
    order.clear();
    provenOnes.clear();
    readyOnes.clear();
    losses.clear();
    reasons.clear();
    codes.clear();
    changes.clear();
    polls = 0;
}

bool WatchedRoom::settle()
{
    sys::setFaults({});
    return runUntil([] { return sys::passedPoints().count("dir.stat") >= 3; });
}

void addFileSystemRows()
{
    QTest::addColumn<QByteArray>("base");
    QTest::newRow("tmpfs") << QByteArray("/dev/shm");
    QTest::newRow("the disk") << QByteArray("/var/tmp");
}

} // namespace firstwatch::test
