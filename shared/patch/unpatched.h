// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conflist/finding.h"
#include "patch/configfile.h"

#include <QByteArrayList>

#include <optional>

// Why a file is left alone before anybody looks at what is in it: the same for the service and for a preview.
namespace firstwatch::patch {

// Whether one of the shell patterns (fnmatch(3)) matches the name; a leading dot has to be written.
[[nodiscard]] bool isExcluded(const QByteArray &name, const QByteArrayList &patterns);

// What keeps its content from being read; nothing when it was, or when it is not there. `error`: errno of Failed.
[[nodiscard]] std::optional<Finding> readFinding(ReadStatus status, int error);

} // namespace firstwatch::patch
