// SPDX-License-Identifier: Apache-2.0
#include "stream/server.h"

#include "journal/findingcodes.h"
#include "stream/acceptor.h"
#include "stream/desk.h"
#include "stream/linger.h"
#include "stream/loopback.h"
#include "stream/peer.h"
#include "stream/session.h"
#include "stream/unixsocket.h"
#include "sys/clock.h"

#include <QTimer>

#include <algorithm>
#include <cerrno>
#include <vector>

namespace firstwatch::stream {

namespace code = journal::code;

constexpr int quietMs = 50;

class Server::Private {
public:
    Private(Server &server, ServerOptions options)
        : q(server)
        , desk(std::move(options))
        , quiet(&server) // goes with it to another thread
    {
        quiet.setSingleShot(true);
        quiet.setInterval(quietMs);
        connect(&quiet, &QTimer::timeout, &server, [this] { desk.diffs.settle(); });
    }

    void listenLocally();
    void listenOnPort();
    [[nodiscard]] int listenOn(Loopback address);
    void takeLocal(sys::FileDescriptor socket);
    void takeTcp(sys::FileDescriptor socket);
    void begin(sys::FileDescriptor socket, Session::Proof proof);
    void end(Session *session);
    void letGo(Wire::Released wire);
    void forget(Linger *linger, bool whole);
    void countRefused(const Acceptor &acceptor);
    void settle();

