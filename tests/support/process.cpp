// SPDX-License-Identifier: Apache-2.0
#include "process.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace firstwatch::test {
namespace {

std::vector<char *> pointers(QByteArrayList &texts)
{
    std::vector<char *> all;
    for (QByteArray &text : texts)
        all.push_back(text.data());
    all.push_back(nullptr);
    return all;
}

// What the test program ignores or blocks is not what a container runtime starts a service with.
void resetSignals(posix_spawnattr_t &attributes)
{
    sigset_t none;
    sigset_t all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    ::posix_spawnattr_setsigdefault(&attributes, &all);
    ::posix_spawnattr_setpgroup(&attributes, 0);
    ::posix_spawnattr_setflags(
        &attributes, short(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP));
}

} // namespace

Process::~Process()
{
    if (!isRunning())
        return;
    ::kill(-m_pid, SIGKILL);
    (void)wait();
}

void Process::start(const QByteArrayList &command, const QByteArrayList &environment, const QByteArray &stdoutPath,
    const QByteArray &stderrPath)
{
    if (isRunning())
        qFatal("%s is still running", command.first().constData());
    posix_spawn_file_actions_t files;
    ::posix_spawn_file_actions_init(&files);
    ::posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    constexpr int flags = O_WRONLY | O_CREAT | O_APPEND;
    ::posix_spawn_file_actions_addopen(&files, 1, stdoutPath.constData(), flags, 0600);
    ::posix_spawn_file_actions_addopen(&files, 2, stderrPath.constData(), flags, 0600);
    posix_spawnattr_t attributes;
    ::posix_spawnattr_init(&attributes);
    resetSignals(attributes);
    QByteArrayList arguments = command;
    QByteArrayList variables = environment;
    const int error = ::posix_spawnp(&m_pid, command.first().constData(), &files, &attributes,
        pointers(arguments).data(), pointers(variables).data());
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&files);
    if (error != 0)
        qFatal("%s cannot be started: errno %d", command.first().constData(), error);
    m_exit.reset();
}

bool Process::isRunning()
{
    return m_pid > 0 && !wait(0);
}

void Process::send(int signal) const
{
    if (m_pid > 0 && !m_exit)
        ::kill(m_pid, signal);
}

std::optional<int> Process::wait(int ms)
{
    if (m_exit || m_pid <= 0)
        return m_exit;
    const int handle = int(::syscall(SYS_pidfd_open, m_pid, 0));
    pollfd ended{ handle, POLLIN, 0 };
    const QDeadlineTimer deadline(ms);
    int happened = 0;
    while ((happened = ::poll(&ended, 1, int(deadline.remainingTime()))) < 0 && errno == EINTR) { }
    ::close(handle);
    int status = 0;
    // An ended process that is traced can be reaped only once its tracer has looked: that is waited for.
    if (::waitpid(m_pid, &status, happened > 0 ? 0 : WNOHANG) == m_pid)
        m_exit = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
    return m_exit;
}

int execute(const QByteArrayList &command)
{
    QByteArrayList environment;
    for (char **entry = environ; *entry != nullptr; ++entry)
        environment.append(*entry);
    Process process;
    process.start(command, environment, "/dev/null", "/dev/null");
    return process.wait().value_or(-SIGALRM);
}

} // namespace firstwatch::test
