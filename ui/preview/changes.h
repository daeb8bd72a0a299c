// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "journal/codes.h"
#include "preview/filepreview.h"

#include <QStringList>

// What both the page and the document of a preview say, in one place.
namespace firstwatch::ui {

// One word for scripts: "none", "patch", "convert", "ignored", "left", "unreadable".
[[nodiscard]] QLatin1String changeWord(preview::Change change);
// The same as a sentence: "would be patched", "would become 10-x.conflist", "is left alone: …".
[[nodiscard]] QString changeSentence(const preview::FilePreview &file, bool isRemoval);

// Of the whole file, with three lines of context; patch(1) takes it with -p1 when nothing in it is hidden. `path` is
// how the file is called. Two of them for a conversion: the old file goes, a new one comes.
[[nodiscard]] QStringList changeDiffs(const QString &path, const preview::FilePreview &file, bool showsSecrets);

// As the table of codes has it.
[[nodiscard]] journal::Severity severityOf(const Finding &finding);

} // namespace firstwatch::ui
