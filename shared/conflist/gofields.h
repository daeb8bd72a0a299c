// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conflist/scan.h"

#include <vector>

// How Go's encoding/json finds members, because each runtime reads its configs with it: exactly and the last one wins
// in a map[string]interface{}; by case folding in a struct, where null leaves the field as it was.
namespace firstwatch::conflist {

// Null when there is none.
[[nodiscard]] const Item *lastMember(const QList<Item> &members, QByteArrayView name);
[[nodiscard]] const Item *structField(const QList<Item> &members, QByteArrayView name);
[[nodiscard]] bool foldsTo(const QByteArray &name, QByteArrayView field);

// The members as they stand, and as they come out of a map again: one per key, sorted by bytes. Pointers into
// `members`.
[[nodiscard]] std::vector<const Item *> inOrder(const QList<Item> &members);
[[nodiscard]] std::vector<const Item *> throughMap(const QList<Item> &members);

// The first key that occurs twice, or null.
[[nodiscard]] const Item *repeatedMember(const QList<Item> &members);

} // namespace firstwatch::conflist
