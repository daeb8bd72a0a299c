// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "journal/event.h"

namespace firstwatch::test {

// Lines of a busy node: `count` events of one run, each made by itself as one that was read from a stream.
inline QList<journal::Event> manyEvents(int count, quint64 firstSeq = 1)
{
    QList<journal::Event> events;
    events.reserve(count);
    const qint64 startUs = 1'780'000'000'000'000;
    for (int number = 0; number < count; ++number) {
        journal::Event event;
        event.seq = firstSeq + quint64(number);
        event.boot = QByteArray("91c0a7d4e5f60718");
        event.tNs = qint64(event.seq) * 1'700'000;
        event.wallUs = startUs + qint64(event.seq) * 1'700;
        const QString file = QStringLiteral("%1-calico.conflist").arg(number % 7 * 10);
        event.fields.insert(QStringLiteral("file"), file);
        if (number % 2 == 0) {
            event.kind = journal::Kind::FileChange;
            event.fields.insert(QStringLiteral("via"), QStringLiteral("event"));
            event.fields.insert(QStringLiteral("mask"), 128);
        } else {
            event.kind = journal::Kind::PatchApplied;
            event.fields.insert(QStringLiteral("sha_before"), QStringLiteral("b5bb9d8014a0f9b1d61e21e796d78dcc"));
            event.fields.insert(QStringLiteral("sha_after"), QStringLiteral("7d865e959b2466918c9863afca942d0f"));
            event.fields.insert(QStringLiteral("us"), 300 + number % 200);
            event.fields.insert(QStringLiteral("repatch"), true);
        }
        events.append(event);
    }
    return events;
}

} // namespace firstwatch::test
