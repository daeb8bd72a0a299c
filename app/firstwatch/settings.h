// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/firstwatch/configfile.h"
#include "app/firstwatch/options.h"

namespace firstwatch::cli {

// What need not be typed each time: the value of an option, out of the environment or of a file, where the option is
// missing. Nothing that changes what is judged or shown of a node: a script's exit code is never a file's.
struct Setting {
    const char *name; // of the option, without its dashes, and in the file
    const char *variable; // that goes before the file; null: none
    const char *usual; // the default, as doctor shows it
};
[[nodiscard]] const QList<Setting> &allSettings();
[[nodiscard]] const Setting *settingNamed(const QByteArray &name); // null: there is none

// What is wrong with a value, in words; empty when nothing is.
[[nodiscard]] QString checkSetting(const Setting &setting, const QByteArray &value);

// Gives each option that was not typed its value: from the environment, else from the file. Notes all of them, with
// their origins, in Options::settings. What is wrong with the environment, in words; empty when nothing is.
[[nodiscard]] QString applySettings(Options &options, const ConfigFile &file);

} // namespace firstwatch::cli
