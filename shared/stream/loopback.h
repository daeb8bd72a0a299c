// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sys/filedescriptor.h"

#include <QtGlobal>

namespace firstwatch::stream {

// Listens on 127.0.0.1 and nowhere else: containerd's port-forward dials that address of the pod's namespace first.
// Invalid with errno when it cannot.
[[nodiscard]] sys::FileDescriptor listenOnLoopback(quint16 port, int backlog);

// For a connection of it: each event goes out at once, and the kernel's memory for one that does not read is bounded.
void tuneConnection(int socket);

} // namespace firstwatch::stream
