// SPDX-License-Identifier: Apache-2.0
#include "service/heartbeat.h"

#include "sys/filedescriptor.h"

#include <fcntl.h>
#include <sys/stat.h>

namespace firstwatch::service {

Heartbeat::Heartbeat(const QByteArray &runtimeDir, QObject *parent)
    : QObject(parent)
    , m_file(fileIn(runtimeDir))
{
    m_timer.setTimerType(Qt::VeryCoarseTimer);
    connect(&m_timer, &QTimer::timeout, this, &Heartbeat::beat);
    m_timer.start(periodMs);
    beat();
}

Heartbeat::~Heartbeat()
{
    ::unlink(m_file.constData());
}

void Heartbeat::beat()
{
    // An unwritable runtime dir is a finding of its own; the probe then says that there is no heartbeat.
    const sys::FileDescriptor file(
        ::open(m_file.constData(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0644));
    if (file.isValid())
        ::futimens(file.get(), nullptr);
    Q_EMIT beaten();
}

} // namespace firstwatch::service
