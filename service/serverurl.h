// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QString>

namespace firstwatch::service {

// The address of the API server, joined in one place: "https://10.0.0.1:443", "https://[fd00::1]:443".
struct ServerUrl {
    QByteArray url; // empty when refused
    QString error; // names the part, its value and the way out
};

// `protocol` "http" or "https". `host` a name, an IPv4 or an IPv6 address, the latter with or without brackets; a zone
// is percent-encoded (RFC 6874 section 2). `port` 1 to 65535.
[[nodiscard]] ServerUrl serverUrl(const QByteArray &protocol, const QByteArray &host, const QByteArray &port);

// Each part alone: an error text, empty when good. An empty part is an error.
[[nodiscard]] QString protocolError(const QByteArray &protocol);
[[nodiscard]] QString hostError(const QByteArray &host);
[[nodiscard]] QString portError(const QByteArray &port);

} // namespace firstwatch::service
