// SPDX-License-Identifier: Apache-2.0
#include "service/serverurl.h"

#include "journal/event.h"

#include <algorithm>
#include <arpa/inet.h>

namespace firstwatch::service {
namespace {

using journal::shownName;

bool isNameCharacter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.'
        || c == '_';
}

bool isIpv6(const QByteArray &address)
{
    in6_addr parsed{};
    return ::inet_pton(AF_INET6, address.constData(), &parsed) == 1;
}

// "fe80::1%eth0" -> "[fe80::1%25eth0]"; empty when it is no IPv6 address.
QByteArray bracketed(const QByteArray &host)
{
    const bool hadBrackets = host.startsWith('[') && host.endsWith(']');
    const QByteArray inner = hadBrackets ? host.sliced(1, host.size() - 2) : host;
    const qsizetype percent = inner.indexOf('%');
    if (!isIpv6(percent < 0 ? inner : inner.first(percent)))
        return {};
    if (percent < 0)
        return '[' + inner + ']';
    QByteArray zone = inner.sliced(percent + 1);
    // What comes in brackets is in the form of a URL already, so a "%25" there is the encoded percent sign.
    if (hadBrackets && zone.size() > 2 && zone.startsWith("25"))
        zone = QByteArray::fromPercentEncoding(zone.sliced(2));
    return zone.isEmpty() ? QByteArray() : '[' + inner.first(percent) + "%25" + zone.toPercentEncoding() + ']';
}

// As a URL holds it; empty when it cannot be a host.
QByteArray urlHost(const QByteArray &host)
{
    if (host.contains(':'))
        return bracketed(host);
    return std::all_of(host.begin(), host.end(), isNameCharacter) ? host : QByteArray();
}

} // namespace

QString protocolError(const QByteArray &protocol)
{
    if (protocol == "https" || protocol == "http")
        return {};
    return QStringLiteral("'%1' is not a protocol of the API server: use https or http").arg(shownName(protocol));
}

QString hostError(const QByteArray &host)
{
    if (host.isEmpty())
        return QStringLiteral("the host of the API server is empty: give a host name or an IP address");
    if (!urlHost(host).isEmpty())
        return {};
    return QStringLiteral("'%1' is not a host: give a host name or an IP address, without protocol and port")
        .arg(shownName(host));
}

QString portError(const QByteArray &port)
{
    if (port.isEmpty())
        return QStringLiteral("the port of the API server is empty: give a number from 1 to 65535");
    const bool digits = std::all_of(port.begin(), port.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (digits && port.toUShort() != 0)
        return {};
    return QStringLiteral("'%1' is not a port: give a number from 1 to 65535").arg(shownName(port));
}

ServerUrl serverUrl(const QByteArray &protocol, const QByteArray &host, const QByteArray &port)
{
    for (const QString &error : { protocolError(protocol), hostError(host), portError(port) }) {
        if (!error.isEmpty())
            return { {}, error };
    }
    return { protocol + "://" + urlHost(host) + ':' + QByteArray::number(port.toUShort()), {} };
}

} // namespace firstwatch::service
