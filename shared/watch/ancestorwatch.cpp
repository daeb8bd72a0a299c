// SPDX-License-Identifier: Apache-2.0
#include "watch/ancestorwatch.h"

#include "sys/syscalls.h"

#include <sys/inotify.h>

namespace firstwatch::watch {
namespace {

constexpr quint32 ancestorMask =
    IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;

QByteArray parentOf(const QByteArray &path)
{
    const qsizetype slash = path.lastIndexOf('/');
    return slash <= 0 ? QByteArray("/") : path.first(slash);
}

} // namespace

AncestorWatch::AncestorWatch(Inotify &inotify, QByteArray prefix, QByteArray hostPath, QObject *parent)
    : QObject(parent)
    , m_inotify(inotify)
    , m_prefix(std::move(prefix))
    , m_hostPath(std::move(hostPath))
{
    while (m_hostPath.size() > 1 && m_hostPath.endsWith('/'))
        m_hostPath.chop(1); // "/a/b/" has the parent "/a", not "/a/b"
    connect(&m_inotify, &Inotify::changed, this, &AncestorWatch::hear);
    connect(&m_inotify, &Inotify::overflowed, this, &AncestorWatch::disturbed);
}

bool AncestorWatch::arm()
{
    // A component made between the look and the watch gave no event: the look is repeated until nothing new is found.
    QByteArray child;
    do {
        sys::FileDescriptor ancestor;
        child = nearest(ancestor);
        if (!ancestor.isValid())
            return false;
        m_child = child.sliced(child.lastIndexOf('/') + 1);
        const int before = m_watch;
        m_watch = m_inotify.add(ancestor.get(), ancestorMask);
        m_inotify.remove(before); // after the new one: the same inode keeps its watch without a gap
    } while (m_watch >= 0 && child != m_hostPath && sys::openDirectory(m_prefix, child).isValid());
    return m_watch >= 0;
}

// Opens the nearest ancestor that exists, and returns the path of the component below it.
QByteArray AncestorWatch::nearest(sys::FileDescriptor &ancestor) const
{
    QByteArray child;
    QByteArray path = m_hostPath;
    while (!ancestor.isValid() && path != "/") {
        child = std::exchange(path, parentOf(path));
        ancestor = sys::openDirectory(m_prefix, path);
    }
    return child;
}

void AncestorWatch::hear(const Change &change)
{
    if (change.watch != m_watch)
        return;
    const bool self = (change.mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT)) != 0;
    if ((change.mask & IN_IGNORED) != 0)
        m_watch = -1;
    if (self || change.name == m_child)
        Q_EMIT disturbed();
}

} // namespace firstwatch::watch
