// SPDX-License-Identifier: Apache-2.0
#include "terminal.h"

#include <array>
#include <fcntl.h>
#include <pty.h>
#include <unistd.h>

namespace firstwatch::test {

Terminal::Terminal()
{
    int person = -1;
    int program = -1;
    if (::openpty(&person, &program, nullptr, nullptr, nullptr) != 0)
        qFatal("no terminal can be had");
    for (const int end : { person, program })
        ::fcntl(end, F_SETFD, FD_CLOEXEC);
    ::fcntl(person, F_SETFL, O_NONBLOCK);
    m_person = sys::FileDescriptor(person);
    m_program = sys::FileDescriptor(program);
}

void Terminal::attach(QProcess &process, const QList<int> &descriptors) const
{
    process.setChildProcessModifier([descriptors, program = m_program.get()] {
        for (const int descriptor : descriptors)
            ::dup2(program, descriptor);
    });
}

QByteArray Terminal::shown()
{
    std::array<char, 4096> buffer{};
    for (ssize_t got = 1; got > 0;) {
        got = ::read(m_person.get(), buffer.data(), buffer.size());
        m_shown.append(buffer.data(), std::max<ssize_t>(got, 0));
    }
    return m_shown;
}

void Terminal::type(const QByteArray &keys) const
{
    if (::write(m_person.get(), keys.constData(), size_t(keys.size())) != keys.size())
        qFatal("the terminal takes nothing");
}

} // namespace firstwatch::test
