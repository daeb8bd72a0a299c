// SPDX-License-Identifier: Apache-2.0
#include "stream/peer.h"

#include <algorithm>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

namespace firstwatch::stream {
namespace {

constexpr uid_t overflow = 65534; // kernel.overflowuid
constexpr size_t mostGroups = 65536; // NGROUPS_MAX

// Empty when the kernel does not tell.
std::vector<gid_t> supplementaryGroups(int socket)
{
    std::vector<gid_t> groups(mostGroups);
    auto bytes = socklen_t(groups.size() * sizeof(gid_t));
    if (::getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, groups.data(), &bytes) != 0)
        bytes = 0;
    groups.resize(bytes / sizeof(gid_t));
    return groups;
}

} // namespace

bool isTrustedPeer(int socket, std::optional<gid_t> group)
{
    ucred peer{};
    socklen_t size = sizeof peer;
    if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || size != sizeof peer)
        return false;
    if (peer.uid == 0 || (peer.uid == ::geteuid() && peer.uid != overflow))
        return true;
    if (!group)
        return false;
    const std::vector<gid_t> others = supplementaryGroups(socket);
    return peer.gid == *group || std::find(others.begin(), others.end(), *group) != others.end();
}

} // namespace firstwatch::stream
