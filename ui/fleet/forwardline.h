// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>

#include <optional>

namespace firstwatch::fleet {

// The local port out of a line of "kubectl port-forward": "Forwarding from 127.0.0.1:34227 -> 9911", as
// kubernetes/client-go tools/portforward prints it once it listens. Nothing for any other line, and for one of another
// address: it forwards only what came to the address that we ask for.
[[nodiscard]] std::optional<quint16> forwardedPort(const QByteArray &line);

} // namespace firstwatch::fleet
