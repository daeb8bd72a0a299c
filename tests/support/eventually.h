// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDeadlineTimer>

#include <ctime>
#include <functional>

namespace firstwatch::test {

// A limit for what must happen at all, on a machine that is busy with other things.
inline constexpr int patienceMs = 30'000;

// Asks each millisecond until it is so. Needs no event loop, so it works in any thread.
template <typename Condition> bool eventually(Condition condition, int ms = patienceMs)
{
    const QDeadlineTimer deadline(ms);
    while (!condition()) {
        if (deadline.hasExpired())
            return condition();
        const timespec pause{ 0, 1'000'000 };
        ::nanosleep(&pause, nullptr);
    }
    return true;
}

// The same in the event loop, without the pauses of QTRY_*: what comes is answered when it comes. Asks after each
// event, and each millisecond for what happens elsewhere.
[[nodiscard]] bool runUntil(const std::function<bool()> &condition, int ms = patienceMs);

} // namespace firstwatch::test
