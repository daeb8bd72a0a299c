// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "stream/client.h"
#include "ui/text/node.h"

namespace firstwatch::ui {

// CLOCK_BOOTTIME of a node elsewhere: as far as wall time has moved since its last event.
[[nodiscard]] qint64 remoteNowNs(const journal::NodeView &view);

// The key of the TCP challenge as a file holds it, without a newline at its end. Nothing with `error` in words when the
// file cannot be read.
[[nodiscard]] std::optional<QByteArray> keyFromFile(const QByteArray &path, QString &error);

// The node as a link knows it at this moment, without its events.
[[nodiscard]] Node liveNode(const stream::Endpoint &endpoint, const stream::Client &client);

} // namespace firstwatch::ui
