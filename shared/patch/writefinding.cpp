// SPDX-License-Identifier: Apache-2.0
#include "patch/writefinding.h"

#include <QFile>

#include <cerrno>
#include <cstring>

namespace firstwatch::patch {
namespace {

QString at(const Written &written)
{
    return QStringLiteral("%1: %2").arg(QLatin1String(written.step),
        QString::fromLocal8Bit(std::strerror(written.error))); // NOLINT(concurrency-mt-unsafe)
}

} // namespace

Finding writeFinding(const Written &written)
{
    switch (written.error) {
    case EROFS:
        return { 1201, QStringLiteral("the net dir is read-only; mount it writable (%1)").arg(at(written)) };
    case ENOSPC:
    case EDQUOT:
        return { 1202, QStringLiteral("no space or quota left for the net dir; free some (%1)").arg(at(written)) };
    case EACCES:
    case EPERM:
        return {
            1205,
            QFile::exists(QStringLiteral("/sys/fs/selinux/enforce"))
                ? QStringLiteral("writing was denied; SELinux is on: look for a denial in audit.log (%1)")
                      .arg(at(written))
                : QStringLiteral("writing was denied; check owner, mode and mount of the net dir (%1)").arg(at(written))
        };
    default:
        break;
    }
    if (QByteArrayView(written.step).startsWith("rename."))
        return { 1203, QStringLiteral("the new file could not be put in place (%1)").arg(at(written)) };
    return { 1207, QStringLiteral("the new file could not be written (%1)").arg(at(written)) };
}

QList<int> writeFindingCodes()
{
    return { 1201, 1202, 1203, 1205, 1207 };
}

std::optional<Finding> notKeptFinding(const Written &written)
{
    if (written.notKept.isEmpty())
        return std::nullopt;
    return Finding{ 1206,
        QStringLiteral("could not be carried over to the new file: %1; set it by hand if somebody needs it (ls -lZ)")
            .arg(QString::fromUtf8(written.notKept.join(", "))) };
}

} // namespace firstwatch::patch
