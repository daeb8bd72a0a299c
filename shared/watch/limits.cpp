// SPDX-License-Identifier: Apache-2.0
#include "watch/limits.h"

#include <QFile>

#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace firstwatch::watch {
namespace {

// The per-namespace limit holds as well as the global one; the smaller counts (inotify(7), namespaces/sysctl).
QString limit(const char *name)
{
    int smallest = -1;
    for (const char *folder : { "/proc/sys/fs/inotify/max_user_", "/proc/sys/user/max_inotify_" }) {
        QFile file(QString::fromLatin1(folder) + QString::fromLatin1(name));
        bool number = false;
        const int value = file.open(QIODevice::ReadOnly) ? file.readAll().trimmed().toInt(&number) : 0;
        if (number && (smallest < 0 || value < smallest))
            smallest = value;
    }
    return smallest < 0 ? QStringLiteral("unknown") : QString::number(smallest);
}

QString errorText(int error)
{
    return QString::fromLocal8Bit(std::strerror(error));
} // NOLINT(concurrency-mt-unsafe)

} // namespace

Refusal refusalOfInit(int error)
{
    if (error == EMFILE)
        return { 1002,
            QStringLiteral("inotify instance limit reached (max_user_instances %1 for uid %2); raise it: "
                           "sysctl -w fs.inotify.max_user_instances=512")
                .arg(limit("instances"))
                .arg(::geteuid()) };
    return { 1005, QStringLiteral("inotify is not available: %1").arg(errorText(error)) };
}

Refusal refusalOfAdd(int error, const QByteArray &path)
{
    if (error == ENOSPC)
        return { 1003,
            QStringLiteral("inotify watch limit reached (max_user_watches %1 for uid %2), not a full disk; raise "
                           "it: sysctl -w fs.inotify.max_user_watches=524288")
                .arg(limit("watches"))
                .arg(::geteuid()) };
    return { 1005, QStringLiteral("%1 cannot be watched: %2").arg(QFile::decodeName(path), errorText(error)) };
}

} // namespace firstwatch::watch
