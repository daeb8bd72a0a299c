// SPDX-License-Identifier: Apache-2.0
#include "journal/linewriter.h"

#include <cerrno>
#include <climits>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>

namespace firstwatch::journal {
namespace {

// A description of our own, not blocking: O_NONBLOCK on the one we were given would change it for everybody who shares
// it. Only pipes and terminals can fill up and be opened again (proc(5), /proc/pid/fd); for the rest, and where that is
// refused, hasRoom() alone keeps us from waiting.
sys::FileDescriptor ownDescriptor(int fd)
{
    struct stat info { };
    if (::fstat(fd, &info) == 0 && (S_ISFIFO(info.st_mode) || S_ISCHR(info.st_mode))) {
        const QByteArray path = "/proc/self/fd/" + QByteArray::number(fd);
        sys::FileDescriptor own(::open(path.constData(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
        if (own.isValid())
            return own;
    }
    return sys::FileDescriptor(::fcntl(fd, F_DUPFD_CLOEXEC, 3));
}

} // namespace

LineWriter::LineWriter(int fd, std::function<QByteArray(quint64)> droppedText)
    : m_fd(ownDescriptor(fd))
    , m_droppedText(std::move(droppedText))
{
}

void LineWriter::write(const QByteArray &line)
{
    const std::lock_guard lock(m_mutex);
    drain();
    if (!m_rest.isEmpty()) {
        ++m_dropped;
        return;
    }
    const quint64 unsaid = m_dropped - m_said;
    const QByteArray text = unsaid > 0 ? m_droppedText(unsaid) + line : line;
    m_rest = text;
    drain();
    if (m_rest.size() == text.size()) { // no room: not even begun
        m_rest.clear();
        ++m_dropped;
    } else {
        m_said += unsaid;
    }
}

// In pieces of at most PIPE_BUF bytes: a pipe that polls as writable takes that much at once (pipe(7)).
void LineWriter::drain()
{
    while (!m_rest.isEmpty() && hasRoom()) {
        const ssize_t written =
            ::write(m_fd.get(), m_rest.constData(), size_t(qMin<qsizetype>(m_rest.size(), PIPE_BUF)));
        if (written >= 0) {
            m_rest.remove(0, qsizetype(written));
        } else if (errno == EAGAIN) {
            return;
        } else if (errno != EINTR) { // nobody will ever read it
            m_rest.clear();
            ++m_dropped;
        }
    }
}

bool LineWriter::hasRoom() const
{
    pollfd entry{ m_fd.get(), POLLOUT, 0 };
    return ::poll(&entry, 1, 0) == 1 && (entry.revents & POLLNVAL) == 0;
}

} // namespace firstwatch::journal
