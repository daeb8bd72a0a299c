// SPDX-License-Identifier: Apache-2.0
#pragma once

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
// Of every run among the events, oldest first.
[[nodiscard]] QList<PatchRecord> patchRecords(const QList<journal::Event> &events);

// `isWide` shows whole digests and the run.
[[nodiscard]] QString patchTable(const Look &look, const QList<PatchRecord> &records, bool isWide);
[[nodiscard]] QJsonArray patchArray(const QList<PatchRecord> &records);

} // namespace firstwatch::ui
