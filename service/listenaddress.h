// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sys/filedescriptor.h"

#include <QString>

#include <optional>

namespace firstwatch::service {

// An address of this machine to listen on: IPv4 or IPv6, numeric. "::" means both families.
class ListenAddress {
public:
    // "127.0.0.1", "::1", "[::]"; nothing when it is no address. Names are not looked up: that could wait for ever.
    [[nodiscard]] static std::optional<ListenAddress> parse(const QByteArray &text);

    [[nodiscard]] const QByteArray &text() const { return m_text; } // without brackets
    // "127.0.0.1:9912", "[::1]:9912".
    [[nodiscard]] QByteArray joined(quint16 port) const;
    // A listening, non-blocking TCP socket; invalid with errno when there can be none. A kernel without IPv6 listens on
    // all of IPv4 for "::".
    [[nodiscard]] sys::FileDescriptor listen(quint16 port, int backlog) const;

private:
    explicit ListenAddress(QByteArray text);

    QByteArray m_text;
};

} // namespace firstwatch::service
