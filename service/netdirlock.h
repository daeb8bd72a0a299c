// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sys/filedescriptor.h"

namespace firstwatch::service {

// One service per net dir, seen by services that share nothing but the directory: two pods on one node have each a
// runtime dir of their own. The directory's inode is the lock: nothing is written for it, and the kernel releases it
// however the holder dies. It follows the directory: one that was made again is locked again.
class NetDirLock {
public:
    // `directory` is open, or -1: where there is none, there is no rival, and this says yes. So it does where the file
    // system has no locks. Never blocks: call it again. While the answer is no, the holder sees that one waits.
    [[nodiscard]] bool tryTake(int directory);
    // For the holder, before it undoes anything: true when another one waits to go on with the work.
    [[nodiscard]] bool successorWaiting() const;
    // Lets go of the directory, so that it can be unmounted.
    void release() { m_directory.reset(); }

private:
    sys::FileDescriptor m_directory;
    bool m_taken = false;
};

} // namespace firstwatch::service
