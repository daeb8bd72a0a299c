// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/text/events.h"
#include "ui/text/look.h"
#include "ui/text/node.h"

#include <QJsonArray>

namespace firstwatch::ui {

// One time that a file was written, or could not be.
struct PatchRecord {
    journal::Event event; // patch.applied, patch.failed or patch.undone
    QString file;
    QString why; // "first patch, found by the start pass"
    QString before; // digest of the content, as long as the node tells it
    QString after; // empty when it could not be written
    std::optional<qint64> tookUs;
};
// Of every run among the events, oldest first; those that the filter takes.
[[nodiscard]] QList<PatchRecord> patchRecords(const QList<journal::Event> &events, const EventFilter &filter = {});
// As much of a digest as tells two apart for a person; "-" of none.
[[nodiscard]] QString digestText(const QString &whole);
// What it changed; null where that is not known.
[[nodiscard]] const stream::Diff *diffOf(const PatchRecord &record, const QList<stream::Diff> &diffs);
// The seq of each patch among them that may have changed a text.
[[nodiscard]] QList<quint64> patchSeqs(const QList<journal::Event> &events, const EventFilter &filter);

// `isWide` shows whole digests and the run.
[[nodiscard]] QString patchTable(const Look &look, const QList<PatchRecord> &records, bool isWide);
[[nodiscard]] QJsonArray patchArray(const QList<PatchRecord> &records);

// What each of them changed.
struct DiffSides {
    bool ours = true; // of Firstwatch
    bool theirs = false; // of others, since the patch before it
};
[[nodiscard]] QString patchDiffs(
    const Look &look, const QList<PatchRecord> &records, const QList<stream::Diff> &diffs, DiffSides sides);
// patchArray() with "diff" in each: null where it is not known.
[[nodiscard]] QJsonArray patchDiffArray(const QList<PatchRecord> &records, const QList<stream::Diff> &diffs);

} // namespace firstwatch::ui
