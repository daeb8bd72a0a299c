// SPDX-License-Identifier: Apache-2.0
#include "service/binaries.h"

#include "service/tempfile.h"

#include "journal/event.h"
#include "journal/findingcodes.h"
#include "sys/syscalls.h"

#include <QCryptographicHash>

#include <algorithm>
#include <cerrno>

namespace firstwatch::service {
namespace {

namespace code = journal::code;
using Result = Binaries::Result;
using Outcome = Binaries::Outcome;

constexpr mode_t binaryMode = 0755;
constexpr size_t chunkSize = size_t(64) * 1024; // binaries have tens of MiB: never one whole in memory

struct RegularFile {
    sys::FileDescriptor file;
    struct stat info { };
    [[nodiscard]] bool isThere() const { return file.isValid(); }
};

RegularFile openRegular(int directory, const QByteArray &name)
{
    RegularFile opened{ sys::openFile(directory, name), {} };
    const bool regular =
        opened.isThere() && sys::statFile(opened.file.get(), opened.info) && S_ISREG(opened.info.st_mode);
    return regular ? std::move(opened) : RegularFile{};
}

// Hands on the file chunk by chunk; false with errno when it cannot be read to its end, or when `take` says so.
template <typename Take> bool readChunks(const RegularFile &from, Take take)
{
    QByteArray chunk(qsizetype(chunkSize), Qt::Uninitialized);
    off_t offset = 0;
    while (offset < from.info.st_size) {
        const ssize_t bytes = sys::readAt(from.file.get(), chunk.data(), chunkSize, offset);
        if (bytes == 0)
            errno = EIO; // it became shorter
        if (bytes <= 0 || !take(QByteArrayView(chunk).first(bytes), offset))
            return false;
        offset += bytes;
    }
    return true;
}

// Comparing is an order of magnitude faster than hashing both, and start-up waits for it.
bool sameContent(const RegularFile &first, const RegularFile &second)
{
    if (!second.isThere() || first.info.st_size != second.info.st_size)
        return false;
    QByteArray other(qsizetype(chunkSize), Qt::Uninitialized);
    return readChunks(first, [&](QByteArrayView chunk, off_t offset) {
        const ssize_t bytes = sys::readAt(second.file.get(), other.data(), size_t(chunk.size()), offset);
        return bytes == chunk.size() && QByteArrayView(other).first(bytes) == chunk;
    });
}

bool isUntouched(const struct stat &before, const struct stat &now)
{
    const auto same = [](const timespec &a, const timespec &b) {
        return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
    };
    return before.st_dev == now.st_dev && before.st_ino == now.st_ino && before.st_size == now.st_size
        && same(before.st_mtim, now.st_mtim) && same(before.st_ctim, now.st_ctim);
}

bool hasRightModeAndOwner(const RegularFile &target)
{
    return (target.info.st_mode & 07777) == binaryMode && target.info.st_uid == 0 && target.info.st_gid == 0
        && !sys::hasFileCapabilities(target.file.get());
}

// Good enough to stay where it cannot be replaced, as on a read-only file system.
bool isUsable(const RegularFile &target)
{
    return (target.info.st_mode & S_IXUSR) != 0 && (target.info.st_mode & (S_ISUID | S_ISGID)) == 0
        && !sys::hasFileCapabilities(target.file.get());
}

// Neither SUID bits nor extended attributes of the source come along: only its bytes do. Returns the SHA-256, empty
// with errno when the old file, if there was one, is still in place.
QByteArray copyInto(int directory, const QByteArray &name, const RegularFile &source)
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    TempFile temporary(directory, name, 0600);
    const bool copied = temporary.isValid() && readChunks(source, [&](QByteArrayView chunk, off_t) {
        hash.addData(chunk);
        return sys::writeAll(temporary.fd(), QByteArray::fromRawData(chunk.data(), chunk.size()));
    });
    const bool inPlace = copied && sys::setOwner(temporary.fd(), 0, 0) && sys::setMode(temporary.fd(), binaryMode)
        && temporary.putInPlace();
    return inPlace ? hash.result().toHex() : QByteArray();
}

bool isForUs(int directory, const QByteArray &name)
{
    struct stat info { };
    return !name.startsWith('.') && !name.startsWith("firstwatch") && sys::statName(directory, name, info)
        && S_ISREG(info.st_mode);
}

// Both directories, and the names of what is to be installed.
struct Opened {
    sys::FileDescriptor source;
    sys::FileDescriptor target;
    QList<QByteArray> names; // sorted; empty when both are one directory, as on a host that is its own source
    Result problem; // code 0: none
    bool targetIsMissing = false;
};

Result problem(int findingCode, const QByteArray &name, const QString &error)
{
    return { name, Outcome::Failed, {}, error, findingCode };
}

Result cannotOpen(int findingCode, const QByteArray &path)
{
    const QString reason = qt_error_string(errno);
    return problem(findingCode, {}, journal::shownName(path) + QStringLiteral(" cannot be opened: ") + reason);
}

bool isOneDirectory(const sys::FileDescriptor &first, const sys::FileDescriptor &second)
{
    sys::Identity a;
    sys::Identity b;
    return sys::identify(first.get(), a) && sys::identify(second.get(), b) && a.device == b.device
        && a.inode == b.inode;
}

Opened openBoth(const QByteArray &source, const QByteArray &prefix, const QByteArray &hostPath)
{
    Opened opened;
    opened.source = sys::openDirectory({}, source);
    QList<QByteArray> names;
    if (!opened.source.isValid() || !sys::listDirectory(opened.source.get(), names)) {
        opened.problem = cannotOpen(code::noBinaries, source);
        return opened;
    }
    opened.target = sys::openDirectory(prefix, hostPath);
    if (!opened.target.isValid()) {
        opened.targetIsMissing = errno == ENOENT;
        opened.problem = cannotOpen(code::binaryNotInstalled, prefix + hostPath);
        return opened;
    }
    if (isOneDirectory(opened.source, opened.target))
        return opened;
    for (const QByteArray &name : names) {
        if (isForUs(opened.source.get(), name))
            opened.names.append(name);
    }
    std::sort(opened.names.begin(), opened.names.end());
    if (opened.names.isEmpty())
        opened.problem = problem(code::noBinaries, {}, journal::shownName(source) + QStringLiteral(" holds none"));
    return opened;
}

Result notInstalled(const QByteArray &name, bool anotherIsThere, int error)
{
    const bool readOnly = error == EROFS && anotherIsThere;
    const QString text = qt_error_string(error);
    return problem(readOnly ? code::binaryReadOnly : code::binaryNotInstalled, name,
        anotherIsThere ? text + QStringLiteral(", and another file is there") : text);
}

Result removeOne(const Opened &opened, const QByteArray &name)
{
    const RegularFile source = openRegular(opened.source.get(), name);
    struct stat info { };
    if (!sys::statName(opened.target.get(), name, info) && errno == ENOENT)
        return { name, Outcome::Removed, {}, {} };
    const RegularFile target = openRegular(opened.target.get(), name);
    if (!source.isThere() || !sameContent(source, target))
        return { name, Outcome::Foreign, {}, {} };
    if (!sys::unlinkName(opened.target.get(), name))
        return problem(code::binaryNotInstalled, name, qt_error_string(errno));
    return { name, Outcome::Removed, {}, {} };
}

} // namespace

