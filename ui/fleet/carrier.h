// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace firstwatch::fleet {

// How a node's stream comes out of its pod.
enum class Carrier { Forward, Exec };

} // namespace firstwatch::fleet
