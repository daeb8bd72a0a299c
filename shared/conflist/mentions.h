// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QByteArrayList>
#include <QByteArrayView>

namespace firstwatch::conflist {

// True when a string value in the config `text` names that file: its last path component is `fileName`, as in multus'
// "readinessindicatorfile". Renaming such a file breaks its reader (openshift/cluster-network-operator#568).
[[nodiscard]] bool refersToFile(const QByteArray &text, const QByteArray &fileName);

// True when an object inside `object`, not itself, has one of `types`, as a meta plugin's delegates have.
[[nodiscard]] bool nestsType(QByteArrayView object, const QByteArrayList &types);

} // namespace firstwatch::conflist
