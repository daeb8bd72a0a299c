// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "world.h"

#include <string>
#include <sys/types.h>
#include <vector>

namespace firstwatch::bench {

// An installer under measurement: a program that takes the environment of linkerd's.
struct Installer {
    std::string name;
    std::vector<std::string> command;
};

// A running one; ended, and its end waited for, with the object.
class Running {
public:
    Running(const Installer &installer, const World &world);
    ~Running();
    Running(const Running &) = delete;
    Running &operator=(const Running &) = delete;

    [[nodiscard]] int64_t startedNs() const { return m_startedNs; } // just before exec
    [[nodiscard]] pid_t pid() const { return m_pid; }

    struct Usage {
        double cpuMs = 0; // of all threads
        double streamCpuMs = 0; // of them, the thread of that name
        double wakeUps = 0; // voluntary context switches, of all threads
        double rssMiB = 0;
        double pssMiB = 0;
    };
    [[nodiscard]] Usage usage() const;

private:
    pid_t m_pid = -1;
    int64_t m_startedNs = 0;
};

} // namespace firstwatch::bench