    Server &q;
    Desk desk;
    std::unique_ptr<UnixSocket> unixSocket;
    std::vector<sys::FileDescriptor> tcpSockets;
    std::vector<std::unique_ptr<Acceptor>> acceptors; // of the two above
    std::vector<std::unique_ptr<Session>> sessions;
    std::vector<std::unique_ptr<Linger>> lingers;
    QTimer quiet; // since the last patch
    bool stopping = false;
};

void Server::Private::listenLocally()
{
    const ServerOptions &options = desk.options;
    unixSocket = std::make_unique<UnixSocket>(options.socketPath, options.limits.backlog, options.socketGroup);
    if (unixSocket->fd() < 0)
        Q_EMIT q.problem(code::streamSocket, QStringLiteral("no stream socket: ") + unixSocket->problem());
    else if (!unixSocket->problem().isEmpty())
        Q_EMIT q.problem(code::streamSocket, unixSocket->problem());
    if (unixSocket->fd() < 0)
        return;
    acceptors.push_back(std::make_unique<Acceptor>(
        unixSocket->fd(), options.limits, [this](sys::FileDescriptor socket) { takeLocal(std::move(socket)); }));
    countRefused(*acceptors.back());
}

// Whoever is on the node reaches the loopback of its own network namespace.
void Server::Private::listenOnPort()
{
    const ServerOptions &options = desk.options;
    if (options.needsKey && desk.key.isEmpty())
        return;
    if (options.inHostNetwork && desk.key.isEmpty()) {
        Q_EMIT q.problem(code::streamPort,
            QStringLiteral("port %1 is not opened: in the host's network every process of the node could read it, so "
                           "it needs a key (--stream-key-file)")
                .arg(options.tcpPort));
        return;
    }
    const int errors[]{ listenOn(Loopback::V4), listenOn(Loopback::V6) };
    QStringList failed;
    for (const Loopback address : { Loopback::V4, Loopback::V6 }) {
        const int error = errors[int(address)];
        const bool isUsual = isWithoutAddress(error) && !tcpSockets.empty();
        if (error != 0 && !isUsual)
            failed += QStringLiteral("%1 cannot be opened: %2")
                          .arg(loopbackName(address, options.tcpPort), qt_error_string(error));
    }
    if (!failed.isEmpty())
        Q_EMIT q.problem(code::streamPort, failed.join(QStringLiteral("; ")));
}

// 0, or the errno that tells why it is not.
int Server::Private::listenOn(Loopback address)
{
    const Limits &limits = desk.options.limits;
    sys::FileDescriptor socket = listenOnLoopback(address, desk.options.tcpPort, limits.backlog);
    if (!socket.isValid())
        return errno;
    acceptors.push_back(std::make_unique<Acceptor>(
        socket.get(), limits, [this](sys::FileDescriptor taken) { takeTcp(std::move(taken)); }));
    countRefused(*acceptors.back());
    tcpSockets.push_back(std::move(socket));
    return 0;
}

void Server::Private::countRefused(const Acceptor &acceptor)
{
    connect(&acceptor, &Acceptor::refused, &q, [this] { ++desk.counters.refused; });
}

void Server::Private::takeLocal(sys::FileDescriptor socket)
{
    if (isTrustedPeer(socket.get(), desk.options.socketGroup))
        begin(std::move(socket), Session::Proof::Peer);
    else
        ++desk.counters.refused;
}

void Server::Private::takeTcp(sys::FileDescriptor socket)
{
    tuneConnection(socket.get());
    if (!desk.failures.isClosed(sys::bootTimeNs()))
        return begin(std::move(socket), desk.key.isEmpty() ? Session::Proof::None : Session::Proof::Challenge);
    ++desk.counters.refused;
    letGo({ std::move(socket), {} });
    settle();
}

void Server::Private::begin(sys::FileDescriptor socket, Session::Proof proof)
{
    ++desk.counters.accepted;
    sessions.push_back(std::make_unique<Session>(std::move(socket), desk, proof));
    Session *const session = sessions.back().get();
    connect(session, &Session::greeted, &q, [this] { settle(); });
    // Queued: it is still at work when it says so.
    connect(
        session, &Session::finished, &q, [this, session] { end(session); }, Qt::QueuedConnection);
    session->start();
    settle();
}

void Server::Private::end(Session *session)
{
    const auto found =
        std::find_if(sessions.begin(), sessions.end(), [session](const auto &each) { return each.get() == session; });
    Wire::Released wire = (*found)->release();
    sessions.erase(found);
    if (wire.socket.isValid())
        letGo(std::move(wire));
    settle();
}

void Server::Private::letGo(Wire::Released wire)
{
    lingers.push_back(std::make_unique<Linger>(std::move(wire), desk.options.limits));
    Linger *const linger = lingers.back().get();
    connect(
        linger, &Linger::done, &q, [this, linger](bool whole) { forget(linger, whole); }, Qt::QueuedConnection);
}

void Server::Private::forget(Linger *linger, bool whole)
{
    if (!whole)
        ++desk.counters.cutOff;
    const auto isIt = [linger](const auto &each) { return each.get() == linger; };
    lingers.erase(std::remove_if(lingers.begin(), lingers.end(), isIt), lingers.end());
    settle();
}

// After anything that changes who is there.
void Server::Private::settle()
{
    const Limits &limits = desk.options.limits;
    const auto greeted =
        std::count_if(sessions.begin(), sessions.end(), [](const auto &session) { return session->hasSaidHello(); });
    const auto all = int(sessions.size() + lingers.size());
    const bool hasRoom = !stopping && all < limits.clients && all - int(greeted) < limits.withoutHello;
    for (const auto &acceptor : acceptors)
        acceptor->setOpen(hasRoom);
    desk.counters.clients = int(greeted);
    if (stopping && all == 0)
        Q_EMIT q.stopped();
}

Server::Server(ServerOptions options, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(*this, std::move(options)))
{
}

Server::~Server() = default;

void Server::start()
{
    if (!d->desk.options.socketPath.isEmpty())
        d->listenLocally();
    if (d->desk.options.tcpPort != 0)
        d->listenOnPort();
}

void Server::append(const journal::Event &event, const QByteArray &line)
{
    const QList<Tape::Evicted> evicted = d->desk.tape.append(event, line);
    if (event.kind == journal::Kind::PatchApplied)
        d->desk.diffs.expect(event.seq, event.tNs);
    for (const auto &session : d->sessions) {
        session->noteEvicted(evicted);
        session->pump();
    }
}

void Server::appendTexts(quint64 seq, const QByteArray &name, const QByteArray &before, const QByteArray &after)
{
    d->desk.diffs.note({ seq, d->desk.tape.view().boot, name, before, after });
    d->quiet.start(); // anew with each: a burst is over when it has ended
    for (const auto &session : d->sessions)
        session->noteTexts();
}

void Server::setKey(const QByteArray &key)
{
    d->desk.key = key;
    if (d->stopping || d->desk.options.tcpPort == 0 || !d->tcpSockets.empty())
        return;
    d->listenOnPort();
    d->settle();
}

void Server::stop()
{
    d->stopping = true;
    d->acceptors.clear();
    d->unixSocket.reset();
    d->tcpSockets.clear();
    for (const auto &session : d->sessions)
        session->close(QStringLiteral("shutdown"));
    d->settle();
}

const journal::NodeView &Server::view() const
{
    return d->desk.tape.view();
}

const Counters &Server::counters() const
{
    return d->desk.counters;
}

} // namespace firstwatch::stream
