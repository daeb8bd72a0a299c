// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>

#include <optional>

namespace firstwatch::stream {

// Where a node's stream is reached.
struct Endpoint {
    enum class Kind { Local, Tcp, Command };
    Kind kind = Kind::Local;
    QString path; // Local: of the UNIX socket
    QString host; // Tcp
    quint16 port = 0;
    QStringList command; // Command: a program and its arguments, whose standard streams carry the stream

    [[nodiscard]] QString shown() const; // "/run/firstwatch/stream.sock", "127.0.0.1:9911", "kubectl exec …"
};

// "host:port", "[::1]:9911"; nothing when it is neither.
[[nodiscard]] std::optional<Endpoint> tcpEndpoint(const QString &text);

} // namespace firstwatch::stream
