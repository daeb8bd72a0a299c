// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sys/filedescriptor.h"

#include <QByteArray>

#include <sys/stat.h>
#include <sys/types.h>

// The thin layer over the kernel for the watch and the write recipe. Each call names its fail point (see failpoint.h),
// retries EINTR, and leaves errno for the caller. Names are bytes: one path component below a held directory.
namespace firstwatch::sys {

// ---- directories -----------------------------------------------------------------------------------------------

// Which directory an open descriptor or a path is. mountId is STATX_MNT_ID (statx(2), Linux 5.8; 0 before).
struct Identity {
    quint64 device = 0;
    quint64 inode = 0;
    quint64 mountId = 0;
    quint32 links = 0; // st_nlink: 0 once the directory has been removed
    [[nodiscard]] bool sameDirectory(const Identity &other) const
    {
        return device == other.device && inode == other.inode && mountId == other.mountId;
    }
};

// Opens `hostPath` below `prefix` as a process chrooted to `prefix` would see it: absolute symbolic links stay inside
// (openat2(2) RESOLVE_IN_ROOT; where openat2 is refused, plain concatenation). O_RDONLY, so that it can be synced.
// Fail point "dir.open".
[[nodiscard]] FileDescriptor openDirectory(const QByteArray &prefix, const QByteArray &hostPath);
// Fail point "dir.stat".
[[nodiscard]] bool identify(int directory, Identity &out);
// The path the kernel gives for a descriptor (/proc/self/fd), for messages and for QFileSystemWatcher.
[[nodiscard]] QByteArray pathOf(int fd);
// Every name in the directory but "." and "..", unsorted. Fail point "dir.list".
[[nodiscard]] bool listDirectory(int directory, QList<QByteArray> &out);
// fsync of the directory. Fail point "dir.sync".
[[nodiscard]] bool syncDirectory(int directory);

// ---- inotify(7) ------------------------------------------------------------------------------------------------

// Fail point "watch.init".
[[nodiscard]] FileDescriptor inotifyInit();
// Watches exactly the inode that `directory` holds, through /proc/self/fd. Returns the watch descriptor or -1.
// Fail point "watch.add".
[[nodiscard]] int inotifyAdd(int inotify, int directory, quint32 mask);
// Fail point "watch.remove".
void inotifyRemove(int inotify, int watch);
// One read(2): bytes, 0 when nothing is queued, -1 with errno. A `drop` rule at "watch.read" swallows what was read.
[[nodiscard]] ssize_t inotifyRead(int inotify, char *buffer, size_t size);
// The two probes; each returns 0 or the errno. Fail points "probe.chmod", "probe.open".
[[nodiscard]] int probeByChmod(int directory);
[[nodiscard]] int probeByOpen(int directory);

// ---- files below a held directory ------------------------------------------------------------------------------

// Opens a name below the directory, no symbolic links followed (openat2 RESOLVE_BENEATH|RESOLVE_NO_SYMLINKS; O_NOFOLLOW
// where openat2 is refused), never blocking on a FIFO. Fail point "file.open".
[[nodiscard]] FileDescriptor openFile(int directory, const QByteArray &name);
// Fail point "file.stat".
[[nodiscard]] bool statFile(int fd, struct stat &out);
// lstat below the directory. Fail point "name.stat".
[[nodiscard]] bool statName(int directory, const QByteArray &name, struct stat &out);
// Reads the whole file from its start, at most `limit` + 1 bytes. Fail point "file.read".
[[nodiscard]] bool readAll(int fd, qsizetype limit, QByteArray &out);
// The target of a symbolic link, empty with errno when there is none. Fail point "link.read".
[[nodiscard]] QByteArray readLink(int directory, const QByteArray &name);

enum class Lease { NobodyWrites, SomebodyWrites, Refused };
// fcntl(2) F_SETLEASE F_RDLCK on a read-only descriptor answers "is it open for writing?"; released at once.
// Fail point "file.lease": EAGAIN means somebody writes, any other errno refused.
[[nodiscard]] Lease askLease(int fd);

// O_CREAT|O_EXCL, read-write. Fail point "temp.create".
[[nodiscard]] FileDescriptor createExclusive(int directory, const QByteArray &name, mode_t mode);
// Fail point "temp.write", once per write(2).
[[nodiscard]] bool writeAll(int fd, const QByteArray &bytes);
// Fail points "temp.chown" and "temp.chmod".
[[nodiscard]] bool setOwner(int fd, uid_t owner, gid_t group);
[[nodiscard]] bool setMode(int fd, mode_t mode);
// Every extended attribute of `from` that may be set, the SELinux label among them, and no other: a default ACL of the
// directory (acl(5)) would let more people in than the original did. Returns the names that were refused. Fail point
// "temp.xattr".
[[nodiscard]] QList<QByteArray> copyAttributes(int from, int to);
// Fail point "temp.sync".
[[nodiscard]] bool syncFile(int fd);
// renameat2(2) RENAME_EXCHANGE. Fail point "rename.exchange".
[[nodiscard]] bool exchangeNames(int directory, const QByteArray &first, const QByteArray &second);
// renameat2(2) RENAME_NOREPLACE. Fail point "rename.noreplace".
[[nodiscard]] bool renameNew(int directory, const QByteArray &from, const QByteArray &to);
// renameat(2), replaces. Fail point "rename.plain".
[[nodiscard]] bool renameOver(int directory, const QByteArray &from, const QByteArray &to);
// linkat(2): a second name for the same file. Fail point "name.link".
[[nodiscard]] bool linkName(int directory, const QByteArray &from, const QByteArray &to);
// Fail point "name.unlink".
[[nodiscard]] bool unlinkName(int directory, const QByteArray &name);

// ---- binaries and kubeconfig -----------------------------------------------------------------------------------

// Opens for reading as open(2) does, symbolic links followed, never blocking on a FIFO: for files of our own container,
// whose mounts are made of links. Fail point "kube.open".
[[nodiscard]] FileDescriptor openFollowing(int directory, const QByteArray &path);
// pread(2): bytes, 0 at the end, -1 with errno. Fail point "bin.read".
[[nodiscard]] ssize_t readAt(int fd, char *buffer, size_t size, off_t offset);
// True when the file carries capabilities(7). Fail point "bin.xattr".
[[nodiscard]] bool hasFileCapabilities(int fd);

} // namespace firstwatch::sys
