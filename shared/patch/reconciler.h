// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "patch/filepatcher.h"
#include "watch/inotify.h"
#include "watch/proof.h"

#include <QObject>
#include <QTimer>

#include <map>
#include <set>

namespace firstwatch::patch {

enum class PassReason { Start, Rearm, Overflow, Periodic, Poll, Takeover, Token };
[[nodiscard]] QLatin1String passReasonName(PassReason reason);

struct PassResult {
    int files = 0; // config names looked at
    int patched = 0;
    int missed = 0; // of a periodic pass: patched, although no event had told of it
    bool clean = false; // the directory was read, and nothing waits
};

// Keeps every config of one directory patched: whole passes, and single files as events come. A pass needs evidence
// that the watch works (or the labelled alternative); before the first pass, events are remembered and nothing is
// written.
class Reconciler final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Reconciler)
public:
    Reconciler(PatchOptions options, journal::Journal &journal, QObject *parent = nullptr);

    // The directory to work on, as an open descriptor that outlives its use here; -1: none, nothing is written.
    void setDirectory(int directory);
    PassResult pass(const watch::Evidence &evidence, PassReason reason);

    // What the watch reports. Marks only: settle() acts on the marks, once for all of a batch.
    void note(const watch::Change &change);
    void settle();

    // True when the directory could be listed, every file that should be patched is, and nothing waits to be looked at.
    [[nodiscard]] bool isClean() const;
    // True while a file that came out of an exchange is still kept, as somebody may be writing to it.
    [[nodiscard]] bool hasDisplaced() const;
    [[nodiscard]] const PatchOptions &options() const { return m_options; }

Q_SIGNALS:
    void settled(); // after every pass and every batch
    // A pass with this reason could not list the directory; it is time to try it again.
    void passDue(firstwatch::patch::PassReason reason);
    // A patch.applied event with this seq was recorded: the file's whole text before it and after it, secrets and all.
    void patched(quint64 seq, const QByteArray &name, const QByteArray &before, const QByteArray &after);

private:
    FileState &stateOf(const QByteArray &name);
    bool inScope(const QByteArray &name) const;
    void adoptLeftovers(const QList<QByteArray> &names);
    PassResult lookAtAll(const QList<QByteArray> &names);
    int lookAtActive();
    PassResult postpone(const QJsonObject &head, PassReason reason, int error);
    void finish();
    void updateActive();
    void scheduleDue();
    void lookAtDue();
    void lookAtDirty();
    void markSoon(FileState &file, quint32 mask, int ms);
    void noteForOthers(const watch::Change &change);
    void noteMove(const watch::Change &change);

    PatchOptions m_options;
    journal::Journal &m_journal;
    std::map<QByteArray, FileState> m_files; // by name, in the order in which a runtime sorts; addresses stay
    FilePatcher m_patcher;
    std::set<QByteArray> m_dirty;
    std::set<QByteArray> m_cameOut; // temporary names that an exchange has brought out, in the order of the events
    int m_links = 0; // files that are links to another entry
    QTimer m_dueTimer;
    QTimer m_listTimer;
    int m_directory = -1;
    bool m_begun = false;
    bool m_unlisted = false; // by the last pass
    PassReason m_postponed = PassReason::Start;
    int m_pass = 0;
    QHash<quint32, QByteArray> m_movedFrom; // cookie → name, within one batch
};

} // namespace firstwatch::patch
