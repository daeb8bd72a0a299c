// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "service/settings.h"

namespace firstwatch::service {

// One setting, described once: the command line, the environment, the help and the `config` view all come from it.
struct Option {
    const char *group; // title of its paragraph in the help
    const char *flag; // "--net-dir"
    const char *variable; // "DEST_CNI_NET_DIR"
    const char *argument; // how the help names the value; null for a switch, whose value is true or false
    const char *help;
    bool repeatable; // values of repeated flags are joined by ':'
    // Takes a value that is not empty, or returns why it cannot be: the value and the way out.
    QString (*set)(Settings &settings, const QByteArray &value);
    QString (*shown)(const Settings &settings);
};

// In the order of the help.
[[nodiscard]] const QList<Option> &allOptions();

} // namespace firstwatch::service
