// SPDX-License-Identifier: Apache-2.0
#include "service/netdirlock.h"

#include "sys/syscalls.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

namespace firstwatch::service {
namespace {

bool isSameDirectory(int one, int other)
{
    struct stat first { };
    struct stat second { };
    return ::fstat(one, &first) == 0 && ::fstat(other, &second) == 0 && first.st_ino == second.st_ino
        && first.st_dev == second.st_dev;
}

// The first byte as a shared record lock, the only kind that fcntl(2) grants on a directory; who asks whether an
// exclusive one could be had is told of it. Of the open file description, as that of flock(2) is.
struct flock waitingMark(short type)
{
    struct flock mark { };
    mark.l_type = type;
    mark.l_whence = SEEK_SET;
    mark.l_len = 1;
    return mark;
}

void setMark(const sys::FileDescriptor &directory, short type)
{
    struct flock mark = waitingMark(type);
    (void)::fcntl(directory.get(), F_OFD_SETLK, &mark);
}

} // namespace

bool NetDirLock::tryTake(int directory)
{
    if (directory < 0)
        return true;
    if (!m_directory.isValid() || !isSameDirectory(m_directory.get(), directory)) {
        // Of its own, not a duplicate: both kinds of lock belong to the open file description.
        m_directory = sys::FileDescriptor(::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        m_taken = false;
    }
    if (m_taken || !m_directory.isValid())
        return true;
    m_taken = ::flock(m_directory.get(), LOCK_EX | LOCK_NB) == 0;
    const bool another = !m_taken && errno == EWOULDBLOCK;
    setMark(m_directory, another ? F_RDLCK : F_UNLCK);
    return !another;
}

bool NetDirLock::successorWaiting() const
{
    struct flock mark = waitingMark(F_WRLCK);
    return m_taken && ::fcntl(m_directory.get(), F_OFD_GETLK, &mark) == 0 && mark.l_type != F_UNLCK;
}

} // namespace firstwatch::service
