// SPDX-License-Identifier: Apache-2.0
#include "eventually.h"

#include <QCoreApplication>
#include <QTimer>

namespace firstwatch::test {

bool runUntil(const std::function<bool()> &condition, int ms)
{
    const QDeadlineTimer deadline(ms);
    QTimer tick; // ends the wait for events
    tick.setTimerType(Qt::PreciseTimer);
    tick.start(1);
    while (!condition()) {
        if (deadline.hasExpired())
            return condition();
        QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
    }
    return true;
}

} // namespace firstwatch::test
