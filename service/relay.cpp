// SPDX-License-Identifier: Apache-2.0
#include "service/relay.h"

#include "sys/filedescriptor.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

namespace firstwatch::service {
namespace {

int failed(const char *what)
{
    std::fprintf(stderr, "firstwatchd: %s: %s\n", what, std::strerror(errno));
    return 1;
}

sys::FileDescriptor connectTo(const QByteArray &path)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (size_t(path.size()) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return {};
    }
    std::copy(path.begin(), path.end(), address.sun_path);
    sys::FileDescriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const void *const raw = &address;
    if (::connect(socket.get(), static_cast<const sockaddr *>(raw), sizeof address) != 0)
        return {};
    return socket;
}

// One direction. Reads only when all that was read before has gone on.
struct Flow {
    int from = -1;
    QByteArray bytes;
    bool open = true; // more may come

    [[nodiscard]] bool wantsMore() const { return open && bytes.isEmpty(); }
    // False with errno when it broke off instead of ending.
    bool read()
    {
        char buffer[65536];
        const ssize_t size = ::read(from, buffer, sizeof buffer);
        if (size < 0 && (errno == EINTR || errno == EAGAIN))
            return true;
        open = size > 0;
        if (open)
            bytes.append(buffer, qsizetype(size));
        return size >= 0;
    }
    bool passOn(int to)
    {
        // A pipe that polls as writable takes so much without blocking (pipe(7)); more could wait for a reader that
        // waits for us.
        const ssize_t size = ::write(to, bytes.constData(), std::min(size_t(bytes.size()), size_t(PIPE_BUF)));
        if (size < 0)
            return errno == EINTR || errno == EAGAIN;
        bytes.remove(0, size);
        return true;
    }
};

bool has(const pollfd &found, int events)
{
    return (found.revents & events) != 0;
}

// A descriptor from which nothing is wanted is left out, as poll(2) tells of its end again and again.
pollfd wish(int fd, bool in, bool out)
{
    const int events = (in ? POLLIN : 0) | (out ? POLLOUT : 0);
    return { events == 0 ? -1 : fd, short(events), 0 };
}

class Exchange {
public:
    Exchange(int socket, int in, int out)
        : m_socket(socket)
        , m_out(out)
        , m_up{ in, {} }
        , m_down{ socket, {} }
    {
    }

    int run()
    {
        int code = 0;
        while (code == 0 && (m_down.open || !m_down.bytes.isEmpty()))
            code = step();
        return code;
    }

private:
    int step()
    {
        pollfd found[]{ wish(m_up.from, m_up.wantsMore(), false),
            wish(m_socket, m_down.wantsMore(), !m_up.bytes.isEmpty()),
            { m_out, short(m_down.bytes.isEmpty() ? 0 : POLLOUT), 0 } }; // tells also that its reader is gone
        if (::poll(found, std::size(found), -1) < 0)
            return 0;
        moveUp(found[0], found[1]);
        const bool isUnread = has(found[2], POLLERR | POLLHUP | POLLNVAL);
        if (isUnread)
            errno = EPIPE;
        if (isUnread || (has(found[2], POLLOUT) && !m_down.passOn(m_out)))
            return failed("nobody reads the stream");
        if (has(found[1], POLLIN | POLLHUP | POLLERR) && m_down.wantsMore() && !m_down.read())
            return failed("the stream was cut off");
        return 0;
    }

    // When the service takes nothing more, what it says to that is still to come.
    void moveUp(const pollfd &in, const pollfd &socket)
    {
        const bool lost = has(socket, POLLOUT) && !m_up.passOn(m_socket);
        if (lost || (in.revents != 0 && !m_up.read()))
            m_up = { m_up.from, {}, false };
        if (!m_up.open && m_up.bytes.isEmpty() && !std::exchange(m_saidEnd, true))
            ::shutdown(m_socket, SHUT_WR);
    }

    int m_socket;
    int m_out;
    Flow m_up;
    Flow m_down;
    bool m_saidEnd = false;
};

} // namespace

int relay(const QByteArray &socketPath, int in, int out)
{
    const sys::FileDescriptor socket = connectTo(socketPath);
    return socket.isValid() ? Exchange(socket.get(), in, out).run() : failed(socketPath.constData());
}

} // namespace firstwatch::service
