// SPDX-License-Identifier: Apache-2.0
#include "stream/client.h"

#include "journal/findingcodes.h"
#include "journal/shownname.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QRandomGenerator>

#include <algorithm>

namespace firstwatch::stream {
namespace {

QByteArray randomNonce()
{
    QByteArray bytes(16, Qt::Uninitialized);
    QRandomGenerator::system()->generate(bytes.begin(), bytes.end());
    return bytes.toHex();
}

quint64 seqOf(const QJsonObject &params, QLatin1String name)
{
    return quint64(std::max<qint64>(params[name].toInteger(), 0));
}

constexpr qsizetype mostQuestions = 64; // without an answer
constexpr int mostParts = 256; // of a snapshot: 64 MiB
constexpr int mostStartedAnew = 5;
constexpr int longestRestMs = 5000; // whatever the node says
constexpr qsizetype mostMeanwhile = 65'536; // events while its parts come

int jittered(int ms)
{
    const int quarter = std::max(ms / 4, 1);
    return ms - quarter + QRandomGenerator::global()->bounded(2 * quarter);
}

QString byeText(const QString &why)
{
    if (why == QLatin1String("shutdown"))
        return QStringLiteral("the service on the node has ended");
    if (why == QLatin1String("limit"))
        return QStringLiteral("the node dropped this client: too many, or too slow");
    if (why == QLatin1String("end"))
        return QStringLiteral("the node had told all that it was asked for");
    return QStringLiteral("the node said goodbye: %1").arg(journal::shownText(why));
}

} // namespace

Client::Client(const Endpoint &endpoint, const Options &options, QObject *parent)
    : Client([endpoint] { return Connection::make(endpoint); }, options, parent)
{
}

Client::Client(Dial dial, Options options, QObject *parent)
    : QObject(parent)
    , m_dial(std::move(dial))
    , m_options(std::move(options))
    , m_lines(longestFrame)
    , m_retryMs(m_options.firstRetryMs)
{
    m_retry.setSingleShot(true);
    m_silence.setSingleShot(true);
    connect(&m_retry, &QTimer::timeout, this, &Client::open);
    connect(&m_silence, &QTimer::timeout, this,
        [this] { lose(QStringLiteral("no word from the node for %1 s").arg(m_options.silenceMs / 1000)); });
}

// The socket says goodbye while it is destroyed; nobody listens any more.
Client::~Client()
{
    if (m_connection)
        silence();
}

void Client::start()
{
    open();
}

int Client::troubleCode() const
{
    if (m_link != Link::Refused)
        return m_lostCode != 0 ? m_lostCode : journal::code::unreachable;
    return m_server.major == protocolMajor ? journal::code::keyRefused : journal::code::incompatible;
}

// ---- the link ----------------------------------------------------------------------------------------------------

void Client::open()
{
    m_retry.stop();
    m_lines = LineSplitter(longestFrame);
    m_promisedSeq = 0;
    m_isGreeted = false;
    setLink(Link::Connecting, {});
    m_connection = m_dial();
    connect(&m_connection->device(), &QIODevice::readyRead, this, &Client::readAll);
    connect(m_connection.get(), &Connection::closed, this, [this](const QString &why, int code) {
        readAll(); // the last words
        lose(why, code);
    });
    m_silence.start(m_options.silenceMs);
    m_connection->open();
}

void Client::readAll()
{
    if (!m_connection || !m_connection->device().isOpen())
        return;
    const bool isWhole = m_lines.append(m_connection->device().readAll());
    if (m_connection)
        m_silence.start(m_options.silenceMs);
    while (m_connection) {
        const std::optional<QByteArray> line = m_lines.next();
        if (!line)
            break;
        take(*line);
    }
    if (!isWhole)
        lose(QStringLiteral("what answers there is no Firstwatch service: it sent a line of more than %1 bytes")
                 .arg(longestFrame));
}

void Client::lose(const QString &why, int code)
{
    if (!m_connection)
        return;
    m_lostCode = code;
    drop();
    m_retry.start(jittered(m_retryMs));
    m_retryMs = std::min(2 * m_retryMs, m_options.longestRetryMs);
    setLink(Link::Lost, why);
}

void Client::refuse(const QString &why)
{
    drop();
    setLink(Link::Refused, why);
}

void Client::silence()
{
    m_connection->disconnect(this);
    m_connection->device().disconnect(this);
}

// Not destroyed at once: this may be called by one of its signals.
void Client::drop()
{
    m_silence.stop();
    if (m_connection) {
        silence();
        m_connection.release()->deleteLater();
    }
    m_fetch.reset();
    ++m_fetchNumber; // what comes late belongs to none
    const QMap<qint64, Answer> unanswered = std::exchange(m_answers, {});
    for (const Answer &answer : unanswered)
        answer({ 0, {}, ErrorCode::NotReady, QStringLiteral("the link broke before the answer"), {} });
}

void Client::setLink(Link link, const QString &trouble)
{
    const bool isNew = m_link != link || m_trouble != trouble;
    m_link = link;
    m_trouble = trouble;
    if (isNew)
        Q_EMIT linkChanged(link);
    if (!m_options.follow && !m_isDone && (link == Link::Lost || link == Link::Refused)) {
        m_isDone = true;
        m_retry.stop();
        Q_EMIT done();
    }
}

// ---- the conversation --------------------------------------------------------------------------------------------

void Client::call(const QString &method, const QJsonObject &params, const Answer &answer)
{
    if (m_link == Link::Live)
        send(method, params, answer);
    else
        answer({ 0, {}, ErrorCode::NotReady, QStringLiteral("there is no link to the node"), {} });
}

void Client::send(const QString &method, const QJsonObject &params, const Answer &answer)
{
    if (m_answers.size() >= mostQuestions)
        return lose(QStringLiteral("the node does not answer"));
    m_answers.insert(++m_nextId, answer);
    m_connection->device().write(requestLine(m_nextId, method, params));
}

void Client::take(const QByteArray &line)
{
    const Message message = parseMessage(line);
    if (const auto *notification = std::get_if<Notification>(&message))
        return take(*notification);
    if (const auto *response = std::get_if<Response>(&message)) {
        if (const Answer answer = m_answers.take(response->id))
            answer(*response);
        return;
    }
    lose(QStringLiteral("what answers there does not speak as a Firstwatch service does"));
}

void Client::take(const Notification &notification)
{
    if (notification.method == QLatin1String("hello"))
        takeHello(notification.params);
    else if (notification.method == QLatin1String("event"))
        takeEvent(notification.params);
    else if (notification.method == QLatin1String("gap"))
        takeGap(notification.params);
    else if (notification.method == QLatin1String("ping"))
        takePing(notification.params);
    else if (notification.method == QLatin1String("bye"))
        lose(byeText(notification.params[QLatin1String("why")].toString()));
}

void Client::takeHello(const QJsonObject &params)
{
    if (std::exchange(m_isGreeted, true))
        return lose(QStringLiteral("the node said hello twice"));
    m_server = { params[QLatin1String("node")].toString(), params[QLatin1String("daemon")].toString(),
        params[QLatin1String("boot")].toString().toUtf8(), params[QLatin1String("major")].toInt(),
        params[QLatin1String("minor")].toInt() };
    if (params[QLatin1String("proto")] != QLatin1String(protocolName))
        return refuse(QStringLiteral("what answers there is no Firstwatch service"));
    if (m_server.major != protocolMajor)
        return refuse(QStringLiteral("the node's service (%1) speaks protocol %2, this program %3; update the %4")
                          .arg(journal::shownText(m_server.version))
                          .arg(m_server.major)
                          .arg(protocolMajor)
                          .arg(m_server.major < protocolMajor ? u"service" : u"program"));
    if (!m_options.node.isEmpty() && m_server.node != m_options.node)
        return lose(QStringLiteral("%1 answered, not %2").arg(journal::shownText(m_server.node), m_options.node));
    sayHello(params);
}

void Client::sayHello(const QJsonObject &params)
{
    QJsonObject hello{ { QStringLiteral("major"), protocolMajor }, { QStringLiteral("minor"), protocolMinor },
        { QStringLiteral("client"), m_options.name } };
    QByteArray expectedCode;
    if (params[QLatin1String("auth")].toArray().contains(QStringLiteral("hmac-sha256"))) {
        if (m_options.key.isEmpty())
            return refuse(QStringLiteral("the node asks for its key; give the file that holds it"));
        const QByteArray nonce = params[QLatin1String("nonce")].toString().toUtf8();
        const QByteArray cnonce = randomNonce();
        const QByteArray node = m_server.node.toUtf8();
        hello.insert(QStringLiteral("cnonce"), QString::fromLatin1(cnonce));
        hello.insert(QStringLiteral("mac"),
            QString::fromLatin1(challengeCode(m_options.key, nonce, cnonce, m_server.boot, node)));
        expectedCode = challengeCode(m_options.key, cnonce, nonce, m_server.boot, node);
    }
    send(QStringLiteral("hello"), hello,
        [this, expectedCode](const Response &response) { takeWelcome(response, expectedCode); });
}

void Client::takeWelcome(const Response &response, const QByteArray &expectedCode)
{
    if (!m_connection)
        return; // the link broke, and that was said
    if (response.error == ErrorCode::NotReady || response.error == ErrorCode::Rate)
        return lose(journal::shownText(response.message));
    if (response.error)
        return refuse(QStringLiteral("the node refused this client: %1").arg(journal::shownText(response.message)));
    if (!expectedCode.isEmpty() && response.result[QLatin1String("smac")].toString().toUtf8() != expectedCode)
        return refuse(QStringLiteral("what answers there does not know the node's key, so it is not the node"));
    const bool isSameRun = m_hasView && m_view.boot == m_server.boot;
    if (isSameRun && !m_hasHole)
        return subscribe();
    if (!isSameRun)
        m_lastSeq = m_hasView ? 0 : m_options.since;
    requestSnapshot(&Client::subscribe);
}

void Client::requestSnapshot(void (Client::*then)())
{
    m_fetch.emplace();
    m_fetch->then = then;
    send(QStringLiteral("snapshot"), {}, [this, number = ++m_fetchNumber](const Response &response) {
        if (m_connection && number == m_fetchNumber)
            takeSnapshot(response);
    });
}

void Client::takeSnapshot(const Response &response)
{
    const QJsonValue view = response.result[QLatin1String("view")];
    if (response.error || !view.isObject())
        return lose(QStringLiteral("the node could not tell its state: %1").arg(journal::shownText(response.message)));
    m_fetch->view = view.toObject();
    m_fetch->isShortened = response.result[QLatin1String("truncated")].toBool();
    takePart(response.result, view[QLatin1String("state")]);
}

// Each part has to bring the place of the next one further, so that there is an end whatever the node says.
void Client::takePart(const QJsonObject &result, const QJsonValue &lists)
{
    const qsizetype before = m_fetch->files.size() + m_fetch->findings.size();
    for (const QJsonValue file : lists[QLatin1String("files")].toArray())
        m_fetch->files.append(file);
    for (const QJsonValue finding : lists[QLatin1String("findings")].toArray())
        m_fetch->findings.append(finding);
    const QJsonValue next = result[QLatin1String("next")];
    const bool hasMore = next.isObject();
    if (hasMore && ++m_fetch->parts < mostParts && m_fetch->files.size() + m_fetch->findings.size() > before)
        return requestRest(next.toObject());
    if (m_fetch->parts > 0)
        m_fetch->isShortened = hasMore;
    finishSnapshot();
}

void Client::requestRest(const QJsonObject &next)
{
    QJsonObject params = next;
    params.insert(QStringLiteral("boot"), m_fetch->view[QLatin1String("boot")]);
    params.insert(QStringLiteral("seq"), m_fetch->view[QLatin1String("seq")]);
    send(QStringLiteral("snapshot"), params, [this, next, number = m_fetchNumber](const Response &response) {
        if (m_connection && number == m_fetchNumber)
            takeRest(response, next);
    });
}

// A node that has dropped it is asked anew, though not for ever; then there is what has come.
void Client::takeRest(const Response &response, const QJsonObject &next)
{
    if (!response.error)
        return takePart(response.result, response.result);
    if (response.error == ErrorCode::Rate) {
        const int restMs = std::clamp(response.data[QLatin1String("retry_ms")].toInt(), 1, longestRestMs);
        QTimer::singleShot(restMs, this, [this, next, number = m_fetchNumber] {
            if (m_connection && number == m_fetchNumber)
                requestRest(next);
        });
        return;
    }
    if (response.error == ErrorCode::NotKept && ++m_startedAnew < mostStartedAnew)
        return requestSnapshot(m_fetch->then);
    m_fetch->isShortened = true;
    finishSnapshot();
}

void Client::finishSnapshot()
{
    Fetch fetch = *std::exchange(m_fetch, std::nullopt);
    QJsonObject state = fetch.view[QLatin1String("state")].toObject();
    state.insert(QStringLiteral("files"), fetch.files);
    state.insert(QStringLiteral("findings"), fetch.findings);
    fetch.view.insert(QStringLiteral("state"), state);
    m_view = journal::NodeView::fromJson(fetch.view);
    for (const journal::Event &event : std::as_const(fetch.meanwhile)) {
        if (event.seq > m_view.seq)
            m_view.apply(event);
    }
    m_hasView = true;
    m_hasHole = false;
    m_startedAnew = 0;
    m_isShortened = fetch.isShortened;
    Q_EMIT snapshot(m_view);
    (this->*fetch.then)();
}

void Client::subscribe()
{
    const QJsonObject params{ { QStringLiteral("boot"), QString::fromUtf8(m_server.boot) },
        { QStringLiteral("since"), qint64(m_lastSeq) } };
    send(QStringLiteral("subscribe"), params, [this](const Response &response) {
        if (!m_connection)
            return;
        if (response.error)
            return lose(QStringLiteral("the node did not subscribe: %1").arg(journal::shownText(response.message)));
        m_retryMs = m_options.firstRetryMs;
        setLink(Link::Live, {});
        finishWhenComplete();
    });
}

// ---- what happened -----------------------------------------------------------------------------------------------

void Client::takeEvent(const QJsonObject &params)
{
    const QByteArray line = QJsonDocument(params).toJson(QJsonDocument::Compact);
    const std::optional<journal::Event> event = journal::fromLine(line);
    if (!event || event->boot != m_server.boot)
        return lose(QStringLiteral("the node sent an event that is none"));
    if (event->seq <= m_lastSeq)
        return; // had already
    if (event->seq > m_lastSeq + 1)
        skip(m_lastSeq + 1, event->seq - 1, QStringLiteral("lost"));
    m_lastSeq = event->seq;
    if (event->seq > m_view.seq)
        m_view.apply(*event);
    if (m_fetch && m_fetch->parts > 0)
        m_fetch->meanwhile.append(*event);
    if (m_fetch && m_fetch->meanwhile.size() > mostMeanwhile)
        return lose(QStringLiteral("the node tells more than can be kept while it tells its state"));
    Q_EMIT happened(*event, line);
    finishWhenComplete();
}

void Client::takeGap(const QJsonObject &params)
{
    const quint64 to = seqOf(params, QLatin1String("to"));
    if (to <= m_lastSeq)
        return;
    skip(std::max(seqOf(params, QLatin1String("from")), m_lastSeq + 1), to, params[QLatin1String("why")].toString());
    finishWhenComplete();
}

// The fold has a hole now: what it would have come to is asked for.
void Client::skip(quint64 from, quint64 to, const QString &why)
{
    m_lastSeq = to;
    Q_EMIT gap(from, to, journal::shownText(why));
    if (m_view.seq >= to)
        return;
    m_hasHole = true;
    requestSnapshot(&Client::finishWhenComplete);
}

// Each says how far the node has come. What one promised has to be here before the next: else events were lost on the
// way, and a new link brings them.
void Client::takePing(const QJsonObject &params)
{
    m_connection->device().write(
        notificationLine(QStringLiteral("pong"), { { QStringLiteral("seq"), qint64(m_lastSeq) } }));
    if (m_link == Link::Live && m_promisedSeq > m_lastSeq)
        return lose(QStringLiteral("events did not come that the node has sent"));
    m_promisedSeq = seqOf(params, QLatin1String("seq"));
}

void Client::finishWhenComplete()
{
    if (m_options.follow || m_isDone || m_link != Link::Live || m_lastSeq < m_view.seq)
        return;
    m_isDone = true;
    Q_EMIT done();
}

} // namespace firstwatch::stream
