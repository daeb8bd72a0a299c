// SPDX-License-Identifier: Apache-2.0
#include "stream/connection.h"

#include <QLocalSocket>
#include <QProcess>
#include <QTcpSocket>

#include <csignal>
#include <sys/prctl.h>

namespace firstwatch::stream {
namespace {

class LocalConnection final : public Connection {
public:
    explicit LocalConnection(QString path)
        : m_path(std::move(path))
    {
        connect(&m_socket, &QLocalSocket::connected, this, &Connection::opened);
        connect(&m_socket, &QLocalSocket::disconnected, this,
            [this] { Q_EMIT closed(QStringLiteral("the service closed the connection")); });
        connect(&m_socket, &QLocalSocket::errorOccurred, this, &LocalConnection::fail);
    }
    void open() override { m_socket.connectToServer(m_path); }
    QIODevice &device() override { return m_socket; }

private:
    void fail(QLocalSocket::LocalSocketError error)
    {
        if (error == QLocalSocket::PeerClosedError)
            return; // disconnected() comes
        if (error == QLocalSocket::ServerNotFoundError)
            Q_EMIT closed(QStringLiteral("nothing is there"));
        else if (error == QLocalSocket::ConnectionRefusedError)
            Q_EMIT closed(QStringLiteral("nobody listens: the service has ended without a word"));
        else if (error == QLocalSocket::SocketAccessError)
            Q_EMIT closed(QStringLiteral("permission denied: only root and the service's own user may connect"));
        else
            Q_EMIT closed(m_socket.errorString());
    }

    QString m_path;
    QLocalSocket m_socket;
};

class TcpConnection final : public Connection {
public:
    TcpConnection(QString host, quint16 port)
        : m_host(std::move(host))
        , m_port(port)
    {
        connect(&m_socket, &QTcpSocket::connected, this, &Connection::opened);
        connect(&m_socket, &QTcpSocket::disconnected, this,
            [this] { Q_EMIT closed(QStringLiteral("the other end closed the connection")); });
        connect(&m_socket, &QTcpSocket::errorOccurred, this, [this](QAbstractSocket::SocketError error) {
            if (error != QAbstractSocket::RemoteHostClosedError)
                Q_EMIT closed(m_socket.errorString());
        });
    }
    void open() override { m_socket.connectToHost(m_host, m_port); }
    QIODevice &device() override { return m_socket; }

private:
    QString m_host;
    quint16 m_port;
    QTcpSocket m_socket;
};

// Ends with this object, and with this process however that ends.
class CommandConnection final : public Connection {
public:
    explicit CommandConnection(const QStringList &command)
    {
        m_process.setProgram(command.value(0));
        m_process.setArguments(command.mid(1));
        m_process.setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGTERM); });
        connect(&m_process, &QProcess::started, this, &Connection::opened);
        connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
            if (error == QProcess::FailedToStart)
                Q_EMIT closed(m_process.errorString());
        });
        connect(&m_process, &QProcess::readyReadStandardError, this, &CommandConnection::keepLastWords);
        connect(&m_process, &QProcess::finished, this, [this] { Q_EMIT closed(farewell()); });
    }
    ~CommandConnection() override
    {
        disconnect(&m_process, nullptr, this, nullptr);
        m_process.kill();
        m_process.waitForFinished();
    }
    Q_DISABLE_COPY_MOVE(CommandConnection)
    void open() override { m_process.start(); }
    QIODevice &device() override { return m_process; }

private:
    void keepLastWords()
    {
        constexpr qsizetype longest = 4096;
        m_lastWords += m_process.readAllStandardError();
        m_lastWords = m_lastWords.right(longest);
    }
    QString farewell()
    {
        keepLastWords();
        const QString words = QString::fromUtf8(m_lastWords.trimmed());
        return words.isEmpty()
            ? QStringLiteral("%1 ended with code %2").arg(m_process.program()).arg(m_process.exitCode())
            : words.section(u'\n', -1);
    }

    QProcess m_process;
    QByteArray m_lastWords;
};

} // namespace

std::unique_ptr<Connection> Connection::make(const Endpoint &endpoint)
{
    switch (endpoint.kind) {
    case Endpoint::Kind::Local:
        return std::make_unique<LocalConnection>(endpoint.path);
    case Endpoint::Kind::Tcp:
        return std::make_unique<TcpConnection>(endpoint.host, endpoint.port);
    case Endpoint::Kind::Command:
        return std::make_unique<CommandConnection>(endpoint.command);
    }
    return {};
}

} // namespace firstwatch::stream
