// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <sys/types.h>

namespace firstwatch::stream {

// True when the process at the other end of a UNIX socket runs as root or as we do (SO_PEERCRED), or is in that group,
// by its own or by a supplementary one (SO_PEERGROUPS); all of it as it was when it connected (unix(7), socket(7)).
// A peer whose user is not mapped into our user namespace is shown with the overflow uid, nobody's, and is trusted by
// its user in no case: not even by a service that runs as nobody.
[[nodiscard]] bool isTrustedPeer(int socket, std::optional<gid_t> group);

} // namespace firstwatch::stream
