// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QFile>
#include <QString>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace firstwatch::test {

inline QByteArray programText(const char *path)
{
    QFile file(QString::fromLatin1(path));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// Runs `path` again and again in a process of its own (a child of ours would hold our descriptors for a moment, which
// is what ETXTBSY is made of) until the end of the object.
class ExecLoop {
public:
    struct Count {
        int good = 0;
        int bad = 0;
        int lastError = 0;
    };
    explicit ExecLoop(const QByteArray &path)
    {
        if (::pipe2(m_stop, O_CLOEXEC | O_NONBLOCK) != 0 || ::pipe2(m_result, O_CLOEXEC) != 0)
            qFatal("pipe2");
        m_child = ::fork();
        if (m_child == 0)
            loop(path);
    }
    Count stop()
    {
        (void)!::write(m_stop[1], "x", 1);
        Count count;
        if (::read(m_result[0], &count, sizeof count) != ssize_t(sizeof count))
            count.bad = -1;
        ::waitpid(m_child, nullptr, 0);
        for (const int fd : { m_stop[0], m_stop[1], m_result[0], m_result[1] })
            ::close(fd);
        return count;
    }

private:
    [[noreturn]] void loop(QByteArray path) const
    {
        Count count;
        char byte = 0;
        while (::read(m_stop[0], &byte, 1) != 1) {
            char *arguments[]{ path.data(), nullptr };
            pid_t pid = -1;
            int status = -1;
            const int error = ::posix_spawn(&pid, path.constData(), nullptr, nullptr, arguments, nullptr);
            if (error == 0 && ::waitpid(pid, &status, 0) == pid && status == 0) {
                ++count.good;
            } else {
                ++count.bad;
                count.lastError = error != 0 ? error : status;
            }
        }
        (void)!::write(m_result[1], &count, sizeof count);
        ::_exit(0);
    }

    int m_stop[2]{};
    int m_result[2]{};
    pid_t m_child = -1;
};

} // namespace firstwatch::test
