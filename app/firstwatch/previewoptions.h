// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "preview/filepreview.h"

#include <optional>

namespace firstwatch::cli {

// What is said about files that are looked at without a node.
struct PreviewOptions {
    QByteArray pluginFile; // the template; empty: linkerd's
    conflist::ChainPosition position = conflist::ChainPosition::Last;
    bool activeOnly = false;
    QByteArrayList excludes;
    QByteArrayList binDirs; // where plugins are looked for; empty: nowhere
    bool isRemoval = false;
    bool failsOnChange = false;
    std::optional<conflist::Runtime> runtime; // none: both
    bool showsSecrets = false;
    QByteArray schedule; // of a race: a file, "example:NAME", "-" or "list"; empty: files are looked at
    bool writes = false; // --write
    bool isConfirmed = false; // --yes
};

} // namespace firstwatch::cli
