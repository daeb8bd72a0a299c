// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sys/filedescriptor.h"

#include <QObject>
#include <QSocketNotifier>

#include <memory>

namespace firstwatch::watch {

// Says when the mounts of this mount namespace change: proc_pid_mountinfo(5) reports POLLPRI. A directory that is
// mounted over gives no inotify event.
class MountWatch final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(MountWatch)
public:
    explicit MountWatch(QObject *parent = nullptr);

Q_SIGNALS:
    void changed();

private:
    sys::FileDescriptor m_mountinfo;
    std::unique_ptr<QSocketNotifier> m_notifier;
};

} // namespace firstwatch::watch
