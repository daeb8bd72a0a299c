// SPDX-License-Identifier: Apache-2.0
#include "stream/session.h"

#include "stream/answers.h"
#include "sys/clock.h"

#include <QJsonArray>

#include <algorithm>
#include <utility>

namespace firstwatch::stream {
namespace {

QLatin1String proofName(Session::Proof proof)
{
    switch (proof) {
    case Session::Proof::Peer:
        return QLatin1String("peercred");
    case Session::Proof::Challenge:
        return QLatin1String("hmac-sha256");
    case Session::Proof::None:
        break;
    }
    return QLatin1String("none");
}

QJsonObject majors(int theirs)
{
    return { { QStringLiteral("server"), protocolMajor }, { QStringLiteral("client"), theirs } };
}

QString wrongMajor(int theirs)
{
    return QStringLiteral("the client speaks %1 %2, this node %3: update %4")
        .arg(QLatin1String(protocolName))
        .arg(theirs)
        .arg(protocolMajor)
        .arg(theirs < protocolMajor ? QStringLiteral("the client") : QStringLiteral("the node"));
}

} // namespace

Session::Session(sys::FileDescriptor socket, Desk &desk, Proof proof)
    : m_desk(desk)
    , m_proof(proof)
    , m_wire(std::move(socket))
    , m_lines(longestRequest)
    , m_requests(desk.options.limits.requestsPerSecond, desk.options.limits.requestBurst)
{
    const Limits &limits = desk.options.limits;
    if (proof == Proof::Challenge)
        m_challenge.emplace(desk.key, desk.options.node.toUtf8());
    for (QTimer *timer : { &m_deadline, &m_pause, &m_stall, &m_thaw, &m_late })
        timer->setSingleShot(true);
    m_stall.setInterval(limits.stallMs);
    connect(&m_wire, &Wire::received, this, &Session::received);
    connect(&m_wire, &Wire::moved, this, &Session::moved);
    connect(&m_wire, &Wire::broken, this, &Session::finish);
    connect(&m_wire, &Wire::ended, this, [this] {
        m_ended = true;
        serve();
    });
    connect(&m_deadline, &QTimer::timeout, this, [this] { close(QStringLiteral("limit")); });
    connect(&m_pause, &QTimer::timeout, this, &Session::serve);
    connect(&m_ping, &QTimer::timeout, this, &Session::tick);
    connect(&m_thaw, &QTimer::timeout, this, [this] { m_frozen.reset(); });
    connect(&m_late, &QTimer::timeout, this, &Session::answerDiff);
    connect(&m_stall, &QTimer::timeout, this, [this] {
        ++m_desk.counters.stalled;
        close(QStringLiteral("limit"));
    });
    m_deadline.start(proof == Proof::Challenge ? limits.challengeMs : limits.helloMs);
    m_ping.start(limits.pingMs);
}

void Session::start()
{
    QJsonObject hello{ { QStringLiteral("proto"), QLatin1String(protocolName) },
        { QStringLiteral("major"), protocolMajor }, { QStringLiteral("minor"), protocolMinor },
        { QStringLiteral("daemon"), m_desk.options.version }, { QStringLiteral("node"), m_desk.options.node },
        { QStringLiteral("boot"), QString::fromLatin1(m_desk.tape.view().boot) },
        { QStringLiteral("auth"), QJsonArray{ proofName(m_proof) } },
        { QStringLiteral("limits"),
            QJsonObject{ { QStringLiteral("rx"), longestRequest }, { QStringLiteral("tx"), longestFrame } } } };
    if (m_challenge)
        hello.insert(QStringLiteral("nonce"), QString::fromLatin1(m_challenge->nonce()));
    send(notificationLine(QStringLiteral("hello"), hello));
}

void Session::noteEvicted(const QList<Tape::Evicted> &events)
{
    if (m_cursor)
        std::for_each(events.begin(), events.end(), [this](const auto &event) { m_cursor->noteEvicted(event); });
}

// A frame of ours begins with a brace, and what begins with anything else (HTTP, TLS, SSH, NUL) will not become one.
// A bracket is a batch, which gets its error.
void Session::received(const QByteArray &bytes)
{
    const bool speaks = m_hasSpoken || bytes.startsWith('{') || bytes.startsWith('[');
    m_hasSpoken = true;
    if (!speaks) {
        ++m_desk.counters.malformed;
        return close(QStringLiteral("protocol"));
    }
    if (!m_lines.append(bytes)) {
        ++m_desk.counters.malformed;
        send(errorLine({}, ErrorCode::TooLarge, QStringLiteral("a line has at most %1 bytes").arg(longestRequest)));
        return close(QStringLiteral("limit"));
    }
    serve();
}

bool Session::mayTake() const
{
    return !m_finished && !m_hasFailed && m_wire.pending() == 0 && !m_pause.isActive() && !m_diff;
}

void Session::serve()
{
    while (mayTake()) {
        const std::optional<QByteArray> line = m_lines.next();
        if (!line)
            break;
        take(*line);
    }
    m_wire.setReading(mayTake());
    pump();
    // Who has said all it wants to, gets what it asked for up to the present. The pump stopped with nothing pending,
    // so the client has all.
    if (m_ended && mayTake())
        close(QStringLiteral("end"));
}

void Session::take(const QByteArray &line)
{
    m_unanswered = 0;
    const Message message = parseMessage(line);
    const auto *request = std::get_if<Request>(&message);
    if (const auto *malformed = std::get_if<Malformed>(&message))
        takeMalformed(*malformed);
    else if (!m_requests.take(sys::bootTimeNs()))
        limit(request ? *request : Request{});
    else if (request)
        takeRequest(*request);
}

void Session::limit(const Request &request)
{
    const int retryMs = m_requests.waitMs(sys::bootTimeNs());
    ++m_desk.counters.limited;
    m_pause.start(retryMs);
    if (!request.method.isEmpty())
        send(errorLine(request.id, ErrorCode::Rate,
            QStringLiteral("more than %1 requests a second").arg(m_desk.options.limits.requestsPerSecond),
            { { QStringLiteral("retry_ms"), retryMs } }));
}

void Session::takeMalformed(const Malformed &malformed)
{
    ++m_desk.counters.malformed;
    send(errorLine(malformed.id, malformed.code, malformed.reason));
    if (!m_greeted)
        close(QStringLiteral("protocol"));
}

void Session::takeRequest(const Request &request)
{
    if (request.params.size() > mostMembers)
        return send(errorLine(request.id, ErrorCode::InvalidRequest,
            QStringLiteral("\"params\" has at most %1 members").arg(mostMembers)));
    if (request.method == u"hello")
        return takeHello(request);
    if (!m_greeted)
        return send(errorLine(request.id, ErrorCode::Unauthorised, QStringLiteral("hello comes first")));
    if (request.method == u"subscribe")
        return send(subscribe(request));
    if (request.method == u"unsubscribe")
        return send(unsubscribe(request));
    if (request.method == u"snapshot")
        return send(snapshot(request));
    if (request.method == u"diff")
        return takeDiff(request);
    send(answer(request, m_desk));
}

// An event goes out as soon as it is told, and what a patch changed is told next: who asks in between waits for it.
void Session::takeDiff(const Request &request)
{
    m_diff = request;
    const quint64 seq = seqParameter(request.params, u"seq", 0).value_or(0);
    if (const int waitMs = m_desk.diffs.waitMs(seq, sys::bootTimeNs()); waitMs > 0)
        return m_late.start(waitMs);
    m_desk.diffs.settle();
    send(answer(*std::exchange(m_diff, std::nullopt), m_desk));
}

void Session::noteTexts()
{
    if (m_diff && m_desk.diffs.waitMs(seqParameter(m_diff->params, u"seq", 0).value_or(0), sys::bootTimeNs()) == 0)
        answerDiff();
}

void Session::answerDiff()
{
    m_late.stop();
    m_desk.diffs.settle();
    send(answer(*std::exchange(m_diff, std::nullopt), m_desk));
    serve();
}

void Session::takeHello(const Request &request)
{
    if (m_greeted)
        return send(errorLine(request.id, ErrorCode::InvalidRequest, QStringLiteral("hello was said already")));
    QJsonObject proof;
    if (m_challenge) {
        const std::optional<QByteArray> ours = m_challenge->check(request.params, m_desk.tape.view().boot);
        if (!ours)
            return failChallenge(request.id);
        proof.insert(QStringLiteral("smac"), QString::fromLatin1(*ours));
    }
    const int theirs = request.params.value(u"major").toInt();
    if (theirs == protocolMajor)
        return acceptHello(request, proof);
    send(errorLine(request.id, ErrorCode::WrongMajor, wrongMajor(theirs), majors(theirs)));
    close(QStringLiteral("protocol"));
}

void Session::acceptHello(const Request &request, const QJsonObject &proof)
{
    m_greeted = true;
    m_deadline.stop();
    QJsonObject result = proof;
    result.insert(QStringLiteral("minor"), std::clamp(request.params.value(u"minor").toInt(), 0, protocolMinor));
    result.insert(QStringLiteral("role"), QStringLiteral("read"));
    send(resultLine(request.id, result));
    Q_EMIT greeted();
}

// The same answer after the same time, whatever was wrong.
void Session::failChallenge(qint64 id)
{
    m_hasFailed = true;
    ++m_desk.counters.failures;
    m_desk.failures.fail(sys::bootTimeNs());
    m_deadline.stop();
    QTimer::singleShot(m_desk.options.limits.failureMs, this, [this, id] {
        send(errorLine(id, ErrorCode::Unauthorised, QStringLiteral("not authorised")));
        close(QStringLiteral("auth"));
    });
}

QByteArray Session::subscribe(const Request &request)
{
    const Tape &tape = m_desk.tape;
    const QString boot = QString::fromLatin1(tape.view().boot);
    const std::optional<quint64> since = seqParameter(request.params, u"since", 0);
    if (tape.last() == 0)
        return errorLine(request.id, ErrorCode::NotReady, QStringLiteral("nothing has happened yet: ask again"));
    if (const std::optional<QByteArray> error = bootError(request, tape))
        return *error;
    if (!since || *since > tape.last())
        return errorLine(
            request.id, ErrorCode::InvalidParams, QStringLiteral("since is an integer from 0 to %1").arg(tape.last()));
    m_cursor.emplace(tape, *since);
    return resultLine(request.id,
        { { QStringLiteral("boot"), boot }, { QStringLiteral("since"), qint64(*since) },
            { QStringLiteral("last"), qint64(tape.last()) } });
}

QByteArray Session::unsubscribe(const Request &request)
{
    const quint64 last = m_cursor ? m_cursor->last() : 0;
    m_cursor.reset();
    return resultLine(request.id, { { QStringLiteral("last"), qint64(last) } });
}

QByteArray Session::snapshot(const Request &request)
{
    if (m_desk.tape.last() == 0)
        return errorLine(request.id, ErrorCode::NotReady, QStringLiteral("nothing has happened yet: ask again"));
    if (request.params.contains(u"seq"))
        return restOfSnapshot(request);
    m_frozen = m_desk.snapshots.freeze(m_desk.tape);
    QJsonObject part = snapshotPart(*m_frozen, {});
    if (part.contains(u"next") && !m_desk.snapshots.keep(m_frozen))
        part.remove(QStringLiteral("next"));
    if (part.contains(u"next"))
        m_thaw.start(m_desk.options.limits.snapshotMs);
    else
        m_frozen.reset();
    return resultLine(request.id, part);
}

QByteArray Session::restOfSnapshot(const Request &request)
{
    const auto seq = seqParameter(request.params, u"seq", 0);
    const auto files = seqParameter(request.params, u"files", 0);
    const auto findings = seqParameter(request.params, u"findings", 0);
    if (const std::optional<QByteArray> error = bootError(request, m_desk.tape))
        return *error;
    if (!m_frozen || seq != m_frozen->seq)
        return errorLine(
            request.id, ErrorCode::NotKept, QStringLiteral("that snapshot is not kept: ask for a new one"));
    if (!files || !findings || *files > quint64(m_frozen->files.size())
        || *findings > quint64(m_frozen->findings.size()))
        return errorLine(
            request.id, ErrorCode::InvalidParams, QStringLiteral("files and findings are those of \"next\""));
    const QJsonObject part = snapshotPart(*m_frozen, { qsizetype(*files), qsizetype(*findings) });
    if (part.contains(u"next"))
        m_thaw.start(m_desk.options.limits.snapshotMs);
    else
        m_frozen.reset();
    return resultLine(request.id, part);
}

void Session::pump()
{
    while (!m_finished && m_cursor && m_wire.pending() == 0) {
        const quint64 gaps = m_cursor->gaps();
        const quint64 missed = m_cursor->missed();
        const QByteArray frames = m_cursor->take(m_desk.tape, m_desk.options.limits.atATime);
        if (frames.isEmpty())
            break;
        send(frames);
        m_desk.counters.gaps += qint64(m_cursor->gaps() - gaps);
        m_desk.counters.dropped += qint64(m_cursor->missed() - missed);
    }
}

// A port-forward can go silent without an error, so each ping wants a word in return. While something is on its way
// to the client, its own timer looks after it.
void Session::tick()
{
    if (m_wire.pending() > 0)
        return;
    if (m_unanswered == m_desk.options.limits.misses) {
        ++m_desk.counters.silent;
        return close(QStringLiteral("limit"));
    }
    ++m_unanswered;
    send(notificationLine(QStringLiteral("ping"),
        { { QStringLiteral("seq"), qint64(m_desk.tape.last()) }, { QStringLiteral("t_ns"), sys::bootTimeNs() } }));
}

void Session::moved()
{
    if (m_wire.pending() > 0)
        return m_stall.start();
    m_stall.stop();
    serve();
}

void Session::send(const QByteArray &bytes)
{
    if (m_finished)
        return;
    m_wire.write(bytes);
    if (m_wire.pending() > 0 && !m_stall.isActive())
        m_stall.start();
}

void Session::close(const QString &why)
{
    send(notificationLine(QStringLiteral("bye"),
        { { QStringLiteral("why"), why }, { QStringLiteral("last"), qint64(m_desk.tape.last()) } }));
    finish();
}

void Session::finish()
{
    if (m_finished)
        return;
    m_finished = true;
    m_wire.setReading(false);
    for (QTimer *timer : { &m_deadline, &m_pause, &m_ping, &m_stall, &m_thaw, &m_late })
        timer->stop();
    m_frozen.reset();
    m_desk.counters.bytes += m_wire.written();
    Q_EMIT finished();
}

} // namespace firstwatch::stream
