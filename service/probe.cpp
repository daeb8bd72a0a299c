// SPDX-License-Identifier: Apache-2.0
#include "service/probe.h"

#include "service/heartbeat.h"

#include <QFile>

#include <ctime>
#include <sys/stat.h>

namespace firstwatch::service {
namespace {

constexpr time_t longestSilence = Heartbeat::longestSilenceMs / 1000; // seconds

ProbeResult probeLive(const QByteArray &runtimeDir)
{
    const QByteArray file = Heartbeat::fileIn(runtimeDir);
    struct stat info { };
    if (::stat(file.constData(), &info) != 0)
        return { false, QStringLiteral("not running: %1 is not there").arg(QFile::decodeName(file)) };
    const time_t silence = std::time(nullptr) - info.st_mtim.tv_sec;
    if (silence > longestSilence)
        return { false, QStringLiteral("hangs: the last heartbeat is %1 s old").arg(silence) };
    return { true, QStringLiteral("live") };
}

} // namespace

ProbeResult probe(const Settings &settings)
{
    ProbeResult live = probeLive(settings.runtimeDir);
    if (!live.good || settings.probeTarget != ProbeTarget::Ready)
        return live;
    struct stat info { };
    if (::stat(settings.readyPath().constData(), &info) != 0)
        return { false, QStringLiteral("not ready: the watch is not proven, or a config is not patched; see the log") };
    return { true, QStringLiteral("ready") };
}

} // namespace firstwatch::service
