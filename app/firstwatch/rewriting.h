// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/firstwatch/verb.h"

#include "preview/filepreview.h"

#include <map>

namespace firstwatch::cli {

// The files that a preview has shown as ones that would change: path, and contentHash() of the text that it saw.
using ShownFiles = std::map<QByteArray, QByteArray>;

// What is wrong with --write here, in words; empty: nothing.
[[nodiscard]] QString writeError(const Options &options);
// Asks, unless --yes was given, and writes them. Gives back the exit code.
[[nodiscard]] int writeShown(Call &call, const preview::Options &options, const ShownFiles &shown);

} // namespace firstwatch::cli
