// SPDX-License-Identifier: Apache-2.0
#include "runtimeseye.h"

#include "figures.h"

#include <array>
#include <limits>
#include <poll.h>
#include <sys/inotify.h>

namespace firstwatch::bench {

namespace {
constexpr int64_t patienceNs = 20'000'000'000;
constexpr int lookAgainMs = 100;
} // namespace

RuntimesEye::RuntimesEye(const World &world)
    : m_world(world)
    , m_inotify(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC))
{
    ::inotify_add_watch(m_inotify.get(), world.netDir().c_str(), IN_CREATE | IN_CLOSE_WRITE | IN_MOVE);
}

double RuntimesEye::untilPatched(const std::string &name, int sequence, int64_t sinceNs) const
{
    while (!m_world.isPatched(name, sequence)) {
        if (nowNs() - sinceNs > patienceNs)
            return std::numeric_limits<double>::quiet_NaN();
        wait();
    }
    return double(nowNs() - sinceNs) / 1e6;
}

void RuntimesEye::wait() const
{
    pollfd changed{ m_inotify.get(), POLLIN, 0 };
    std::array<char, 4096> events{};
    if (::poll(&changed, 1, lookAgainMs) > 0)
        while (::read(m_inotify.get(), events.data(), events.size()) > 0) { }
}

} // namespace firstwatch::bench
