// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace firstwatch::stream {

// True when the process at the other end of a UNIX socket runs as root or as we do: SO_PEERCRED, as it was when it
// connected (unix(7)). A peer whose user is not mapped into our user namespace counts as the overflow uid, so as
// nobody.
[[nodiscard]] bool isTrustedPeer(int socket);

} // namespace firstwatch::stream
