// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/firstwatch/verb.h"

#include "preview/walk.h"

namespace firstwatch::cli {

// The template that --plugin names, else linkerd's. When it cannot be had, says why and sets the exit code.
[[nodiscard]] std::optional<conflist::PluginTemplate> pluginOf(Call &call, int &code);

// Visits what the arguments name; "-" is the standard input.
void walkArguments(const QStringList &arguments, const preview::Found &found);

} // namespace firstwatch::cli
