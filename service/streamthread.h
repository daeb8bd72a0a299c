// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "journal/journal.h"
#include "service/health.h"
#include "service/heartbeat.h"
#include "service/settings.h"
#include "service/streamkey.h"
#include "stream/server.h"

#include <QThread>

namespace firstwatch::service {

// The stream server and the health port in a thread of their own: patching never waits for a socket. Only finished
// events, heartbeats and the word "ready" go over to it. What was recorded before it is caught up from the ring; why
// one of them cannot be reached is a finding.
class StreamThread final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(StreamThread)
public:
    StreamThread(
        journal::Journal &journal, const Settings &settings, const Heartbeat &heartbeat, watch::Inotify &inotify);
    // Hands on what was recorded and tells the clients; waits for them, but not long.
    ~StreamThread() override;

    // What the patch with this seq has changed; its event was recorded before.
    void tellTexts(quint64 seq, const QByteArray &name, const QByteArray &before, const QByteArray &after);
    // Whether the node is ready, as the health port says it; not until it is told.
    void setReady(bool ready);

private:
    void addHealth(journal::Journal &journal, const Settings &settings, const Heartbeat &heartbeat);
    void catchUp(const journal::Ring &ring);

    StreamKey m_key; // in the thread of the journal
    QThread m_thread;
    stream::Server *m_server; // lives in the thread, and ends with it
    Health *m_health = nullptr; // as well; none without a port
    bool m_ready = false; // as last told
};

} // namespace firstwatch::service
