// SPDX-License-Identifier: Apache-2.0
#include "preview/folder.h"

#include "conflist/activefile.h"
#include "conflist/plan.h"

#include <algorithm>

namespace firstwatch::preview {

bool isNetDir(const QByteArray &directoryName, const QByteArrayList &configs, bool wasNamed)
{
    const bool isCalledSo = wasNamed || directoryName == "net.d";
    return (isCalledSo && !configs.isEmpty()) || std::any_of(configs.begin(), configs.end(), conflist::isListName);
}

bool hasDropInFolder(const QByteArray &network)
{
    return !network.isEmpty() && !network.contains('/') && !network.startsWith('.');
}

// loadSubPlugins() of libcni/conf.go, v1.3.0: "*.conf" only.
QByteArrayList pluginTypes(QList<Entry> entries)
{
    std::sort(entries.begin(), entries.end(), [](const Entry &a, const Entry &b) { return a.name < b.name; });
    QByteArrayList types;
    for (const Entry &entry : std::as_const(entries)) {
        if (entry.status == patch::ReadStatus::Ok && entry.name.endsWith(".conf"))
            types += conflist::verdict(entry.name, entry.text).chain;
    }
    return types;
}

} // namespace firstwatch::preview
