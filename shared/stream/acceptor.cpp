// SPDX-License-Identifier: Apache-2.0
#include "stream/acceptor.h"

#include "sys/clock.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/socket.h>

namespace firstwatch::stream {
namespace {

constexpr int noDescriptorsPauseMs = 100;

sys::FileDescriptor reserve()
{
    return sys::FileDescriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC));
}

sys::FileDescriptor acceptOne(int listening)
{
    return sys::FileDescriptor(::accept4(listening, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
}

} // namespace

Acceptor::Acceptor(int listening, const Limits &limits, Take take)
    : m_listening(listening)
    , m_take(std::move(take))
    , m_opens(limits.opensPerSecond, limits.opensPerSecond)
    , m_reserve(reserve())
    , m_ready(listening, QSocketNotifier::Read)
{
    m_pause.setSingleShot(true);
    connect(&m_pause, &QTimer::timeout, this, [this] { m_ready.setEnabled(m_open); });
    connect(&m_ready, &QSocketNotifier::activated, this, &Acceptor::accept);
}

void Acceptor::setOpen(bool open)
{
    m_open = open;
    m_ready.setEnabled(open && !m_pause.isActive());
}

// One at a time: who is connected already gets a turn between two new ones.
void Acceptor::accept()
{
    if (const int waitMs = m_opens.waitMs(sys::bootTimeNs()); waitMs > 0)
        return pause(waitMs);
    sys::FileDescriptor socket = acceptOne(m_listening);
    const bool noDescriptors = !socket.isValid() && (errno == EMFILE || errno == ENFILE);
    if (noDescriptors)
        return refuseOne();
    if (!socket.isValid())
        return;
    (void)m_opens.take(sys::bootTimeNs());
    m_take(std::move(socket));
}

void Acceptor::refuseOne()
{
    m_reserve.reset();
    if (acceptOne(m_listening).isValid())
        Q_EMIT refused();
    m_reserve = reserve();
    pause(noDescriptorsPauseMs);
}

void Acceptor::pause(int ms)
{
    m_ready.setEnabled(false);
    m_pause.start(ms);
}

} // namespace firstwatch::stream
