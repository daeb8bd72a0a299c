// SPDX-License-Identifier: Apache-2.0
#include "watch/limits.h"

#include <QFile>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace firstwatch::watch {
namespace {

struct Limit {
    int value = -1; // -1: unknown
    QString sysctl; // the one that holds
};

// inotify(7) has a limit per user, and each user namespace has one as well (namespaces/sysctl); the smaller counts, and
// raising the other one would not help.
Limit limit(const char *name)
{
    Limit smallest;
    for (const char *folder : { "fs/inotify/max_user_", "user/max_inotify_" }) {
        const QString sysctl = QString::fromLatin1(folder) + QLatin1String(name);
        QFile file(u"/proc/sys/" + sysctl);
        bool number = false;
        const int value = file.open(QIODevice::ReadOnly) ? file.readAll().trimmed().toInt(&number) : 0;
        if (number && (smallest.value < 0 || value < smallest.value))
            smallest = { value, QString(sysctl).replace(u'/', u'.') };
    }
    return smallest;
}

QString limitReached(const char *what, const char *name, int enough)
{
    const Limit reached = limit(name);
    return QStringLiteral("inotify %1 limit reached (%2 = %3, uid %4), not a full disk; raise it: sysctl -w %2=%5")
        .arg(QLatin1String(what), reached.sysctl, QString::number(reached.value), QString::number(::geteuid()),
            QString::number(std::max(enough, reached.value * 2)));
}

QString errorText(int error)
{
    return QString::fromLocal8Bit(std::strerror(error)); // NOLINT(concurrency-mt-unsafe)
}

} // namespace

Refusal refusalOfInit(int error)
{
    if (error == EMFILE)
        return { 1002, limitReached("instance", "instances", 512) };
    return { 1005, QStringLiteral("inotify is not available: %1").arg(errorText(error)) };
}

Refusal refusalOfAdd(int error, const QByteArray &path)
{
    if (error == ENOSPC)
        return { 1003, limitReached("watch", "watches", 524'288) };
    return { 1005, QStringLiteral("%1 cannot be watched: %2").arg(QFile::decodeName(path), errorText(error)) };
}

} // namespace firstwatch::watch
