// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "preview/folderpreview.h"
#include "ui/text/documentwriter.h"

#include <QJsonArray>
#include <QJsonObject>

namespace firstwatch::ui {

// {"file","change","target","reason","diff","findings":[{"code","severity","text","line","column"}]}; what there is
// not, is null or an empty list.
[[nodiscard]] QJsonObject filePreviewJson(const QString &path, const preview::FilePreview &file, bool showsSecrets);

// The findings of a file alone: [{"file","code","severity","text","fix","line","column"}].
[[nodiscard]] QJsonArray fileFindings(const QString &path, const preview::FilePreview &file);

// An item of a list: {"runtime","before":{"order","active","accepted","reason","network","cni_version","chain",
// "drop_ins"},"after":{…}}. Written name by name, since the order may have thousands.
void writeRuntime(DocumentWriter &writer, conflist::Runtime runtime, const preview::BeforeAndAfter &view);

} // namespace firstwatch::ui
