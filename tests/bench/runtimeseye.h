// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sys/filedescriptor.h"
#include "world.h"

#include <cstdint>

namespace firstwatch::bench {

// Looks at the net dir as a runtime does: sleeps in inotify(7), and reads a config when something happened to it. It
// takes no processor from those who are measured.
class RuntimesEye {
public:
    explicit RuntimesEye(const World &world);
    // Milliseconds from then until the patched form can be read; NaN when it never comes.
    [[nodiscard]] double untilPatched(const std::string &name, int sequence, int64_t sinceNs) const;

private:
    void wait() const;

    const World &m_world;
    sys::FileDescriptor m_inotify;
};

} // namespace firstwatch::bench
