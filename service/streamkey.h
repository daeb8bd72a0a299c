// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "service/settings.h"

#include <optional>

namespace firstwatch::service {

// The key of the challenge on the stream's port, out of its file.
struct StreamKey {
    QByteArray bytes; // empty: none is asked for
    std::optional<Finding> finding; // 1406: one is asked for and cannot be had, so the port may not be opened
};
// The bytes of the file, as a mounted Secret has them, less one newline at the end, which editors and `openssl rand
// -hex` leave there. At least 16.
[[nodiscard]] StreamKey readStreamKey(const Settings &settings);

} // namespace firstwatch::service
