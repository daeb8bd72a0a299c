// SPDX-License-Identifier: Apache-2.0
#include "service/tempfile.h"

#include "sys/syscalls.h"

#include <QList>
#include <QRandomGenerator>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <unistd.h>

namespace firstwatch::service {
namespace {

constexpr QByteArrayView infix = ".firstwatch-";
constexpr int randomCharacters = 6;
constexpr QByteArrayView alphabet = "abcdefghijklmnopqrstuvwxyz0123456789";

// Where leases are refused (NFS, FUSE), a temporary file this old belongs to nobody.
constexpr time_t abandonedAfterS = 3600;

QByteArray newTempName(const QByteArray &name)
{
    QByteArray temporary = '.' + name + infix.toByteArray();
    for (int i = 0; i < randomCharacters; ++i)
        temporary += alphabet[QRandomGenerator::system()->bounded(int(alphabet.size()))];
    return temporary;
}

bool isAbandoned(int directory, const QByteArray &name)
{
    const sys::FileDescriptor file = sys::openFile(directory, name);
    struct stat info { };
    if (!file.isValid() || !sys::statFile(file.get(), info))
        return false;
    if (!S_ISREG(info.st_mode) || info.st_uid != ::geteuid())
        return false;
    const sys::Lease lease = sys::askLease(file.get());
    return lease == sys::Lease::NobodyWrites
        || (lease == sys::Lease::Refused && info.st_mtim.tv_sec < ::time(nullptr) - abandonedAfterS);
}

} // namespace

TempFile::TempFile(int directory, const QByteArray &name, mode_t mode)
    : m_directory(directory)
    , m_name(name)
    , m_temporary(newTempName(name))
    , m_file(sys::createExclusive(directory, m_temporary, mode))
{
    if (!m_file.isValid())
        m_temporary.clear();
}

TempFile::~TempFile()
{
    const int reason = errno;
    m_file.reset();
    if (!m_temporary.isEmpty())
        (void)sys::unlinkName(m_directory, m_temporary); // what stays is swept by removeLeftovers()
    errno = reason; // the caller still says why it failed
}

bool TempFile::putInPlace()
{
    if (!sys::syncFile(m_file.get()))
        return false;
    m_file.reset();
    if (!sys::renameOver(m_directory, m_temporary, m_name))
        return false;
    m_temporary.clear();
    return sys::syncDirectory(m_directory);
}

bool isTempName(const QByteArray &candidate, const QByteArray &name)
{
    const qsizetype at = candidate.size() - randomCharacters - infix.size();
    if (at < 2 || !candidate.startsWith('.') || candidate.sliced(at, infix.size()) != infix)
        return false;
    const auto isRandom = [](char c) { return alphabet.contains(c); };
    return std::all_of(candidate.end() - randomCharacters, candidate.end(), isRandom)
        && (name.isEmpty() || candidate.sliced(1, at - 1) == name);
}

void removeLeftovers(int directory, const QByteArray &name)
{
    QList<QByteArray> names;
    if (!sys::listDirectory(directory, names))
        return;
    for (const QByteArray &candidate : names) {
        if (isTempName(candidate, name) && isAbandoned(directory, candidate))
            (void)sys::unlinkName(directory, candidate);
    }
}

} // namespace firstwatch::service