Binaries::Binaries(QByteArray source, QByteArray prefix, QByteArray hostPath)
    : m_source(std::move(source))
    , m_prefix(std::move(prefix))
    , m_hostPath(std::move(hostPath))
{
}

Result Binaries::installOne(int sourceDirectory, int targetDirectory, const QByteArray &name)
{
    const RegularFile source = openRegular(sourceDirectory, name);
    if (!source.isThere())
        return problem(code::noBinaries, name, QStringLiteral("the source cannot be read: ") + qt_error_string(errno));
    const RegularFile target = openRegular(targetDirectory, name);
    const bool known = m_seen.contains(name);
    const Seen seen = m_seen.value(name);
    if (target.isThere() && isUntouched(seen.source, source.info) && isUntouched(seen.target, target.info))
        return { name, Outcome::Unchanged, {}, {} };
    const bool same = sameContent(source, target);
    if (same && hasRightModeAndOwner(target)) {
        m_seen.insert(name, { source.info, target.info });
        return { name, Outcome::Unchanged, {}, {} };
    }
    const QByteArray sha = copyInto(targetDirectory, name, source);
    if (sha.isEmpty()) {
        const int error = errno;
        return same && isUsable(target) ? Result{ name, Outcome::Unchanged, {}, {} }
                                        : notInstalled(name, target.isThere(), error);
    }
    m_seen.insert(name, { source.info, {} }); // seen to be right by the next call
    if (known && !target.isThere())
        return { name, Outcome::Installed, sha, QStringLiteral("it had been deleted and is back"),
            code::binaryDeleted };
    return { name, Outcome::Installed, sha, {} };
}

QList<Result> Binaries::install()
{
    const Opened opened = openBoth(m_source, m_prefix, m_hostPath);
    if (opened.problem.code != 0)
        return { opened.problem };
    if (!opened.names.isEmpty())
        removeLeftovers(opened.target.get());
    QList<Result> results;
    for (const QByteArray &name : opened.names)
        results.append(installOne(opened.source.get(), opened.target.get(), name));
    return results;
}

QList<Result> Binaries::remove(const QList<QByteArray> &keep)
{
    m_seen.clear();
    const Opened opened = openBoth(m_source, m_prefix, m_hostPath);
    QList<Result> results;
    if (opened.problem.code == code::binaryNotInstalled && !opened.targetIsMissing)
        return { opened.problem };
    if (opened.names.isEmpty())
        return results; // nothing was ever installed, or the directory is gone with all in it
    for (const QByteArray &name : opened.names)
        results.append(keep.contains(name) ? Result{ name, Outcome::Unchanged, {}, {} } : removeOne(opened, name));
    removeLeftovers(opened.target.get());
    if (!sys::syncDirectory(opened.target.get()))
        results.append(problem(code::binaryNotInstalled, {}, qt_error_string(errno)));
    return results;
}

bool Binaries::holds(const QByteArray &name) const
{
    const sys::FileDescriptor directory = sys::openDirectory(m_prefix, m_hostPath);
    struct stat info { };
    if (!directory.isValid() || !sys::statName(directory.get(), name, info))
        return false;
    // What a link leads to is the host's business, and may not be visible from here.
    return S_ISLNK(info.st_mode) || (S_ISREG(info.st_mode) && (info.st_mode & S_IXUSR) != 0);
}

QList<Finding> Binaries::findings(const QList<Result> &results)
{
    QList<Finding> found;
    for (const Result &result : results) {
        const QString what = result.name.isEmpty()
            ? QStringLiteral("plugin binaries")
            : QStringLiteral("plugin binary %1").arg(journal::shownName(result.name));
        if (result.code != 0)
            found.append({ result.code, what + QStringLiteral(": ") + result.error });
    }
    return found;
}

} // namespace firstwatch::service
