// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "journal/journal.h"
#include "service/settings.h"
#include "stream/server.h"

#include <QThread>

namespace firstwatch::service {

// The stream server in a thread of its own: patching never waits for a socket. Only finished events go over to it. What
// was recorded before it is caught up from the ring; why it cannot be reached is a finding.
class StreamThread final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(StreamThread)
public:
    StreamThread(journal::Journal &journal, const Settings &settings, QObject *parent = nullptr);
    // Hands on what was recorded and tells the clients; waits for them, but not long.
    ~StreamThread() override;

private:
    QThread m_thread;
    stream::Server *m_server; // lives in the thread, and ends with it
};

} // namespace firstwatch::service
