// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "preview/folderpreview.h"
#include "ui/text/look.h"

namespace firstwatch::ui {

// One file: a line that says what would become of it, its diff, and its findings with line and column.
[[nodiscard]] QString filePage(
    const Look &look, const QString &path, const preview::FilePreview &file, bool isRemoval, bool showsSecrets);
// One line, without the diff: for `summary`.
[[nodiscard]] QString fileLine(const Look &look, const QString &path, const preview::FilePreview &file, bool isRemoval);

// Its findings alone, each with what to do about it.
[[nodiscard]] QString lintPage(const Look &look, const QString &path, const preview::FilePreview &file);

[[nodiscard]] QLatin1String runtimeName(conflist::Runtime runtime); // "containerd", "CRI-O"
// What the runtime reads, before and after. `where`: "in net.d".
[[nodiscard]] QString runtimePage(
    const Look &look, const QString &where, conflist::Runtime runtime, const preview::BeforeAndAfter &view);

} // namespace firstwatch::ui
