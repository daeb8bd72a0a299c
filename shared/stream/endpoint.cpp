// SPDX-License-Identifier: Apache-2.0
#include "stream/endpoint.h"

namespace firstwatch::stream {
namespace {

constexpr int highestPort = 65535;

} // namespace

QString Endpoint::shown() const
{
    switch (kind) {
    case Kind::Local:
        return path;
    case Kind::Tcp:
        return (host.contains(u':') ? u'[' + host + u']' : host) + u':' + QString::number(port);
    case Kind::Command:
        return command.join(u' ');
    }
    return {};
}

std::optional<Endpoint> tcpEndpoint(const QString &text)
{
    const qsizetype colon = text.lastIndexOf(u':');
    QString host = text.left(colon);
    bool isNumber = false;
    const int port = text.mid(colon + 1).toInt(&isNumber);
    if (colon <= 0 || !isNumber || port <= 0 || port > highestPort)
        return {};
    const bool isBracketed = host.startsWith(u'[') && host.endsWith(u']');
    if (isBracketed)
        host = host.sliced(1, host.size() - 2);
    if (host.isEmpty() || host.contains(u':') != isBracketed)
        return {};
    return Endpoint{ Endpoint::Kind::Tcp, {}, host, quint16(port), {} };
}

} // namespace firstwatch::stream
