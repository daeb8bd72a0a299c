// SPDX-License-Identifier: Apache-2.0
#include "watch/inotify.h"

#include "sys/syscalls.h"

#include <cstring>
#include <sys/inotify.h>

namespace firstwatch::watch {

Inotify::Inotify(QObject *parent)
    : QObject(parent)
{
}

bool Inotify::open()
{
    if (m_fd.isValid())
        return true;
    m_fd = sys::inotifyInit();
    if (!m_fd.isValid())
        return false;
    m_notifier = std::make_unique<QSocketNotifier>(m_fd.get(), QSocketNotifier::Read);
    connect(m_notifier.get(), &QSocketNotifier::activated, this, &Inotify::drain);
    return true;
}

int Inotify::add(int directory, quint32 mask)
{
    const int watch = sys::inotifyAdd(m_fd.get(), directory, mask | IN_MASK_ADD);
    if (watch >= 0) {
        Shared &shared = m_watches[watch];
        ++shared.users;
        shared.mask |= mask;
    }
    return watch;
}

void Inotify::remove(int watch)
{
    const auto shared = m_watches.find(watch);
    if (shared == m_watches.end() || --shared->users > 0)
        return;
    m_watches.erase(shared);
    sys::inotifyRemove(m_fd.get(), watch);
}

bool Inotify::widen(int directory, int watch, quint32 extra)
{
    const int same = sys::inotifyAdd(m_fd.get(), directory, m_watches.value(watch).mask | extra);
    if (same >= 0 && !m_watches.contains(same))
        sys::inotifyRemove(m_fd.get(), same); // the old watch had ended meanwhile, and nobody knows this one
    return same == watch;
}

void Inotify::drain()
{
    // A slot that drains again would deliver a later batch before the rest of this one.
    if (m_draining || !m_fd.isValid())
        return;
    m_draining = true;
    // Bounded, so that a writer that never stops cannot keep the timers of the loop from running.
    for (int batch = 0; batch < 64 && readBatch(); ++batch) { }
    m_draining = false;
    Q_EMIT settled();
}

bool Inotify::readBatch()
{
    alignas(inotify_event) char buffer[64 * 1024];
    const ssize_t size = sys::inotifyRead(m_fd.get(), buffer, sizeof buffer);
    if (size > 0)
        deliver(buffer, size_t(size));
    return size > 0;
}

void Inotify::deliver(const char *bytes, size_t size)
{
    for (size_t at = 0; at + sizeof(inotify_event) <= size;) {
        inotify_event record{};
        std::memcpy(&record, bytes + at, sizeof record);
        const char *name = bytes + at + sizeof record;
        at += sizeof record + record.len;
        if ((record.mask & IN_IGNORED) != 0)
            m_watches.remove(record.wd); // the kernel has dropped it: its number may be given to another directory
        if ((record.mask & IN_Q_OVERFLOW) != 0)
            Q_EMIT overflowed();
        else
            Q_EMIT changed(
                { record.wd, record.mask, record.cookie, QByteArray(name, qsizetype(::strnlen(name, record.len))) });
    }
}

} // namespace firstwatch::watch
