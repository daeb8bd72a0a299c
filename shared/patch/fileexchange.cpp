// SPDX-License-Identifier: Apache-2.0
#include "patch/fileexchange.h"

#include "patch/temporaryname.h"
#include "sys/clock.h"

#include <algorithm>
#include <cerrno>

namespace firstwatch::patch {
namespace {

bool failAt(const char *step, Written &written)
{
    written.outcome = Outcome::Failed;
    written.step = step;
    written.error = errno;
    return false;
}

// Owner, mode and attributes of the original. Without CAP_CHOWN a foreign owner cannot be kept; the patch matters more,
// and the mode is never wider than it was for the owner it has now.
void copyMetadata(int fd, const ConfigFile &like, Written &written)
{
    const bool owned = sys::setOwner(fd, like.info.st_uid, like.info.st_gid);
    if (!owned)
        written.notKept.append("owner");
    // Before the mode: an ACL among them has permission bits of its own, which the mode then limits (acl(5)).
    written.notKept.append(sys::copyAttributes(like.fd.get(), fd));
    const mode_t mode = like.info.st_mode & 07777;
    if (!sys::setMode(fd, owned ? mode : mode & 0700))
        written.notKept.append("mode");
}

bool fillTemporary(int fd, const QByteArray &text, const ConfigFile &like, Written &written)
{
    if (!sys::writeAll(fd, text))
        return failAt("temp.write", written);
    copyMetadata(fd, like, written);
    return sys::syncFile(fd) || failAt("temp.sync", written);
}

// Reads again after the question: what is read while somebody writes is no version of the file.
bool isBeingWritten(const ConfigFile &read)
{
    QByteArray again;
    return sys::askLease(read.fd.get()) == sys::Lease::SomebodyWrites
        || !sys::readAll(read.fd.get(), largestConfig, again) || again != read.text;
}

bool exchangeRefused()
{
    return errno == EINVAL || errno == ENOSYS || errno == ENOTSUP || errno == EPERM;
}

// Where the file system cannot exchange: the old file gets the second name first, then is renamed over. A file renamed
// there between the two calls is the one case that this cannot see.
bool exchangeByLink(int directory, const QByteArray &temporary, const QByteArray &name)
{
    const QByteArray aside = temporaryName(name, *temporaryHash(temporary));
    if (!sys::linkName(directory, name, aside))
        return false;
    if (!sys::renameOver(directory, temporary, name)) {
        const int error = errno;
        (void)sys::unlinkName(directory, aside);
        errno = error;
        return false;
    }
    return sys::renameNew(directory, aside, temporary) || sys::renameOver(directory, aside, temporary);
}

bool exchange(int directory, const QByteArray &temporary, const QByteArray &name)
{
    if (sys::exchangeNames(directory, temporary, name))
        return true;
    return exchangeRefused() && exchangeByLink(directory, temporary, name);
}

// Of a regular file its content; of anything else, which only its owner can have put there, which one it is.
QByteArray versionOf(int directory, const QByteArray &entry, const ConfigFile &file)
{
    struct stat info { };
    if (file.status == ReadStatus::Ok && file.name == entry)
        return file.hash;
    if (!sys::statName(directory, entry, info))
        return {};
    return QByteArray::number(qulonglong(info.st_ino)) + ' ' + QByteArray::number(qlonglong(info.st_mtim.tv_sec)) + '.'
        + QByteArray::number(qlonglong(info.st_mtim.tv_nsec));
}

// False while a writer may be half-way. A writer that keeps the file open for ever is not waited for; and where leases
// are refused, nobody says when it is done.
bool isWhole(const ConfigFile &newer, sys::Lease lease, const Transform &transform)
{
    switch (lease) {
    case sys::Lease::NobodyWrites:
        return true;
    case sys::Lease::SomebodyWrites:
        return isQuiet(newer) && transform(newer.text);
    case sys::Lease::Refused:
        break;
    }
    return isQuiet(newer) || transform(newer.text);
}

} // namespace

QByteArray makeTemporary(
    int directory, const QByteArray &name, const QByteArray &text, const ConfigFile &like, Written &written)
{
    written.after = contentHash(text);
    const QByteArray temporary = temporaryName(name, written.after);
    const sys::FileDescriptor fd = sys::createExclusive(directory, temporary, 0600);
    if (!fd.isValid()) {
        failAt("temp.create", written);
        return {};
    }
    if (fillTemporary(fd.get(), text, like, written))
        return temporary;
    (void)sys::unlinkName(directory, temporary);
    return {};
}

Written FileExchange::replace(
    int directory, const ConfigFile &read, const QByteArray &text, const Transform &transform, bool force)
{
    Written written;
    if (!force && isBeingWritten(read)) {
        written.outcome = Outcome::Busy;
        return written;
    }
    const QByteArray temporary = makeTemporary(directory, read.name, text, read, written);
    if (temporary.isEmpty())
        return written;
    written.before = read.hash;
    written.textBefore = read.text;
    written.textAfter = text;
    if (!swapIn(directory, temporary, read.name, { read.text, read.hash }, written)) {
        (void)sys::unlinkName(directory, temporary);
        return written;
    }
    m_standing = { text, written.after };
    m_ownStands = true;
    if (const std::optional<Written> later = settle(directory, read.name, transform)) {
        const QList<QByteArray> notKept = written.notKept;
        written = *later;
        written.notKept += notKept;
    }
    return written;
}

// Exchanges, and remembers what came out as displaced: taken into account already if it is what was expected.
bool FileExchange::swapIn(
    int directory, const QByteArray &temporary, const QByteArray &name, const Known &expectedOut, Written &written)
{
    if (!exchange(directory, temporary, name)) {
        failAt("rename.exchange", written);
        if (written.error == ENOENT)
            written.outcome = Outcome::Withdrawn;
        return false;
    }
    m_displaced.append({ temporary, expectedOut, sys::bootTimeNs() });
    return true;
}

std::optional<Written> FileExchange::settle(int directory, const QByteArray &name, const Transform &transform)
{
    std::optional<Written> last;
    for (int round = 0; round < mostRounds; ++round) {
        ConfigFile newer;
        qsizetype found = -1;
        for (qsizetype i = 0; i < m_displaced.size() && found < 0;) {
            const Look look = lookAt(directory, m_displaced[i], transform, newer);
            if (look == Look::Gone)
                m_displaced.removeAt(i);
            else if (look == Look::Newer)
                found = i;
            else
                ++i;
        }
        if (found < 0) {
            if (m_displaced.isEmpty())
                m_standing.text.clear();
            return last;
        }
        last = supersede(directory, name, found, newer, transform);
        if (last->outcome != Outcome::Done)
            return last;
    }
    return last;
}

FileExchange::Look FileExchange::lookAt(
    int directory, Displaced &displaced, const Transform &transform, ConfigFile &newer)
{
    const qint64 age = sys::bootTimeNs() - displaced.sinceNs;
    if (displaced.atRest && age < graceNs) // only an open(2) under way can change that: one look, when it has ended
        return Look::Waiting;
    newer = openConfig(directory, displaced.temporary, {});
    if (newer.status == ReadStatus::Missing)
        return Look::Gone;
    if (newer.status == ReadStatus::Failed)
        return Look::Waiting;
    if (newer.status != ReadStatus::Ok || newer.name != displaced.temporary) {
        newer.text.clear(); // a link, a directory: its owner put it there, and gets it back once
        const bool known = displaced.keep || versionOf(directory, displaced.temporary, newer) == displaced.known.hash;
        return known ? remove(directory, displaced) : Look::Newer;
    }
    const sys::Lease lease = sys::askLease(newer.fd.get());
    // Read after the question: what is read while somebody writes is no version of the file.
    if (!readText(newer, displaced.known))
        return Look::Waiting;
    if (newer.hash != displaced.known.hash)
        return isWhole(newer, lease, transform) ? Look::Newer : Look::Waiting;
    displaced.atRest = lease == sys::Lease::NobodyWrites;
    if (lease == sys::Lease::SomebodyWrites || age < (lease == sys::Lease::Refused ? noLeaseNs : graceNs))
        return Look::Waiting;
    return remove(directory, displaced);
}

FileExchange::Look FileExchange::remove(int directory, const Displaced &displaced)
{
    const bool gone = displaced.keep || sys::unlinkName(directory, displaced.temporary) || errno == ENOENT;
    return gone ? Look::Gone : Look::Waiting;
}

// The text found in a displaced file is newer than what it was patched from. What the exchange then brings out is our
// own last text; anything else is newer still, and the next round finds it.
Written FileExchange::supersede(
    int directory, const QByteArray &name, qsizetype index, const ConfigFile &newer, const Transform &transform)
{
    const std::optional<QByteArray> text = transform(newer.text);
    const QByteArray version = versionOf(directory, m_displaced[index].temporary, newer);
    if (!text && m_displaced[index].keep) { // an original that can no longer be converted stays aside
        m_displaced[index].known = { newer.text, version };
        return {};
    }
    Written written;
    written.recovered = true;
    written.before = version;
    written.after = version; // without a text of ours the owner's own file goes back
    written.textBefore = newer.text;
    written.textAfter = text.value_or(newer.text);
    const QByteArray temporary =
        text ? makeTemporary(directory, name, *text, newer, written) : m_displaced[index].temporary;
    if (temporary.isEmpty())
        return written;
    if (!swapIn(directory, temporary, name, m_standing, written)) {
        if (written.outcome == Outcome::Withdrawn)
            dropAll(directory);
        if (text)
            (void)sys::unlinkName(directory, temporary);
        return written;
    }
    m_standing = { text ? *text : newer.text, written.after };
    m_ownStands = text.has_value();
    if (text)
        m_displaced[index].known = { newer.text, version };
    else
        m_displaced.removeAt(index);
    return written;
}

qint64 FileExchange::restNs(qint64 nowNs) const
{
    const auto youngest = std::max_element(m_displaced.begin(), m_displaced.end(),
        [](const Displaced &a, const Displaced &b) { return a.sinceNs < b.sinceNs; });
    return youngest == m_displaced.end() ? 0 : std::clamp(nowNs - youngest->sinceNs, graceNs, noLeaseNs);
}

bool FileExchange::isDisplaced(const QByteArray &fileName) const
{
    return std::any_of(
        m_displaced.begin(), m_displaced.end(), [&](const Displaced &d) { return d.temporary == fileName; });
}

void FileExchange::adopt(const QByteArray &fileName, const QByteArray &ownHash, const QByteArray &knownHash, bool keep)
{
    m_standing = { {}, ownHash };
    m_ownStands = true;
    m_displaced.removeIf([&](const Displaced &d) { return d.temporary == fileName; });
    m_displaced.append({ fileName, { {}, knownHash }, sys::bootTimeNs(), keep });
}

void FileExchange::dropAll(int directory)
{
    for (const Displaced &displaced : std::as_const(m_displaced)) {
        if (!displaced.keep)
            (void)sys::unlinkName(directory, displaced.temporary);
    }
    m_displaced.clear();
}

} // namespace firstwatch::patch
