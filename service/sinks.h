// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "journal/history.h"
#include "journal/journal.h"
#include "service/settings.h"

#include <QObject>

namespace firstwatch::service {

// Where the journal's events go: the log on stderr and the history files. Opened after the watch is armed, so that
// nothing slow comes before it; what was recorded until then is caught up from the ring.
class Sinks final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Sinks)
public:
    Sinks(journal::Journal &journal, const Settings &settings, QObject *parent = nullptr);

private:
    void write(const journal::Event &event, const QByteArray &line);

    journal::Journal &m_journal;
    journal::History m_history;
};

} // namespace firstwatch::service
