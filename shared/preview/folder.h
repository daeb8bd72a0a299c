// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "preview/entry.h"

#include <QByteArrayList>

#include <algorithm>
#include <functional>

namespace firstwatch::preview {

// Configs that a runtime would read together. Nothing of a file is kept: each is read when it is asked for, so that
// memory need not grow with their number.
struct Folder {
    QByteArray path; // as the user named it; empty for the standard input
    QByteArrayList names; // of configs, in the order in which a runtime sorts
    bool isWhole = false; // a net dir; else only the files of it that were named
    std::function<Entry(const QByteArray &name)> read;
    // The plugins that libcni from 1.3 on adds to the list of that network, out of the folder of its name: their types,
    // in the order of the files.
    std::function<QByteArrayList(const QByteArray &network)> dropIns;
    bool isOnDisk = true; // else of an archive, or the standard input

    [[nodiscard]] bool holds(const QByteArray &name) const
    {
        return std::binary_search(names.begin(), names.end(), name);
    }
    [[nodiscard]] QByteArray pathOf(const QByteArray &name) const { return path.isEmpty() ? name : path + '/' + name; }
};

// Whether a directory is one that a runtime would read: by its name and by its configs. `wasNamed`: the user did.
[[nodiscard]] bool isNetDir(const QByteArray &directoryName, const QByteArrayList &configs, bool wasNamed);
// Whether a network of that name has a folder for drop-ins beside it.
[[nodiscard]] bool hasDropInFolder(const QByteArray &network);

// The types of single-plugin configs, in the order of their names; what is none is left out, as libcni does with it.
[[nodiscard]] QByteArrayList pluginTypes(QList<Entry> entries);

} // namespace firstwatch::preview
