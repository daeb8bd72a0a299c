// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArrayView>

#include <array>
#include <optional>

namespace firstwatch::conflist {

using CniVersion = std::array<qint64, 3>;

// As ParseVersion of containernetworking/cni pkg/version reads it: one to three numbers, and nothing is 0.1.0.
[[nodiscard]] std::optional<CniVersion> parseCniVersion(QByteArrayView text);

// As it is spelled in a released version of the CNI specification: plugins compare the text.
[[nodiscard]] bool isReleasedCniVersion(QByteArrayView text);
inline constexpr char releasedCniVersions[] = "0.1.0, 0.2.0, 0.3.0, 0.3.1, 0.4.0, 1.0.0, 1.1.0";

} // namespace firstwatch::conflist
