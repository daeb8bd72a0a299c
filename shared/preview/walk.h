// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "preview/folder.h"

#include <QString>

#include <functional>

namespace firstwatch::preview {

// What is done with what a walk finds.
struct Found {
    std::function<void(const Folder &)> folder;
    std::function<void(const QByteArray &path, const QString &problem)> problem; // cannot be read, or holds nothing
    std::function<void()> step = {}; // called now and then while there is nothing to show yet
};

// Visits what the paths name, one folder after another: files (those of one directory together), directories, and "-",
// which is `input` under the name of a list. A directory that was named is taken as a net dir when it has configs;
// below it, so are those called "net.d" and those with a .conflist, at any depth, links to directories not followed. A
// tar archive is taken as the directory that it was made from (archive.h).
void walk(const QByteArrayList &paths, const QByteArray &input, const Found &found);

// What is said of a path that holds no config.
[[nodiscard]] QString noConfigs();

} // namespace firstwatch::preview
