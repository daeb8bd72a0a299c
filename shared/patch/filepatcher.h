// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conflist/plan.h"
#include "journal/journal.h"
#include "patch/filestate.h"

#include <QList>

#include <functional>

namespace firstwatch::patch {

struct PatchOptions {
    conflist::Options chain;
    QByteArray hostDir; // the net dir as the host names it, for the targets of absolute links
    QByteArrayList excludes; // names that are left alone, for isExcluded()
    bool activeOnly = false; // patch only the file that the runtime would use
};

// Looks at one file and patches it when it needs it. What it finds goes into the journal once the directory is synced.
class FilePatcher {
public:
    // The state of a file by name; its address must stay.
    using StateOf = std::function<FileState &(const QByteArray &name)>;

    // What a patch has changed, once its event is recorded: seq of that, the file, its text before and after.
    using Tell =
        std::function<void(quint64 seq, const QByteArray &name, const QByteArray &before, const QByteArray &after)>;

    FilePatcher(const PatchOptions &options, journal::Journal &journal, StateOf stateOf, Tell tell);

    void setDirectory(int directory)
    {
        m_directory = directory;
        m_synced = true;
    }

    enum class Found {
        Clean, // nothing to do
        Patched, // a write was needed and done
        Pending, // a write is needed, or will be; dueNs says when to look again
        Gone,
    };
    // `inScope` is false for a file that must be left alone although it is a config.
    Found look(FileState &file, bool inScope);
    // Looks only at what an earlier patch has displaced. True when there is something to commit() and to record.
    bool tidy(FileState &file);
    // Syncs the directory after a batch of looks, then records what was patched. False when the sync failed; it is then
    // tried again by the next call.
    bool commit();

    // Records the word of a file and whether it is the active one, if either has changed since.
    void recordState(FileState &file);

private:
    Found unreadable(FileState &file, const ConfigFile &read);
    Found unparsable(FileState &file, const ConfigFile &read, const conflist::Plan &plan);
    Found patch(FileState &file, const ConfigFile &read, const conflist::Plan &plan);
    Found convert(FileState &file, const ConfigFile &read, const conflist::Plan &plan);
    Found conclude(FileState &file, const Written &written, qint64 startedNs);
    Found failed(FileState &file, const Written &written);
    Found clean(FileState &file, journal::FileWord word);
    static void waitForRest(FileState &file);
    std::optional<Found> settleEarlier(FileState &file);
    bool holdBack(FileState &file, const Damping &damping, const QByteArray &textHash);
    void setContested(FileState &file);
    void forgetFindings(const FileState &file);
    static void noteOutsideChange(FileState &file, const QByteArray &textHash);
    void recordChange(FileState &file);
    void report(FileState &file, const QByteArray &text, const QList<Finding> &findings);
    static void setWord(FileState &file, journal::FileWord word);

    const PatchOptions &m_options;
    journal::Journal &m_journal;
    StateOf m_stateOf;
    Tell m_tell;
    int m_directory = -1;
    bool m_synced = true;

    struct Applied {
        FileState *file = nullptr;
        QJsonObject fields;
        QByteArray before;
        QByteArray after;
    };
    QList<Applied> m_applied; // since the last commit
    QHash<QByteArray, QList<int>> m_contentFindings; // by file: codes that its content has open
};

} // namespace firstwatch::patch
