// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "service/http.h"
#include "stream/acceptor.h"
#include "stream/linger.h"
#include "stream/wire.h"

#include <QTimer>

#include <functional>
#include <map>
#include <memory>

namespace firstwatch::service {

struct HttpLimits {
    int connections = 32; // with those that are being closed; one more drops the oldest
    qsizetype headBytes = 8LL * 1024;
    int headMs = 3000; // until the head is whole
    stream::Limits socket = socketLimits(); // of accepting and of closing

    static constexpr int backlog = 64;
    [[nodiscard]] static stream::Limits socketLimits();
};

// Answers each connection once and closes it. Never blocks; who sends slowly, or nothing, is in nobody's way.
class HttpServer final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(HttpServer)
public:
    using Answer = std::function<HttpAnswer(const QByteArray &path)>;
    HttpServer(sys::FileDescriptor listening, HttpLimits limits, Answer answer);
    ~HttpServer() override;

private:
    class Connection;

    void take(sys::FileDescriptor socket);

    const sys::FileDescriptor m_listening;
    const HttpLimits m_limits;
    const Answer m_answer;
    std::map<quint64, std::unique_ptr<Connection>> m_connections; // by age
    quint64 m_last = 0;
    stream::Acceptor m_acceptor;
};

} // namespace firstwatch::service
