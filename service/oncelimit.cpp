// SPDX-License-Identifier: Apache-2.0
#include "service/oncelimit.h"

#include "sys/clock.h"

namespace firstwatch::service {

OnceLimit::OnceLimit(int limitS, std::function<QString()> awaited, journal::Journal &journal, int everyMs)
    : m_limitS(limitS)
    , m_awaited(std::move(awaited))
    , m_journal(journal)
{
    m_repeat.setInterval(everyMs);
    m_limit.setInterval(limitS * 1000);
    m_limit.setSingleShot(true);
    connect(&m_repeat, &QTimer::timeout, this, &OnceLimit::say);
    connect(&m_limit, &QTimer::timeout, this, [this] {
        stop();
        Q_EMIT passed(
            QStringLiteral("nothing patched: waited %1 s for %2; start it again when that is there, or give it more "
                           "time with --once-timeout")
                .arg(m_limitS)
                .arg(m_awaited()));
    });
}

void OnceLimit::start()
{
    m_sinceNs = sys::bootTimeNs();
    m_repeat.start();
    if (m_limitS > 0)
        m_limit.start();
}

void OnceLimit::stop()
{
    m_repeat.stop();
    m_limit.stop();
}

void OnceLimit::say()
{
    const qint64 seconds = (sys::bootTimeNs() - m_sinceNs) / 1'000'000'000;
    const QString end = m_limitS > 0
        ? QStringLiteral("ends with exit code %1 after %2 s (--once-timeout)").arg(exitCode).arg(m_limitS)
        : QStringLiteral("without an end (--once-timeout 0)");
    m_journal.record(journal::Kind::Note,
        { { QStringLiteral("text"),
            QStringLiteral("waits for %1, since %2 s; %3").arg(m_awaited()).arg(seconds).arg(end) } });
}

} // namespace firstwatch::service
