// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QByteArrayView>

namespace firstwatch::conflist {

// How the two sides are called in the head of a diff; without an end of a line in them.
struct DiffLabels {
    QByteArray before;
    QByteArray after;
};

// What changed between two texts, as diff -u and patch(1) have it: line by line, with `context` lines around each
// change. The shortest one as long as no more than some hundred lines differ; beyond that, all between the first and
// the last difference is replaced as a whole. Bytes stay as they are, ends of lines too. Empty when nothing changed.
[[nodiscard]] QByteArray unifiedDiff(
    QByteArrayView before, QByteArrayView after, const DiffLabels &labels, int context = 3);

} // namespace firstwatch::conflist
