// SPDX-License-Identifier: Apache-2.0
#include "stream/unixsocket.h"

#include "journal/shownname.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/un.h>

namespace firstwatch::stream {
namespace {

using journal::shownName;

QString failed(const QByteArray &path, const char *what)
{
    const int error = errno;
    return QStringLiteral("%1 %2: %3").arg(shownName(path), QLatin1String(what), qt_error_string(error));
}

sys::FileDescriptor newSocket()
{
    return sys::FileDescriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
}

bool isTooLong(const QByteArray &path)
{
    return size_t(path.size()) >= sizeof(sockaddr_un::sun_path);
}

template <typename Call> int withAddress(const QByteArray &path, Call call)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::copy(path.begin(), path.end(), address.sun_path);
    const void *const raw = &address;
    return call(static_cast<const sockaddr *>(raw), socklen_t(sizeof address));
}

// A directory that exists is taken as it is, unless others can write to it: they could put a socket of their own there.
// One that is ours and open to all, as a fresh emptyDir of a pod is, is closed to them.
QString prepareDirectory(const QByteArray &path)
{
    if (::mkdir(path.constData(), 0700) != 0 && errno != EEXIST)
        return failed(path, "cannot be made");
    const sys::FileDescriptor directory(::open(path.constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    struct stat info { };
    if (!directory.isValid() || ::fstat(directory.get(), &info) != 0)
        return failed(path, "cannot be opened");
    const bool isForOthers = (info.st_mode & 022) != 0;
    const bool isOurs = info.st_uid == ::geteuid();
    if (!isOurs && info.st_uid != 0)
        return QStringLiteral("%1 belongs to uid %2, who could replace the socket")
            .arg(shownName(path))
            .arg(info.st_uid);
    if (isForOthers && (!isOurs || (info.st_mode & S_ISVTX) != 0))
        return QStringLiteral("others may write to %1, and could replace the socket").arg(shownName(path));
    if (isForOthers && ::fchmod(directory.get(), 0700) != 0)
        return failed(path, "cannot be closed to others");
    return {};
}

QByteArray directoryOf(const QByteArray &path)
{
    return path.first(path.lastIndexOf('/'));
}

// So that the group can get to the socket. What is open to all already is left as it is.
bool openDirectory(const QByteArray &path, gid_t group)
{
    const sys::FileDescriptor directory(::open(path.constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    struct stat info { };
    if (!directory.isValid() || ::fstat(directory.get(), &info) != 0)
        return false;
    const bool isOpen = (info.st_mode & 0001) != 0 || ((info.st_mode & 0010) != 0 && info.st_gid == group);
    return isOpen
        || (::fchown(directory.get(), uid_t(-1), group) == 0
            && ::fchmod(directory.get(), (info.st_mode & 07700) | 0050) == 0);
}

bool isSame(const struct stat &first, const struct stat &second)
{
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

} // namespace

UnixSocket::UnixSocket(QByteArray path, int backlog, std::optional<gid_t> group)
    : m_path(std::move(path))
    , m_problem(open(backlog))
{
    if (!m_problem.isEmpty())
        m_socket.reset();
    else if (group)
        m_problem = openTo(*group);
}

UnixSocket::~UnixSocket()
{
    struct stat now { };
    if (m_socket.isValid() && ::lstat(m_path.constData(), &now) == 0 && isSame(now, m_made))
        ::unlink(m_path.constData());
}

QString UnixSocket::open(int backlog)
{
    if (isTooLong(m_path))
        return QStringLiteral("the path has %1 bytes, and the kernel takes %2 for a socket: give a shorter one")
            .arg(m_path.size())
            .arg(sizeof(sockaddr_un::sun_path) - 1);
    QString problem = prepareDirectory(directoryOf(m_path));
    if (problem.isEmpty())
        problem = takeLock();
    if (problem.isEmpty())
        problem = clearPlace();
    if (!problem.isEmpty())
        return problem;
    m_socket = newSocket();
    // The kernel gives the name the mode of the socket, less the umask: it is never wider, not even for a moment.
    const bool bound = m_socket.isValid() && ::fchmod(m_socket.get(), 0600) == 0
        && withAddress(m_path, [this](auto... address) { return ::bind(m_socket.get(), address...); }) == 0;
    if (!bound || ::lstat(m_path.constData(), &m_made) != 0)
        return failed(m_path, "cannot be made");
    return ::listen(m_socket.get(), backlog) == 0 ? QString() : failed(m_path, "does not listen");
}

QString UnixSocket::takeLock()
{
    const QByteArray path = m_path + ".lock";
    m_lock =
        sys::FileDescriptor(::open(path.constData(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600));
    if (!m_lock.isValid())
        return failed(path, "cannot be opened");
    if (::flock(m_lock.get(), LOCK_EX | LOCK_NB) != 0)
        return QStringLiteral("another firstwatchd serves %1").arg(shownName(m_path));
    return {};
}

// Who connected before this, was let in by its user alone, and is looked at then.
QString UnixSocket::openTo(gid_t group) const
{
    if (::lchown(m_path.constData(), uid_t(-1), group) == 0 && ::chmod(m_path.constData(), 0660) == 0
        && openDirectory(directoryOf(m_path), group))
        return {};
    const QString why = qt_error_string(errno);
    return QStringLiteral("%1 is not open to group %2 (%3), only to root").arg(shownName(m_path)).arg(group).arg(why);
}

QString UnixSocket::clearPlace() const
{
    struct stat info { };
    if (::lstat(m_path.constData(), &info) != 0)
        return errno == ENOENT ? QString() : failed(m_path, "cannot be looked at");
    if (!S_ISSOCK(info.st_mode))
        return QStringLiteral("%1 is there and is no socket: it is left alone").arg(shownName(m_path));
    const sys::FileDescriptor probe = newSocket();
    const bool refused = probe.isValid()
        && withAddress(m_path, [&probe](auto... address) { return ::connect(probe.get(), address...); }) != 0
        && errno == ECONNREFUSED;
    if (!refused)
        return QStringLiteral("%1 is the socket of somebody who listens").arg(shownName(m_path));
    return ::unlink(m_path.constData()) == 0 ? QString() : failed(m_path, "cannot be replaced");
}

} // namespace firstwatch::stream
