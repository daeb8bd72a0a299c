// SPDX-License-Identifier: Apache-2.0
#include "service/sinks.h"

#include "journal/findingcodes.h"
#include "journal/log.h"

namespace firstwatch::service {

Sinks::Sinks(journal::Journal &journal, const Settings &settings, QObject *parent)
    : QObject(parent)
    , m_journal(journal)
{
    journal::startLog(settings.logFormat, settings.logLevel);
    QString error;
    const bool open = m_history.open(settings.historyDir, error);
    for (const journal::Ring::Entry &entry : journal.ring().since(0)) {
        if (const std::optional<journal::Event> event = journal::fromLine(entry.line))
            write(*event, entry.line);
    }
    connect(&journal, &journal::Journal::recorded, this, &Sinks::write);
    if (!open)
        journal.openFinding({ journal::code::historyOff, error });
}

void Sinks::write(const journal::Event &event, const QByteArray &line)
{
    journal::logEvent(event, line);
    if (m_history.isOpen() && !m_history.append(line))
        m_journal.openFinding({ journal::code::historyOff,
            QStringLiteral("the history could not be written and is off until the next start") });
}

} // namespace firstwatch::service
