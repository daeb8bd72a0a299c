// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sys/filedescriptor.h"

#include <QByteArray>
#include <QList>
#include <QProcess>

namespace firstwatch::test {

// A terminal with somebody before it.
class Terminal {
public:
    Terminal();
    // Has to outlive the process. `descriptors`: those of the process that are this terminal.
    void attach(QProcess &process, const QList<int> &descriptors) const;
    [[nodiscard]] QByteArray shown(); // all that was written to it so far
    void type(const QByteArray &keys) const;

private:
    sys::FileDescriptor m_person;
    sys::FileDescriptor m_program;
    QByteArray m_shown;
};

} // namespace firstwatch::test
