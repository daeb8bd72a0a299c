// SPDX-License-Identifier: Apache-2.0
#include "service/readiness.h"

#include "service/tempfile.h"

#include "sys/syscalls.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>

namespace firstwatch::service {
namespace {

// One datagram, never waiting: a full queue is tried again with the next word. The protocol is that of sd_notify(3).
bool sendDatagram(const QByteArray &socketName, const QByteArray &state)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (socketName.size() >= qsizetype(sizeof address.sun_path))
        return false;
    std::copy(socketName.begin(), socketName.end(), address.sun_path);
    if (socketName.startsWith('@'))
        address.sun_path[0] = '\0';
    const auto length = socklen_t(offsetof(sockaddr_un, sun_path) + size_t(socketName.size()));
    const sys::FileDescriptor socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    sockaddr generic{};
    static_assert(sizeof generic <= sizeof address);
    const void *const raw = &address;
    return socket.isValid()
        && ::sendto(socket.get(), state.constData(), size_t(state.size()), MSG_NOSIGNAL | MSG_DONTWAIT,
               static_cast<const sockaddr *>(raw), length)
        == state.size();
}

// A status is one line of the protocol.
QByteArray statusLine(const QString &status)
{
    QByteArray line = status.toUtf8();
    std::replace(line.begin(), line.end(), '\n', ' ');
    return "STATUS=" + line;
}

} // namespace

Readiness::Readiness(QByteArray readyFile, QByteArray notifySocket)
    : m_file(std::move(readyFile))
    , m_socket(std::move(notifySocket))
{
}

void Readiness::takeOverFile()
{
    m_fileIsOurs = true;
    updateFile();
}

void Readiness::set(bool ready, const QString &status)
{
    m_ready = ready;
    updateFile();
    notify((ready ? "READY=1\n" : "") + statusLine(status));
}

void Readiness::stopping(const QString &status)
{
    m_ready = false;
    updateFile();
    notify("STOPPING=1\n" + statusLine(status));
}

void Readiness::updateFile()
{
    if (!m_fileIsOurs || m_ready == m_fileIsThere)
        return;
    const qsizetype slash = m_file.lastIndexOf('/');
    const QByteArray name = m_file.sliced(slash + 1);
    const sys::FileDescriptor directory = sys::openDirectory({}, m_file.first(std::max<qsizetype>(slash, 1)));
    bool done = false;
    if (m_ready) {
        TempFile temporary(directory.get(), name, 0644);
        done = temporary.isValid() && sys::writeAll(temporary.fd(), "ready\n") && temporary.putInPlace();
    } else {
        done = sys::unlinkName(directory.get(), name) || errno == ENOENT || errno == EBADF;
    }
    m_error = done ? QString() : qt_error_string(errno);
    if (!m_ready)
        removeLeftovers(directory.get(), name); // after the file itself: "not ready" is not to wait for a sweep
    if (done)
        m_fileIsThere = m_ready;
}

void Readiness::notify(const QByteArray &state)
{
    if (m_socket.isEmpty() || state == m_told)
        return;
    m_told = sendDatagram(m_socket, state) ? state : QByteArray();
}

} // namespace firstwatch::service
