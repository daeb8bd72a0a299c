// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conflist/reader.h"

#include <QByteArray>
#include <QList>

namespace firstwatch::conflist {

// A member of an object or an element of an array.
struct Item {
    Span key; // with its quotes; empty for an element
    QByteArray name; // the key, decoded
    Span value;
    Kind kind = Kind::Null;
    QByteArray string; // the value, decoded, when it is a String
};

// One level of a JSON value. What lies deeper is checked, not kept: memory stays bounded by maximumItems, whatever
// the text holds.
struct Scan {
    static constexpr qsizetype maximumItems = 4096;

    std::optional<Finding> fault; // does not parse; the rest is then meaningless
    Kind kind = Kind::Null;
    Span value; // the value without the white space around it
    QList<Item> items; // of an object or an array, in the text's order, duplicates too
    bool truncated = false; // more than maximumItems
    int depth = 0; // of the deepest bracket
    qsizetype corruptibleNumber = -1; // first integer that a float64 cannot hold, at any depth
};

// Spans are in bytes of `text`; with `part` only that value is looked at.
[[nodiscard]] Scan scan(QByteArrayView text);
[[nodiscard]] Scan scan(QByteArrayView text, Span part);

} // namespace firstwatch::conflist
