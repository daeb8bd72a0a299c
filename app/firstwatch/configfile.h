// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QString>

#include <map>

namespace firstwatch::cli {

// What a user's own file says of the settings: one JSON object, a string for each name of settings.h.
struct ConfigFile {
    QString path; // where it is looked for; empty: nowhere, since there is no home
    bool isThere = false;
    std::map<QByteArray, QByteArray> values;
    QString fault; // "PATH:3:5: …" in words; none of its values counts then
};

// $XDG_CONFIG_HOME/firstwatch/config.json, else $HOME/.config/firstwatch/config.json (XDG Base Directory
// Specification: a path that is not absolute is ignored). Empty: neither is set.
[[nodiscard]] QString configPath();

// Reads it. None is no fault; one that cannot be read, is no regular file or has more than 64 KiB is.
[[nodiscard]] ConfigFile readConfigFile(const QString &path);
// The same for its text.
void parseConfig(const QByteArray &text, ConfigFile &file);

} // namespace firstwatch::cli
