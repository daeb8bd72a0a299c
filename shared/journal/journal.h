// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conflist/finding.h"
#include "journal/event.h"
#include "journal/ring.h"
#include "journal/state.h"

#include <QMap>
#include <QObject>
#include <QQueue>

#include <utility>

namespace firstwatch::journal {

// Records what happened. Numbers the events of this run, keeps the ring and the folded state, and hands each event on.
class Journal final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Journal)
public:
    explicit Journal(QObject *parent = nullptr);

    // The fields are redacted here, before anything keeps or shows them.
    Event record(Kind kind, const QJsonObject &fields = {});
    // Opens or closes a finding about a file (empty name: about the node). Opening an open one with the same text, or
    // closing one that is not open, records nothing.
    void openFinding(const Finding &finding, const QByteArray &file = {}, const QJsonObject &extra = {});
    void closeFinding(int code, const QByteArray &file = {});
    void closeFindings(const QByteArray &file); // all of a file

    [[nodiscard]] const QByteArray &boot() const { return m_boot; }
    [[nodiscard]] const NodeState &state() const { return m_state; }
    [[nodiscard]] const Ring &ring() const { return m_ring; }

Q_SIGNALS:
    // `line` is the event as every sink writes it: toLine(event), made once. In order also when a slot records more.
    void recorded(const firstwatch::journal::Event &event, const QByteArray &line);

private:
    void handOn(const Event &event, const QByteArray &line);

    QByteArray m_boot;
    quint64 m_seq = 0;
    Ring m_ring;
    NodeState m_state;
    QMap<std::pair<QByteArray, int>, QString> m_open; // file and code -> text
    QQueue<std::pair<Event, QByteArray>> m_pending;
};

} // namespace firstwatch::journal
