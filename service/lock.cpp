// SPDX-License-Identifier: Apache-2.0
#include "service/lock.h"

#include "journal/event.h"
#include "journal/findingcodes.h"
#include "sys/syscalls.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSysInfo>

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace firstwatch::service {
namespace {

constexpr qsizetype keyCharacters = 16;
constexpr qsizetype longestHolder = 4096;

QByteArray keyOf(const QByteArray &path)
{
    return QCryptographicHash::hash(path, QCryptographicHash::Sha256).toHex().first(keyCharacters);
}

sys::FileDescriptor openLockFile(const QByteArray &path)
{
    return sys::FileDescriptor(::open(path.constData(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
}

bool lockNow(const sys::FileDescriptor &file, int kind)
{
    return ::flock(file.get(), kind | LOCK_NB) == 0;
}

QByteArray ourLine()
{
    const QJsonObject holder{ { QStringLiteral("pid"), qint64(::getpid()) },
        { QStringLiteral("host"), QSysInfo::machineHostName() },
        { QStringLiteral("since"), QDateTime::currentDateTimeUtc().toString(Qt::ISODateWithMs) } };
    return QJsonDocument(holder).toJson(QJsonDocument::Compact) + '\n';
}

} // namespace

InstanceLock::InstanceLock(const QByteArrayList &directories, const QByteArray &mountPrefix, const QByteArray &netDir)
{
    const QByteArray key = keyOf(mountPrefix + netDir);
    QStringList refusals;
    for (const QByteArray &directory : directories) {
        (void)::mkdir(directory.constData(), 0700);
        m_lock = openLockFile(directory + '/' + key + ".lock");
        m_next = openLockFile(directory + '/' + key + ".next");
        if (m_lock.isValid() && m_next.isValid())
            return;
        refusals.append(journal::shownName(directory) + QStringLiteral(": ") + qt_error_string(errno));
    }
    m_lock.reset();
    m_next.reset();
    m_findings.append({ journal::code::runtimeDirectory,
        QStringLiteral("there is no place for a lock, so a second service would not be noticed (%1)")
            .arg(refusals.join(QStringLiteral("; "))) });
}

bool InstanceLock::tryTake()
{
    if (m_taken || !m_lock.isValid()) {
        m_taken = true;
        return true;
    }
    if (!lockNow(m_lock, LOCK_EX))
        return false;
    m_taken = true;
    ::flock(m_next.get(), LOCK_UN);
    // The line is for people: a disk too full to take it takes nothing from the lock.
    const QByteArray line = ourLine();
    if (::ftruncate(m_lock.get(), 0) == 0)
        (void)!::pwrite(m_lock.get(), line.constData(), size_t(line.size()), 0);
    return true;
}

QByteArray InstanceLock::holder() const
{
    QByteArray line;
    if (!m_lock.isValid() || !sys::readAll(m_lock.get(), longestHolder, line))
        return {};
    return line.trimmed();
}

bool InstanceLock::waitAsNext()
{
    return m_next.isValid() && lockNow(m_next, LOCK_EX);
}

bool InstanceLock::successorWaiting() const
{
    if (!m_next.isValid())
        return false;
    if (!lockNow(m_next, LOCK_SH))
        return errno == EWOULDBLOCK;
    ::flock(m_next.get(), LOCK_UN);
    return false;
}

} // namespace firstwatch::service
