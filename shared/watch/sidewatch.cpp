// SPDX-License-Identifier: Apache-2.0
#include "watch/sidewatch.h"

#include "sys/syscalls.h"

#include <sys/inotify.h>

namespace firstwatch::watch {

namespace {
constexpr quint32 sideMask = IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_CLOSE_WRITE | IN_DELETE | IN_ATTRIB
    | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;
}

SideWatch::SideWatch(Inotify &inotify, const QByteArray &prefix, const QByteArray &hostPath, QObject *parent)
    : QObject(parent)
    , m_inotify(inotify)
    , m_prefix(prefix)
    , m_hostPath(hostPath)
    , m_ancestors(inotify, prefix, hostPath)
{
    connect(&m_inotify, &Inotify::changed, this, &SideWatch::hear);
    connect(&m_inotify, &Inotify::settled, this, [this] {
        if (std::exchange(m_touched, false))
            Q_EMIT changed();
    });
    connect(&m_ancestors, &AncestorWatch::disturbed, this, [this] {
        arm();
        m_touched = true;
    });
}

bool SideWatch::arm()
{
    if (!m_inotify.open())
        return false;
    m_ancestors.arm();
    const sys::FileDescriptor directory = sys::openDirectory(m_prefix, m_hostPath);
    const int before = m_watch;
    m_watch = directory.isValid() ? m_inotify.add(directory.get(), sideMask) : -1;
    m_inotify.remove(before); // after the new one: the same inode keeps its watch without a gap
    return m_watch >= 0;
}

void SideWatch::hear(const Change &change)
{
    if (m_watch < 0 || change.watch != m_watch)
        return;
    m_touched = true;
    if ((change.mask & IN_IGNORED) != 0)
        m_watch = -1;
    else if ((change.mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT)) != 0)
        arm();
}

} // namespace firstwatch::watch
