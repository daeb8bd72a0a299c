// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sys/filedescriptor.h"

#include <QString>

namespace firstwatch::stream {

// containerd's port-forward dials 127.0.0.1 of the pod's namespace first, then ::1. A pod has one of them or both.
enum class Loopback { V4, V6 };

// Listens there and nowhere else. Invalid with errno when it cannot.
[[nodiscard]] sys::FileDescriptor listenOnLoopback(Loopback address, quint16 port, int backlog);
// Whether the reason, an errno, is that this machine or pod has no such address.
[[nodiscard]] bool isWithoutAddress(int error);
[[nodiscard]] QString loopbackName(Loopback address, quint16 port); // "127.0.0.1:9911", "[::1]:9911"

// For a connection of it: each event goes out at once, and the kernel's memory for one that does not read is bounded.
void tuneConnection(int socket);

} // namespace firstwatch::stream
