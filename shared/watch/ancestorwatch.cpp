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
    connect(&m_inotify, &Inotify::changed, this, &AncestorWatch::hear);
}

bool AncestorWatch::arm()
{
    QByteArray child = m_hostPath;
    sys::FileDescriptor ancestor;
    while (!ancestor.isValid() && child != "/") {
        const QByteArray path = parentOf(child);
        ancestor = sys::openDirectory(m_prefix, path);
        if (ancestor.isValid())
            m_child = child.sliced(child.lastIndexOf('/') + 1);
        child = path;
    }
    if (!ancestor.isValid())
        return false;
    const int before = m_watch;
    m_watch = m_inotify.add(ancestor.get(), ancestorMask);
    m_inotify.remove(before); // after the new one: the same inode keeps its watch without a gap
    return m_watch >= 0;
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
