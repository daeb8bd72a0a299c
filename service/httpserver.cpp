// SPDX-License-Identifier: Apache-2.0
#include "service/httpserver.h"

namespace firstwatch::service {

using Parse = HttpRequest::Parse;

class HttpServer::Connection final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Connection)
public:
    Connection(sys::FileDescriptor socket, const HttpLimits &limits, const Answer &answer);

Q_SIGNALS:
    void finished();

private:
    void received(const QByteArray &bytes);
    void reply(const HttpAnswer &answer, bool headOnly = false);

    const HttpLimits &m_limits;
    const Answer &m_answer;
    QByteArray m_head;
    stream::Wire m_wire;
    std::unique_ptr<stream::Linger> m_linger; // once it is answered
    QTimer m_deadline;
};

HttpServer::Connection::Connection(sys::FileDescriptor socket, const HttpLimits &limits, const Answer &answer)
    : m_limits(limits)
    , m_answer(answer)
    , m_wire(std::move(socket))
{
    connect(&m_wire, &stream::Wire::received, this, &Connection::received);
    connect(&m_wire, &stream::Wire::ended, this, &Connection::finished);
    connect(&m_wire, &stream::Wire::broken, this, &Connection::finished);
    connect(&m_deadline, &QTimer::timeout, this, &Connection::finished);
    m_deadline.setSingleShot(true);
    m_deadline.start(limits.headMs);
}

void HttpServer::Connection::received(const QByteArray &bytes)
{
    m_head += bytes;
    const HttpRequest request = parseRequest(m_head.left(m_limits.headBytes));
    switch (request.parse) {
    case Parse::Incomplete:
        if (m_head.size() > m_limits.headBytes)
            reply({ 431, "the head of the request is too large\n" });
        break;
    case Parse::Malformed:
        reply({ 400, "this is not a request of HTTP/1.1\n" });
        break;
    case Parse::WrongMethod:
        reply({ 405, "only GET and HEAD\n" });
        break;
    case Parse::Good:
        reply(m_answer(request.path), request.headOnly);
        break;
    }
}

void HttpServer::Connection::reply(const HttpAnswer &answer, bool headOnly)
{
    m_deadline.stop();
    stream::Wire::Released wire = m_wire.release();
    wire.rest = answerBytes(answer, headOnly);
    m_linger = std::make_unique<stream::Linger>(std::move(wire), m_limits.socket);
    connect(m_linger.get(), &stream::Linger::done, this, &Connection::finished);
}

stream::Limits HttpLimits::socketLimits()
{
    stream::Limits limits;
    limits.opensPerSecond = 200; // a storm costs little, and a probe behind it waits for a third of a second
    return limits;
}

HttpServer::HttpServer(sys::FileDescriptor listening, HttpLimits limits, Answer answer)
    : m_listening(std::move(listening))
    , m_limits(limits)
    , m_answer(std::move(answer))
    , m_acceptor(m_listening.get(), m_limits.socket, [this](sys::FileDescriptor socket) { take(std::move(socket)); })
{
}

HttpServer::~HttpServer() = default;

void HttpServer::take(sys::FileDescriptor socket)
{
    if (m_connections.size() >= size_t(m_limits.connections))
        m_connections.erase(m_connections.begin());
    const quint64 number = ++m_last;
    auto connection = std::make_unique<Connection>(std::move(socket), m_limits, m_answer);
    // Queued: it is still at work when it says so. By number, as it may have been dropped meanwhile.
    connect(
        connection.get(), &Connection::finished, this, [this, number] { m_connections.erase(number); },
        Qt::QueuedConnection);
    m_connections.emplace(number, std::move(connection));
}

} // namespace firstwatch::service

#include "httpserver.moc"
