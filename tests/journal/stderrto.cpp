// SPDX-License-Identifier: Apache-2.0
#include "stderrto.h"

#include <QFile>
#include <QTemporaryDir>

#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace firstwatch::test {
namespace {

// { the end the test reads, the end that becomes standard error }
void makeEnds(StderrTo::What what, int (&ends)[2])
{
    int result = -1;
    if (what == StderrTo::What::Pipe)
        result = ::pipe2(ends, O_CLOEXEC);
    if (what == StderrTo::What::Socket)
        result = ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends);
    if (what == StderrTo::What::Terminal)
        result = ::openpty(&ends[0], &ends[1], nullptr, nullptr, nullptr);
    if (what == StderrTo::What::Fifo) {
        const QTemporaryDir directory;
        const QByteArray path = QFile::encodeName(directory.filePath(QStringLiteral("fifo")));
        result = ::mkfifo(path.constData(), 0600);
        ends[0] = ::open(path.constData(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
        ends[1] = ::open(path.constData(), O_WRONLY | O_CLOEXEC);
    }
    if (result != 0 || ends[0] < 0 || ends[1] < 0)
        qFatal("standard error cannot be replaced");
}

} // namespace

StderrTo::StderrTo(What what)
    : m_saved(::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3))
    , m_handler(qInstallMessageHandler(nullptr))
{
    int ends[2] = { -1, -1 };
    makeEnds(what, ends);
    m_reader = sys::FileDescriptor(ends[0]);
    ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
    ::dup2(ends[1], STDERR_FILENO);
    ::close(ends[1]);
}

StderrTo::~StderrTo()
{
    ::dup2(m_saved.get(), STDERR_FILENO);
    qInstallMessageHandler(m_handler);
}

void StderrTo::fill() const
{
    const int flags = ::fcntl(STDERR_FILENO, F_GETFL);
    ::fcntl(STDERR_FILENO, F_SETFL, flags | O_NONBLOCK);
    const QByteArray chunk(4096, '.');
    // A terminal makes room again a moment later, until its reader's side is full too.
    pollfd room{ STDERR_FILENO, POLLOUT, 0 };
    do {
        while (::write(STDERR_FILENO, chunk.constData(), size_t(chunk.size())) > 0) { }
        while (::write(STDERR_FILENO, ".", 1) > 0) { }
    } while (::poll(&room, 1, 50) == 1);
    ::fcntl(STDERR_FILENO, F_SETFL, flags);
}

QByteArray StderrTo::readAll() const
{
    QByteArray text;
    char chunk[64 * 1024];
    // A terminal hands on what was written a moment later.
    pollfd ready{ m_reader.get(), POLLIN, 0 };
    while (::poll(&ready, 1, 50) == 1) {
        const ssize_t size = ::read(m_reader.get(), chunk, sizeof chunk);
        if (size <= 0)
            break;
        text.append(chunk, qsizetype(size));
    }
    return text;
}

QByteArrayList StderrTo::lines() const
{
    QByteArrayList lines = readAll().replace("\r\n", "\n").split('\n');
    if (lines.last().isEmpty())
        lines.removeLast();
    return lines;
}

} // namespace firstwatch::test
