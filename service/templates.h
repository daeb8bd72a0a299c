// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "service/settings.h"

namespace firstwatch::service {

// The plugins that go into the chain, in its order.
struct Templates {
    QList<conflist::PluginTemplate> plugins;
    QList<Finding> findings;
    QString error; // not empty: nothing may be started. Names the variable or the file, and the way out
};

// From the files or the variable of the settings. Both set: the files win when one of them exists, as in linkerd's
// shell installer (its Go one does the reverse), and that is finding 1306.
[[nodiscard]] Templates loadTemplates(const Settings &settings);

} // namespace firstwatch::service
