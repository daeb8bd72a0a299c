// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conflist/config.h"
#include "conflist/plan.h"

namespace firstwatch::conflist {

[[nodiscard]] QByteArrayList typesOf(const Options &options);
[[nodiscard]] QByteArrayList elementsOf(const Options &options); // the templates' texts

// `text` with our elements in the places and with the content that `options` ask for; the same bytes when they have
// them already. The config must be the text's, and have a plugin that is not ours.
[[nodiscard]] QByteArray arranged(const QByteArray &text, const Config &config, const Options &options);

} // namespace firstwatch::conflist
