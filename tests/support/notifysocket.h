// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sys/filedescriptor.h"

#include <QByteArrayList>

namespace firstwatch::test {

// The other end of sd_notify(3): a datagram socket as systemd has it.
class NotifySocket {
public:
    explicit NotifySocket(const QByteArray &path);
    // All that has been told so far, one entry a datagram.
    [[nodiscard]] const QByteArrayList &told();
    [[nodiscard]] bool wasTold(const QByteArray &line); // "READY=1"

private:
    sys::FileDescriptor m_socket;
    QByteArrayList m_told;
};

} // namespace firstwatch::test
