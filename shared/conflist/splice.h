// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conflist/config.h"
#include "conflist/style.h"

#include <QByteArrayList>

#include <vector>

// Changes to the elements of "plugins" that leave every other byte alone. The config must be the text's own.
namespace firstwatch::conflist {

struct Edit {
    Span span;
    QByteArray text;
};
// `edits` in the order of the text, without overlap.
[[nodiscard]] QByteArray edited(QByteArrayView text, const QList<Edit> &edits);

// Takes out element `index`, of several, with the one separator that appended() would have put before it. `removed`
// says of each element whether it goes; at least one has to stay.
[[nodiscard]] Edit removal(const QList<Plugin> &plugins, const std::vector<bool> &removed, qsizetype index);

// How the file writes an element: like its last plugin that is not of `ownTypes`; one that spans lines is preferred,
// because it shows more.
[[nodiscard]] Style elementStyle(QByteArrayView text, const Config &config, const QByteArrayList &ownTypes);

// Puts `elements`, JSON texts, after the last one, in `style`. Needs at least one element.
[[nodiscard]] QByteArray appended(
    QByteArrayView text, const Config &config, const QByteArrayList &elements, const Style &style);

} // namespace firstwatch::conflist
