// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "service/binaries.h"

#include "netdir.h"
#include "sys/syscalls.h"

#include <algorithm>
#include <sys/mount.h>
#include <sys/stat.h>

namespace firstwatch::test {

using service::Binaries;

inline struct stat statOf(const QByteArray &path)
{
    struct stat info { };
    if (::lstat(path.constData(), &info) != 0)
        info = {};
    return info;
}

// A container with binaries, and a node.
struct Node {
    NetDir source;
    NetDir host; // the node's root
    Binaries binaries{ source.path(), host.path(), "/opt/bin" };
    Node()
    {
        ::mkdir(host.path("opt").constData(), 0755);
        ::mkdir(host.path("opt/bin").constData(), 0755);
    }
    [[nodiscard]] QByteArray target(const QByteArray &name) const { return host.path("opt/bin/" + name); }
    [[nodiscard]] QByteArray read(const QByteArray &name) const { return host.read("opt/bin/" + name); }
    [[nodiscard]] QList<QByteArray> names() const
    {
        const sys::FileDescriptor directory = sys::openDirectory(host.path(), "/opt/bin");
        QList<QByteArray> all;
        if (!sys::listDirectory(directory.get(), all))
            qFatal("cannot list");
        std::sort(all.begin(), all.end());
        return all;
    }
    void put(const QByteArray &name, const QByteArray &text, mode_t mode = 0755) const
    {
        source.writeByRename(name, text);
        ::chmod(source.path(name).constData(), mode);
    }
    Binaries::Result installOne()
    {
        const QList<Binaries::Result> results = binaries.install();
        return results.size() == 1 ? results.first() : Binaries::Result{};
    }
};

inline bool isInstalled(const Node &node, const QByteArray &name, const QByteArray &text)
{
    const struct stat info = statOf(node.target(name));
    return node.read(name) == text && S_ISREG(info.st_mode) && (info.st_mode & 07777) == 0755 && info.st_uid == 0
        && info.st_gid == 0;
}

inline QList<int> codes(const QList<Binaries::Result> &results)
{
    QList<int> all;
    for (const Finding &finding : Binaries::findings(results))
        all.append(finding.code);
    return all;
}

// A mount of its own for this test, read-only, undone with the object.
class ReadOnlyMount {
public:
    explicit ReadOnlyMount(const QByteArray &path)
        : m_path(path)
    {
        m_done = ::mount(path.constData(), path.constData(), nullptr, MS_BIND, nullptr) == 0
            && ::mount(nullptr, path.constData(), nullptr, MS_BIND | MS_REMOUNT | MS_RDONLY, nullptr) == 0;
    }
    ReadOnlyMount(const ReadOnlyMount &) = delete;
    ReadOnlyMount &operator=(const ReadOnlyMount &) = delete;
    ~ReadOnlyMount() { ::umount2(m_path.constData(), MNT_DETACH); }
    [[nodiscard]] bool isThere() const { return m_done; }

private:
    QByteArray m_path;
    bool m_done = false;
};

} // namespace firstwatch::test
