// SPDX-License-Identifier: Apache-2.0
#include "service/watchjournal.h"

#include "journal/findingcodes.h"
#include "journal/shownname.h"

namespace firstwatch::service {

namespace code = journal::code;
using journal::Kind;
using watch::DirectoryWatch;

WatchJournal::WatchJournal(watch::Inotify &inotify, DirectoryWatch &watch, journal::Journal &journal, QObject *parent)
    : QObject(parent)
    , m_journal(journal)
{
    connect(&inotify, &watch::Inotify::overflowed, this, &WatchJournal::overflowed);
    connect(&watch, &DirectoryWatch::armed, this,
        [this](qint64, int descriptor, const QByteArray &path) { armed(descriptor, path); });
    connect(&watch, &DirectoryWatch::proven, this, &WatchJournal::proven);
    connect(&watch, &DirectoryWatch::ready, this, &WatchJournal::ready);
    connect(&watch, &DirectoryWatch::polling, this, &WatchJournal::polling);
    connect(&watch, &DirectoryWatch::lost, this, &WatchJournal::lost);
    connect(&watch, &DirectoryWatch::disagreed, this, &WatchJournal::disagreed);
}

void WatchJournal::armed(int watch, const QByteArray &path)
{
    m_everArmed = true;
    m_journal.record(Kind::WatchArmed,
        { { QStringLiteral("backend"), QStringLiteral("inotify") }, { QStringLiteral("dir"), journal::shownName(path) },
            { QStringLiteral("watch"), watch } });
}

void WatchJournal::proven(const watch::Proof &proof)
{
    closeWatchFindings();
    m_journal.record(Kind::WatchProven,
        { { QStringLiteral("probe"), watch::probeName(proof.probe()) },
            { QStringLiteral("probe_us"), (proof.provenNs() - proof.probedNs()) / 1000 } });
}

void WatchJournal::ready(const watch::Proof &proof)
{
    m_journal.record(Kind::WatchWitness, { { QStringLiteral("witness"), watch::witnessName(proof.witness()) } });
    switch (proof.witness()) {
    case watch::WitnessWord::Confirmed:
    case watch::WitnessWord::NotAsked:
        m_journal.closeFinding(code::backendsDisagree);
        break;
    case watch::WitnessWord::Late:
        disagreed(QStringLiteral("QFileSystemWatcher did not see the probe that inotify saw; inotify goes on alone"));
        break;
    case watch::WitnessWord::Absent:
        disagreed(QStringLiteral("QFileSystemWatcher could not watch the net dir; inotify goes on alone"));
        break;
    }
}

void WatchJournal::polling(const watch::Polling &polling, int code)
{
    closeDirectoryFindings();
    m_journal.record(Kind::WatchPolling,
        { { QStringLiteral("reason"), polling.reason }, { QStringLiteral("interval_ms"), polling.intervalMs } });
    if (code != 0)
        m_journal.openFinding({ code, polling.reason });
}

void WatchJournal::lost(DirectoryWatch::Loss loss, const QString &reason)
{
    m_journal.record(Kind::WatchLost, { { QStringLiteral("reason"), reason } });
    if (loss == DirectoryWatch::Loss::DeadMount)
        m_journal.openFinding({ code::staleMount, reason });
    else if (loss == DirectoryWatch::Loss::Unreadable)
        m_journal.openFinding({ code::directoryUnreadable, reason });
    else if (loss == DirectoryWatch::Loss::Missing && !m_everArmed)
        m_journal.openFinding({ code::directoryMissing, reason });
    else
        m_journal.openFinding({ code::directoryReplaced, reason });
}

void WatchJournal::overflowed()
{
    ++m_overflows;
    m_journal.record(Kind::Overflow, { { QStringLiteral("count"), m_overflows } });
    // Stays open for this run: what was lost was read anew, but somebody should know that it happened.
    m_journal.openFinding({ code::queueOverflow,
        QStringLiteral("the inotify queue overflowed; the whole directory was read again "
                       "(fs.inotify.max_queued_events may be raised)") });
}

void WatchJournal::disagreed(const QString &text)
{
    if (text.isEmpty())
        m_journal.closeFinding(code::backendsDisagree);
    else
        m_journal.openFinding({ code::backendsDisagree, text });
}

// There is one, and it can be opened.
void WatchJournal::closeDirectoryFindings()
{
    for (const int each :
        { code::directoryReplaced, code::staleMount, code::directoryMissing, code::directoryUnreadable })
        m_journal.closeFinding(each);
}

void WatchJournal::closeWatchFindings()
{
    closeDirectoryFindings();
    for (const int each : { code::watchNotProven, code::inotifyInstances, code::inotifyWatches, code::noEvents })
        m_journal.closeFinding(each);
}

} // namespace firstwatch::service
