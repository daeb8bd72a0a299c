// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "journal/codes.h"
#include "journal/nodeview.h"
#include "stream/capture.h"
#include "ui/filter/filter.h"

#include <QList>

#include <optional>

namespace firstwatch::ui {

// One node as far as it is known: what was asked of the node itself, or what a recording holds. All that the faces
// print is a pure function of this.
struct Node {
    QString source; // a path or an address
    bool isLive = false; // else a recording: its time stands still at its last event
    int troubleCode = 0; // of journal/findingcodes.h, when it could not be reached or read at all
    QString trouble; // why, in words
    journal::NodeView view; // of the run that is shown
    QList<journal::Event> events; // of every run that is known, oldest first
    QList<stream::Diff> diffs; // of patches among them, as far as they were asked for and are there
    QString diffTrouble; // why some are missing, in words
    QList<stream::Manifest::Gap> gaps; // events of the last run that never came
    int torn = 0; // lines that could not be used
    QString damage; // why a recording could not be read to its end, in words
    bool isShortened = false; // it has more files or findings than it told
    bool isCut = false; // the recording goes on beyond what was read
    qint64 nowNs = 0; // on the node's clock
    qint64 nowUs = 0; // the same moment as wall time

    [[nodiscard]] bool isReached() const { return trouble.isEmpty(); }
    [[nodiscard]] bool hasRun() const { return !view.boot.isEmpty(); }
    [[nodiscard]] QString name() const; // its own, else the source
    [[nodiscard]] journal::State word() const;
    [[nodiscard]] QList<journal::Event> run() const; // the events of view.boot
};

[[nodiscard]] Facts factsOf(const Node &node); // its name, state, and what it is read from

// Shows a run of a recording: that of this boot (or of the only one whose name begins so), the last one when it is
// empty. False when there is none, or more than one.
[[nodiscard]] bool showRun(Node &node, const QByteArray &boot);

struct FileCount {
    int patched = 0;
    int eligible = 0;
};
[[nodiscard]] FileCount fileCount(const journal::NodeState &state);

// "inotify+qfsw" (confirmed by QFileSystemWatcher), "inotify", "polling", "none".
[[nodiscard]] QString watchWord(const journal::NodeView &view);
// The worst of the state word and the open findings; nothing when all is well.
[[nodiscard]] std::optional<journal::Severity> worstOf(const Node &node);
[[nodiscard]] journal::Severity severityOf(const journal::NodeState::OpenFinding &finding);
// The rest of a sentence that begins with the state word, and says what it means for pods.
[[nodiscard]] QString stateMeaning(journal::State state);

// Worst first; then by name.
void sortWorstFirst(QList<Node> &nodes);

} // namespace firstwatch::ui
