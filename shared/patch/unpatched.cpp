// SPDX-License-Identifier: Apache-2.0
#include "patch/unpatched.h"

#include <QString>

#include <algorithm>
#include <cstring>
#include <fnmatch.h>

namespace firstwatch::patch {

bool isExcluded(const QByteArray &name, const QByteArrayList &patterns)
{
    return std::any_of(patterns.begin(), patterns.end(),
        [&](const QByteArray &pattern) { return ::fnmatch(pattern.constData(), name.constData(), FNM_PERIOD) == 0; });
}

std::optional<Finding> readFinding(ReadStatus status, int error)
{
    switch (status) {
    case ReadStatus::NotRegular:
        return Finding{ 1105, QStringLiteral("is not a regular file and is left alone") };
    case ReadStatus::TooLarge:
        return Finding{ 1106, QStringLiteral("is larger than 1 MiB and is left alone") };
    case ReadStatus::LinkOutside:
        return Finding{ 1104,
            QStringLiteral("is a symbolic link that leaves the net dir or leads nowhere; put the file itself here") };
    case ReadStatus::Failed:
        return Finding{ 1107,
            QStringLiteral("cannot be read: %1").arg(QString::fromLocal8Bit(std::strerror(error))) }; // NOLINT
    case ReadStatus::Ok:
    case ReadStatus::Missing:
        break;
    }
    return std::nullopt;
}

} // namespace firstwatch::patch
