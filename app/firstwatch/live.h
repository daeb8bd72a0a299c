// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/firstwatch/options.h"

#include "stream/client.h"
#include "ui/text/node.h"

#include <functional>

namespace firstwatch::cli {

// Asks a node once: its view, and all events that it still has. With Options::wait it goes on asking until the node is
// in that state. Never longer than the time-out.
[[nodiscard]] ui::Node askNode(const stream::Endpoint &endpoint, const Options &options);

// The settings of a link to a node; the key file is read. False with `error` when that fails.
[[nodiscard]] bool linkOptions(const Options &options, stream::Client::Options &link, QString &error);

// How long to try: what the options say, else 10 s, and 2 min with Options::wait.
[[nodiscard]] int timeoutMs(const Options &options);

} // namespace firstwatch::cli
