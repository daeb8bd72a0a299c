// SPDX-License-Identifier: Apache-2.0
#include "service/signals.h"

#include <csignal>
#include <sys/signalfd.h>
#include <unistd.h>

namespace firstwatch::service {
namespace {

sigset_t terminating()
{
    sigset_t set{};
    ::sigemptyset(&set);
    ::sigaddset(&set, SIGTERM);
    ::sigaddset(&set, SIGINT);
    return set;
}

} // namespace

void prepareSignals()
{
    const sigset_t set = terminating();
    ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGIO, SIG_IGN);
}

void letSignalsEnd()
{
    const sigset_t set = terminating();
    ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

SignalFd::SignalFd(QObject *parent)
    : QObject(parent)
{
    const sigset_t set = terminating();
    m_fd = sys::FileDescriptor(::signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC));
    if (!m_fd.isValid())
        return;
    m_notifier = std::make_unique<QSocketNotifier>(m_fd.get(), QSocketNotifier::Read);
    connect(m_notifier.get(), &QSocketNotifier::activated, this, &SignalFd::read);
}

void SignalFd::read()
{
    signalfd_siginfo info{};
    while (::read(m_fd.get(), &info, sizeof info) == ssize_t(sizeof info))
        Q_EMIT terminated(int(info.ssi_signo));
}

} // namespace firstwatch::service
