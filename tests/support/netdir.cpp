// SPDX-License-Identifier: Apache-2.0
#include "netdir.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

namespace firstwatch::test {
namespace {

void check(bool good, const char *what, const QByteArray &path)
{
    if (!good)
        qFatal("%s %s: errno %d", what, path.constData(), errno);
}

void writeFile(const QByteArray &path, int flags, std::initializer_list<QByteArray> parts, int pauseUs = 0)
{
    const int fd = ::open(path.constData(), O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0600);
    check(fd >= 0, "open", path);
    for (const QByteArray &part : parts) {
        check(::write(fd, part.constData(), size_t(part.size())) == part.size(), "write", path);
        if (pauseUs > 0)
            ::usleep(useconds_t(pauseUs));
    }
    ::close(fd);
}

} // namespace

NetDir::NetDir()
    : m_temporary(std::in_place)
    , m_path(m_temporary->path().toUtf8())
{
}

NetDir::NetDir(const QByteArray &existing)
    : m_path(existing)
{
}

void NetDir::writeInPlace(const QByteArray &name, const QByteArray &text) const
{
    writeFile(path(name), O_TRUNC, { text });
}

void NetDir::writeInTwo(const QByteArray &name, const QByteArray &text, int pauseUs) const
{
    writeFile(path(name), O_TRUNC, { text.first(text.size() / 2), text.sliced(text.size() / 2) }, pauseUs);
}

void NetDir::writeByRename(const QByteArray &name, const QByteArray &text) const
{
    const QByteArray temporary = path('.' + name.first(std::min<qsizetype>(name.size(), 200)) + ".owner");
    writeFile(temporary, O_TRUNC, { text });
    check(::rename(temporary.constData(), path(name).constData()) == 0, "rename", temporary);
}

void NetDir::writeNew(const QByteArray &name, const QByteArray &text) const
{
    ::unlink(path(name).constData());
    writeFile(path(name), O_EXCL, { text });
}

QByteArray NetDir::read(const QByteArray &name) const
{
    const int fd = ::open(path(name).constData(), O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return {};
    QByteArray text;
    char chunk[8192];
    ssize_t n = 0;
    while ((n = ::read(fd, chunk, sizeof chunk)) > 0)
        text.append(chunk, qsizetype(n));
    ::close(fd);
    return text;
}

bool NetDir::exists(const QByteArray &name) const
{
    return ::faccessat(AT_FDCWD, path(name).constData(), F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

void NetDir::remove(const QByteArray &name) const
{
    check(::unlink(path(name).constData()) == 0, "unlink", path(name));
}

QList<QByteArray> NetDir::names() const
{
    QList<QByteArray> all;
    DIR *stream = ::opendir(m_path.constData());
    check(stream != nullptr, "opendir", m_path);
    while (const dirent *entry = ::readdir(stream)) {
        const QByteArray name(entry->d_name);
        if (name != "." && name != "..")
            all.append(name);
    }
    ::closedir(stream);
    std::sort(all.begin(), all.end());
    return all;
}

QByteArray smallConflist(const QByteArray &network, const QByteArray &type)
{
    return R"({"cniVersion":"0.4.0","name":")" + network + R"(","plugins":[{"type":")" + type + "\"}]}\n";
}

} // namespace firstwatch::test
