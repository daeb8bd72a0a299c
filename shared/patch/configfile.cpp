// SPDX-License-Identifier: Apache-2.0
#include "patch/configfile.h"

#include "patch/temporaryname.h"

#include <QString>

#include <cerrno>
#include <ctime>

namespace firstwatch::patch {
namespace {

constexpr int longestLinkChain = 8;

// "x", "./x" and "<hostDir>/x" are entries of the directory; everything else leaves it.
QByteArray entryOf(QByteArray target, const QByteArray &hostDir)
{
    if (!hostDir.isEmpty() && target.startsWith(QByteArray(hostDir + '/')))
        target = target.sliced(hostDir.size() + 1);
    if (target.startsWith("./"))
        target = target.sliced(2);
    return target.contains('/') || target == "." || target == ".." ? QByteArray() : target;
}

ConfigFile failed(ReadStatus status, int error = 0)
{
    ConfigFile file;
    file.status = status;
    file.error = error;
    return file;
}

ConfigFile openRegular(int directory, const QByteArray &name)
{
    ConfigFile file;
    file.name = name;
    file.fd = sys::openFile(directory, name);
    if (!file.fd.isValid() && errno == ENXIO) // open(2): a socket
        return failed(ReadStatus::NotRegular);
    if (!file.fd.isValid())
        return failed(errno == ENOENT ? ReadStatus::Missing : ReadStatus::Failed, errno);
    if (!sys::statFile(file.fd.get(), file.info))
        return failed(ReadStatus::Failed, errno);
    if (!S_ISREG(file.info.st_mode))
        return failed(ReadStatus::NotRegular);
    if (file.info.st_size > largestConfig)
        return failed(ReadStatus::TooLarge);
    file.status = ReadStatus::Ok;
    return file;
}

} // namespace

std::optional<QByteArray> resolveLink(int directory, const QByteArray &name, const QByteArray &hostDir)
{
    QByteArray entry = name;
    for (int hop = 0; hop < longestLinkChain; ++hop) {
        const QByteArray target = sys::readLink(directory, entry);
        if (target.isEmpty()) // readlink(2): EINVAL is no link, ENOENT not there yet
            return errno == EINVAL || errno == ENOENT ? std::optional(entry) : std::nullopt;
        entry = entryOf(target, hostDir);
        if (entry.isEmpty())
            return std::nullopt;
    }
    return std::nullopt;
}

bool isQuiet(const ConfigFile &file)
{
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    const double age =
        double(now.tv_sec - file.info.st_mtim.tv_sec) + double(now.tv_nsec - file.info.st_mtim.tv_nsec) / 1e9;
    return age >= 1.0 || age < -1.0; // a clock that was set back must not make us wait for ever
}

ConfigFile openConfig(int directory, const QByteArray &name, const QByteArray &hostDir)
{
    struct stat info { };
    if (!sys::statName(directory, name, info))
        return failed(errno == ENOENT ? ReadStatus::Missing : ReadStatus::Failed, errno);
    if (!S_ISLNK(info.st_mode))
        return S_ISREG(info.st_mode) ? openRegular(directory, name) : failed(ReadStatus::NotRegular);
    const std::optional<QByteArray> target = resolveLink(directory, name, hostDir);
    if (!target)
        return failed(ReadStatus::LinkOutside);
    ConfigFile file = openRegular(directory, *target);
    if (file.status == ReadStatus::Missing) {
        file = failed(ReadStatus::LinkOutside);
        file.name = *target; // may appear yet
    }
    return file;
}

bool readText(ConfigFile &file, const Known &known)
{
    if (!sys::readAll(file.fd.get(), largestConfig, file.text))
        return false;
    file.status = file.text.size() > largestConfig ? ReadStatus::TooLarge : ReadStatus::Ok;
    const bool isKnown = !known.text.isEmpty() && file.text == known.text;
    file.hash = isKnown ? known.hash : contentHash(file.text);
    return true;
}

ConfigFile readConfig(int directory, const QByteArray &name, const QByteArray &hostDir, const Known &known)
{
    ConfigFile file = openConfig(directory, name, hostDir);
    if (file.status == ReadStatus::Ok && !readText(file, known))
        return failed(ReadStatus::Failed, errno);
    return file;
}

} // namespace firstwatch::patch
