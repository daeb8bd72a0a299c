// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArrayView>

#include <array>
#include <optional>

namespace firstwatch::conflist {

using CniVersion = std::array<qint64, 3>;

// As ParseVersion of containernetworking/cni pkg/version reads it: one to three numbers, and nothing is 0.1.0.
[[nodiscard]] std::optional<CniVersion> parseCniVersion(QByteArrayView text);

} // namespace firstwatch::conflist
