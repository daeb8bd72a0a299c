// SPDX-License-Identifier: Apache-2.0
#include "sys/syscalls.h"

#include "sys/failpoint.h"

#include <QList>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <dirent.h>
#include <fcntl.h>
#include <linux/limits.h>
#include <linux/openat2.h>
#include <memory>
#include <sys/inotify.h>
#include <sys/syscall.h>
#include <sys/xattr.h>

namespace firstwatch::sys {
namespace {

// True when the fail point wants the call to fail; errno is then set.
bool fails(const char *point)
{
    const int error = faultAt(point);
    if (error != 0)
        errno = error;
    return error != 0;
}

template <typename Call> auto retried(Call call)
{
    auto result = call();
    while (result < 0 && errno == EINTR)
        result = call();
    return result;
}

int openWithRules(int directory, const char *path, int flags, quint64 resolve)
{
    open_how how{};
    how.flags = quint64(flags);
    how.resolve = resolve;
    return retried([&] { return int(::syscall(SYS_openat2, directory, path, &how, sizeof how)); });
}

// A seccomp profile older than the call answers EPERM or ENOSYS; a newer one knows it.
bool openat2Refused()
{
    return errno == ENOSYS || errno == EPERM;
}

QList<QByteArray> attributeNames(int fd)
{
    QByteArray names(XATTR_LIST_MAX, Qt::Uninitialized);
    const ssize_t size = ::flistxattr(fd, names.data(), size_t(names.size()));
    names.resize(std::max<qsizetype>(size, 0));
    QList<QByteArray> all = names.split('\0');
    all.removeAll(QByteArray());
    return all;
}

QByteArray procPath(int fd)
{
    return "/proc/self/fd/" + QByteArray::number(fd);
}

} // namespace

FileDescriptor openDirectory(const QByteArray &prefix, const QByteArray &hostPath)
{
    if (fails("dir.open"))
        return {};
    constexpr int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
    const FileDescriptor root(::open(prefix.isEmpty() ? "/" : prefix.constData(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!root.isValid())
        return {};
    const int fd = openWithRules(root.get(), hostPath.constData(), flags, RESOLVE_IN_ROOT);
    if (fd < 0 && openat2Refused())
        return FileDescriptor(::open(QByteArray(prefix + hostPath).constData(), flags));
    return FileDescriptor(fd);
}

bool identify(int directory, Identity &out)
{
    if (fails("dir.stat"))
        return false;
    struct statx info { };
    if (::statx(directory, "", AT_EMPTY_PATH, STATX_INO | STATX_NLINK | STATX_MNT_ID, &info) != 0)
        return false;
    out.device = (quint64(info.stx_dev_major) << 32) | info.stx_dev_minor;
    out.inode = info.stx_ino;
    out.mountId = (info.stx_mask & STATX_MNT_ID) != 0 ? info.stx_mnt_id : 0;
    out.links = info.stx_nlink;
    return true;
}

QByteArray pathOf(int fd)
{
    QByteArray path(4096, Qt::Uninitialized);
    const ssize_t size = ::readlink(procPath(fd).constData(), path.data(), size_t(path.size()));
    path.resize(size > 0 ? qsizetype(size) : 0);
    return path;
}

bool listDirectory(int directory, QList<QByteArray> &out)
{
    if (fails("dir.list"))
        return false;
    // A descriptor of its own, since reading moves the position of a shared one.
    const int fd = ::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return false;
    const std::unique_ptr<DIR, int (*)(DIR *)> stream(::fdopendir(fd), &::closedir);
    if (!stream)
        return false;
    errno = 0;
    while (const dirent *entry = ::readdir(stream.get())) { // NOLINT(concurrency-mt-unsafe): a stream of our own
        const QByteArray name(entry->d_name);
        if (name != "." && name != "..")
            out.append(name);
    }
    return errno == 0;
}

bool syncDirectory(int directory)
{
    return !fails("dir.sync") && retried([&] { return ::fsync(directory); }) == 0;
}

FileDescriptor inotifyInit()
{
    return fails("watch.init") ? FileDescriptor() : FileDescriptor(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
}

int inotifyAdd(int inotify, int directory, quint32 mask)
{
    return fails("watch.add") ? -1 : ::inotify_add_watch(inotify, procPath(directory).constData(), mask);
}

void inotifyRemove(int inotify, int watch)
{
    if (!fails("watch.remove"))
        ::inotify_rm_watch(inotify, watch);
}

ssize_t inotifyRead(int inotify, char *buffer, size_t size)
{
    const int fault = faultAt("watch.read");
    if (fault > 0) {
        errno = fault;
        return -1;
    }
    const ssize_t bytes = retried([&] { return ::read(inotify, buffer, size); });
    if (bytes < 0 && errno == EAGAIN)
        return 0;
    return fault == dropped && bytes > 0 ? 0 : bytes;
}

int probeByChmod(int directory)
{
    if (fails("probe.chmod"))
        return errno;
    struct stat info { };
    if (::fstat(directory, &info) != 0 || ::fchmod(directory, info.st_mode & 07777) != 0)
        return errno;
    return 0;
}

int probeByOpen(int directory)
{
    if (fails("probe.open"))
        return errno;
    const FileDescriptor opened(::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    return opened.isValid() ? 0 : errno;
}

FileDescriptor openFile(int directory, const QByteArray &name)
{
    if (fails("file.open"))
        return {};
    constexpr int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
    const int fd = openWithRules(directory, name.constData(), flags, RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS);
    if (fd < 0 && openat2Refused())
        return FileDescriptor(::openat(directory, name.constData(), flags));
    return FileDescriptor(fd);
}

bool statFile(int fd, struct stat &out)
{
    return !fails("file.stat") && ::fstat(fd, &out) == 0;
}

bool statName(int directory, const QByteArray &name, struct stat &out)
{
    return !fails("name.stat") && ::fstatat(directory, name.constData(), &out, AT_SYMLINK_NOFOLLOW) == 0;
}

bool readAll(int fd, qsizetype limit, QByteArray &out)
{
    out.clear();
    char chunk[16 * 1024];
    while (out.size() <= limit) {
        if (fails("file.read"))
            return false;
        const ssize_t bytes = retried([&] { return ::pread(fd, chunk, sizeof chunk, out.size()); });
        if (bytes < 0)
            return false;
        out.append(chunk, qsizetype(bytes));
        if (bytes < ssize_t(sizeof chunk)) // of a regular file that is its end (read(2))
            return true;
    }
    out.truncate(limit + 1);
    return true;
}

QByteArray readLink(int directory, const QByteArray &name)
{
    if (fails("link.read"))
        return {};
    QByteArray target(4096, Qt::Uninitialized);
    const ssize_t size = ::readlinkat(directory, name.constData(), target.data(), size_t(target.size()));
    target.resize(size > 0 ? qsizetype(size) : 0);
    return target;
}

Lease askLease(int fd)
{
    const bool taken = !fails("file.lease") && ::fcntl(fd, F_SETLEASE, F_RDLCK) == 0;
    if (!taken)
        return errno == EAGAIN ? Lease::SomebodyWrites : Lease::Refused;
    ::fcntl(fd, F_SETLEASE, F_UNLCK);
    return Lease::NobodyWrites;
}

FileDescriptor createExclusive(int directory, const QByteArray &name, mode_t mode)
{
    if (fails("temp.create"))
        return {};
    return FileDescriptor(
        ::openat(directory, name.constData(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
}

bool writeAll(int fd, const QByteArray &bytes)
{
    qsizetype done = 0;
    while (done < bytes.size()) {
        if (fails("temp.write"))
            return false;
        const ssize_t n = retried([&] { return ::write(fd, bytes.constData() + done, size_t(bytes.size() - done)); });
        if (n < 0)
            return false;
        done += qsizetype(n);
    }
    return true;
}

bool setOwner(int fd, uid_t owner, gid_t group)
{
    return !fails("temp.chown") && ::fchown(fd, owner, group) == 0;
}

bool setMode(int fd, mode_t mode)
{
    return !fails("temp.chmod") && ::fchmod(fd, mode) == 0;
}

QList<QByteArray> copyAttributes(int from, int to)
{
    const QList<QByteArray> wanted = attributeNames(from);
    QList<QByteArray> refused;
    for (const QByteArray &name : attributeNames(to)) {
        if (!wanted.contains(name) && (fails("temp.xattr") || ::fremovexattr(to, name.constData()) != 0))
            refused.append(name);
    }
    QByteArray value(XATTR_SIZE_MAX, Qt::Uninitialized);
    for (const QByteArray &name : wanted) {
        const ssize_t bytes = ::fgetxattr(from, name.constData(), value.data(), size_t(value.size()));
        if (bytes < 0 || fails("temp.xattr")
            || ::fsetxattr(to, name.constData(), value.constData(), size_t(bytes), 0) != 0)
            refused.append(name);
    }
    return refused;
}

bool syncFile(int fd)
{
    return !fails("temp.sync") && retried([&] { return ::fsync(fd); }) == 0;
}

bool exchangeNames(int directory, const QByteArray &first, const QByteArray &second)
{
    return !fails("rename.exchange")
        && ::renameat2(directory, first.constData(), directory, second.constData(), RENAME_EXCHANGE) == 0;
}

bool renameNew(int directory, const QByteArray &from, const QByteArray &to)
{
    return !fails("rename.noreplace")
        && ::renameat2(directory, from.constData(), directory, to.constData(), RENAME_NOREPLACE) == 0;
}

bool renameOver(int directory, const QByteArray &from, const QByteArray &to)
{
    return !fails("rename.plain") && ::renameat(directory, from.constData(), directory, to.constData()) == 0;
}

bool linkName(int directory, const QByteArray &from, const QByteArray &to)
{
    return !fails("name.link") && ::linkat(directory, from.constData(), directory, to.constData(), 0) == 0;
}

bool unlinkName(int directory, const QByteArray &name)
{
    return !fails("name.unlink") && ::unlinkat(directory, name.constData(), 0) == 0;
}

FileDescriptor openFollowing(int directory, const QByteArray &path)
{
    if (fails("kube.open"))
        return {};
    constexpr int flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
    return FileDescriptor(retried([&] { return ::openat(directory, path.constData(), flags); }));
}

ssize_t readAt(int fd, char *buffer, size_t size, off_t offset)
{
    return fails("bin.read") ? -1 : retried([&] { return ::pread(fd, buffer, size, offset); });
}

bool hasFileCapabilities(int fd)
{
    return !fails("bin.xattr") && ::fgetxattr(fd, "security.capability", nullptr, 0) >= 0;
}

} // namespace firstwatch::sys
