// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QByteArrayList>
#include <QByteArrayView>

namespace firstwatch::conflist {

// The configs that string values of `text` name with their last path component, as multus' "readinessindicatorfile"
// does. Renaming such a file breaks its reader (openshift/cluster-network-operator#568).
[[nodiscard]] QByteArrayList namedConfigs(const QByteArray &text);

// True when an object inside `object`, not itself, has one of `types`, as a meta plugin's delegates have.
[[nodiscard]] bool nestsType(QByteArrayView object, const QByteArrayList &types);

} // namespace firstwatch::conflist
