// SPDX-License-Identifier: Apache-2.0
#include "installer.h"

#include "figures.h"

#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

namespace firstwatch::bench {
namespace {

[[noreturn]] void become(const Installer &installer, const World &world)
{
    world.setEnvironment();
    const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
    std::vector<char *> arguments;
    for (const std::string &word : installer.command)
        arguments.push_back(const_cast<char *>(word.c_str())); // execvp(3) takes them so, and changes nothing
    arguments.push_back(nullptr);
    ::execvp(arguments[0], arguments.data());
    ::_exit(127);
}

// "Key:   123 …" of a /proc file; 0 when it is not there.
double field(const std::string &path, const std::string &key)
{
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with(key + ":"))
            return std::stod(line.substr(key.size() + 1));
    }
    return 0;
}

// Nanoseconds on a processor come first.
double cpuMs(const std::filesystem::path &task)
{
    std::ifstream schedule(task / "schedstat");
    double ns = 0;
    schedule >> ns;
    return ns / 1e6;
}

std::string nameOf(const std::filesystem::path &task)
{
    std::ifstream file(task / "comm");
    std::string name;
    std::getline(file, name);
    return name;
}

} // namespace

Running::Running(const Installer &installer, const World &world)
    : m_startedNs(nowNs())
{
    m_pid = ::fork();
    if (m_pid == 0)
        become(installer, world);
}

Running::~Running()
{
    ::kill(m_pid, SIGTERM);
    const int64_t limit = nowNs() + 5'000'000'000;
    while (::waitpid(m_pid, nullptr, WNOHANG) == 0) {
        if (nowNs() > limit)
            ::kill(m_pid, SIGKILL);
        ::usleep(1000);
    }
}

Running::Usage Running::usage() const
{
    const std::string proc = "/proc/" + std::to_string(m_pid);
    Usage usage;
    usage.rssMiB = field(proc + "/status", "VmRSS") / 1024;
    usage.pssMiB = field(proc + "/smaps_rollup", "Pss") / 1024;
    std::error_code gone;
    for (const auto &task : std::filesystem::directory_iterator(proc + "/task", gone)) {
        usage.wakeUps += field(task.path() / "status", "voluntary_ctxt_switches");
        const double spent = cpuMs(task.path());
        usage.cpuMs += spent;
        if (nameOf(task.path()) == "stream")
            usage.streamCpuMs += spent;
    }
    return usage;
}

} // namespace firstwatch::bench
