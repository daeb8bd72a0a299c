// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "journal/journal.h"
#include "watch/directorywatch.h"

#include <QObject>

namespace firstwatch::service {

// Writes what the watch says into the journal: events, and the findings that open and close with them.
class WatchJournal final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(WatchJournal)
public:
    WatchJournal(
        watch::Inotify &inotify, watch::DirectoryWatch &watch, journal::Journal &journal, QObject *parent = nullptr);

private:
    void armed(int watch, const QByteArray &path);
    void proven(const watch::Proof &proof);
    void ready(const watch::Proof &proof);
    void polling(const watch::Polling &polling, int code);
    void lost(watch::DirectoryWatch::Loss loss, const QString &reason);
    void overflowed();
    void disagreed(const QString &text);
    void closeDirectoryFindings();
    void closeWatchFindings();

    journal::Journal &m_journal;
    int m_overflows = 0;
    bool m_everArmed = false;
};

} // namespace firstwatch::service
