// SPDX-License-Identifier: Apache-2.0
#include "watch/mountwatch.h"

#include <fcntl.h>

namespace firstwatch::watch {

MountWatch::MountWatch(QObject *parent)
    : QObject(parent)
    , m_mountinfo(::open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC))
{
    if (!m_mountinfo.isValid())
        return; // the owner's slow timer then finds the change
    m_notifier = std::make_unique<QSocketNotifier>(m_mountinfo.get(), QSocketNotifier::Exception);
    connect(m_notifier.get(), &QSocketNotifier::activated, this, &MountWatch::changed);
}

} // namespace firstwatch::watch
