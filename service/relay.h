// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>

namespace firstwatch::service {

// Carries the stream of the running service over two descriptors, for `kubectl exec -i POD -- firstwatchd relay`, which
// needs no port. What `in` says goes to the socket, its end as well; what comes from there goes to `out`, all of it,
// before this returns. The exit code: 0 when the service ended the stream, 1 when it could not be reached, was cut off,
// or when nobody reads `out` any more; stderr says which.
[[nodiscard]] int relay(const QByteArray &socketPath, int in, int out);

} // namespace firstwatch::service
