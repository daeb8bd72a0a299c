// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "journal/event.h"

// Fields of an event from outside: what is missing or of another type has the default of its type.
namespace firstwatch::ui {

// A number as its digits.
[[nodiscard]] inline QString textOf(const journal::Event &event, const char *name)
{
    const QJsonValue value = event.fields[QLatin1String(name)];
    return value.isDouble() ? QString::number(value.toInteger()) : value.toString();
}

[[nodiscard]] inline qint64 numberOf(const journal::Event &event, const char *name)
{
    return event.fields[QLatin1String(name)].toInteger();
}

// When a change was found, which is earlier than when it is told.
[[nodiscard]] inline qint64 foundNs(const journal::Event &event)
{
    const qint64 seenNs = numberOf(event, "seen_ns");
    return seenNs > 0 && seenNs < event.tNs ? seenNs : event.tNs;
}

} // namespace firstwatch::ui
