// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conflist/finding.h"
#include "sys/filedescriptor.h"

#include <QByteArray>
#include <QByteArrayList>

namespace firstwatch::service {

// One service per net dir, by flock(2), which the kernel releases however the holder dies. "<key>.lock" belongs to the
// one that works, "<key>.next" to the one that waits to follow it. The files stay: removing a lock file lets two
// processes lock two of them.
class InstanceLock {
public:
    // `directories`: the first one that can be written is used, created when missing (0700).
    InstanceLock(const QByteArrayList &directories, const QByteArray &mountPrefix, const QByteArray &netDir);

    // 1403 when no directory can be written: the service then works without a lock, and tryTake() says yes.
    [[nodiscard]] QList<Finding> findings() const { return m_findings; }

    // True once the lock is ours; we then stop to be the one that waits. Never blocks: call it again.
    [[nodiscard]] bool tryTake();
    [[nodiscard]] bool isTaken() const { return m_taken; }
    // Who holds it, in one line of JSON {"pid","host","since"}; empty when nobody wrote it.
    [[nodiscard]] QByteArray holder() const;

    // Takes the place behind the holder. False when another one has it: call it again.
    [[nodiscard]] bool waitAsNext();
    // For the holder, before it undoes anything: true when another one waits to go on with the work.
    [[nodiscard]] bool successorWaiting() const;

private:
    sys::FileDescriptor m_lock;
    sys::FileDescriptor m_next;
    bool m_taken = false;
    QList<Finding> m_findings;
};

} // namespace firstwatch::service
