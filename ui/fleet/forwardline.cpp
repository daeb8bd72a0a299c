// SPDX-License-Identifier: Apache-2.0
#include "ui/fleet/forwardline.h"

namespace firstwatch::fleet {

std::optional<quint16> forwardedPort(const QByteArray &line)
{
    static const QByteArray begin = "Forwarding from 127.0.0.1:";
    const QByteArray text = line.trimmed();
    const qsizetype arrow = text.indexOf(" -> ");
    if (!text.startsWith(begin) || arrow < begin.size())
        return {};
    bool isNumber = false;
    const quint16 port = text.mid(begin.size(), arrow - begin.size()).toUShort(&isNumber);
    return isNumber && port > 0 ? std::optional(port) : std::nullopt;
}

} // namespace firstwatch::fleet
