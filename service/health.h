// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "service/heartbeat.h"
#include "service/httpserver.h"
#include "service/listenaddress.h"
#include "service/unprotected.h"
#include "stream/server.h"

#include <QElapsedTimer>

namespace firstwatch::service {

struct HealthLimits {
    int longestSilenceMs = Heartbeat::longestSilenceMs;
    int retryMs = 5000; // while the port cannot be had: a run that is being replaced may hold it
    HttpLimits http;
};

// The health port: GET /livez, /readyz and /metrics. Lives in the thread of the stream server, whose fold it shows, and
// is told the rest; so it answers, and says so, when the thread that patches hangs.
class Health final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Health)
public:
    // The server outlives it, and gets each event first.
    Health(ListenAddress address, quint16 port, const stream::Server &server, HealthLimits limits = {});

    // All of these in the thread that it lives in.
    void start();
    void append(const firstwatch::journal::Event &event);
    void beat(); // the event loop of the service turns
    void setReady(bool ready);

    [[nodiscard]] HttpAnswer answer(const QByteArray &path) const;

Q_SIGNALS:
    void opened();
    void refused(const QString &why); // each time that the port could not be opened

private:
    [[nodiscard]] HttpAnswer live() const;
    [[nodiscard]] HttpAnswer ready() const;
    [[nodiscard]] HttpAnswer metrics() const;
    [[nodiscard]] bool hangs() const;

    const ListenAddress m_address;
    const quint16 m_port;
    const HealthLimits m_limits;
    const stream::Server &m_stream;
    std::unique_ptr<HttpServer> m_http; // once it listens
    UnprotectedTime m_unprotected;
    qint64 m_arms = 0;
    QElapsedTimer m_beaten; // not while the machine sleeps, as the timer of the heartbeat does not count then either
    bool m_ready = false;
    QTimer m_retry;
};

} // namespace firstwatch::service
