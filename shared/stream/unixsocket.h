// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sys/filedescriptor.h"

#include <QByteArray>
#include <QString>

#include <optional>
#include <sys/stat.h>

namespace firstwatch::stream {

// A listening UNIX socket at a path, for its owner only: mode 0600 from its first moment, in a directory that others
// cannot write to (0700 when it is made here). For a group as well when one is named: 0660, and the directory 0750. One
// that a killed server left is replaced; one that somebody answers on is never taken over (Qt's removeServer() does),
// and what is no socket is never removed (it does that, too). Removed with the object, when it is still the same.
class UnixSocket final {
public:
    // Listens at once, or says why not.
    UnixSocket(QByteArray path, int backlog, std::optional<gid_t> group = {});
    ~UnixSocket();
    UnixSocket(const UnixSocket &) = delete;
    UnixSocket &operator=(const UnixSocket &) = delete;

    [[nodiscard]] int fd() const { return m_socket.get(); } // -1 when it does not listen
    // In words, empty when all is well. It may listen all the same: then it is not open to the group.
    [[nodiscard]] const QString &problem() const { return m_problem; }

private:
    [[nodiscard]] QString open(int backlog);
    [[nodiscard]] QString takeLock();
    [[nodiscard]] QString clearPlace() const;
    [[nodiscard]] QString openTo(gid_t group) const;

    QByteArray m_path;
    sys::FileDescriptor
        m_lock; // flock(2) on "<path>.lock": of two servers that start at once, one finds the stale socket
    sys::FileDescriptor m_socket;
    struct stat m_made { };
    QString m_problem;
};

} // namespace firstwatch::stream
