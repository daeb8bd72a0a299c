// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "stream/desk.h"
#include "stream/protocol.h"

namespace firstwatch::stream {

// The methods that only read what the server has, without regard to who asks: "events", "diff", "config",
// "counters", "ping". One line, a result or an error; never longer than longestFrame.
[[nodiscard]] QByteArray answer(const Request &request, const Desk &desk);

// A parameter that is an integer from 0 on; the fallback when it is missing, nothing when it is something else.
[[nodiscard]] std::optional<quint64> seqParameter(const QJsonObject &params, QStringView name, quint64 fallback);

// The error when the request is about another run of the service than this; nothing when it names none, or this one.
[[nodiscard]] std::optional<QByteArray> bootError(const Request &request, const Tape &tape);

} // namespace firstwatch::stream
