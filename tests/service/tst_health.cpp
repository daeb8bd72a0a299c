// SPDX-License-Identifier: Apache-2.0
#include "webclient.h"

#include "service/health.h"
#include "tests/stream/servednode.h"

#include "journal/findingcodes.h"
#include "sys/clock.h"

#include <QElapsedTimer>
#include <QTest>
#include <QThread>

#include <deque>
#include <memory>

using namespace firstwatch;
using namespace firstwatch::service;
using namespace firstwatch::test;
using journal::Kind;
using Fields = QJsonObject;

namespace {

// The health port in a thread, as in the service, with events made up for it.
class ServedHealth {
public:
    explicit ServedHealth(
        HealthLimits limits = {}, const QByteArray &address = "127.0.0.1", quint16 onPort = freePort())
        : port(onPort)
        , m_server(std::make_unique<stream::Server>(stream::ServerOptions()))
        , m_health(std::make_unique<Health>(*ListenAddress::parse(address), port, *m_server, limits))
    {
        QObject::connect(m_health.get(), &Health::refused, [this](const QString &why) { m_refusals.append(why); });
        m_server->moveToThread(&m_thread);
        m_health->moveToThread(&m_thread);
        m_thread.start();
        inThread([this] { m_health->start(); });
    }
    ~ServedHealth()
    {
        inThread([this] { // whose sockets they are
            m_health.reset();
            m_server.reset();
        });
        m_thread.quit();
        m_thread.wait();
    }
    Q_DISABLE_COPY_MOVE(ServedHealth)

    void add(Kind kind, const Fields &fields = {})
    {
        const journal::Event event{ ++m_seq, "00112233445566aa", sys::bootTimeNs(), 0, kind, {}, fields };
        inThread([&] {
            m_server->append(event, journal::toLine(event));
            m_health->append(event);
        });
    }
    void setReady(bool ready)
    {
        inThread([&] { m_health->setReady(ready); });
    }
    void beat()
    {
        inThread([this] { m_health->beat(); });
    }

    QStringList refusals()
    {
        QStringList copy;
        inThread([&] { copy = m_refusals; });
        return copy;
    }

    const quint16 port;

private:
    template <typename Work> void inThread(Work work)
    {
        QMetaObject::invokeMethod(m_health.get(), work, Qt::BlockingQueuedConnection);
    }

    quint64 m_seq = 0;
    QStringList m_refusals; // of the thread
    QThread m_thread;
    std::unique_ptr<stream::Server> m_server;
    std::unique_ptr<Health> m_health;
};

HealthLimits withHttp(HttpLimits http)
{
    HealthLimits limits;
    limits.http = http;
    return limits;
}

Fields aboutFile(const char *name, const char *state)
{
    return { { QStringLiteral("file"), QString::fromLatin1(name) },
        { QStringLiteral("state"), QString::fromLatin1(state) } };
}

} // namespace

class tst_Health : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void addresses_data();
    void addresses();
    void joinsAddressAndPort_data();
    void joinsAddressAndPort();
    void paths_data();
    void paths();
    void headIsTheAnswerWithoutItsText();
    void otherMethodsAreRefused_data();
    void otherMethodsAreRefused();
    void hostileInput_data();
    void hostileInput();
    void aHeadMayComeInPieces();
    void answersWholeThoughMoreWasSent();
    void probesAreAnsweredBehindHalfOpenConnections();
    void slowHeadIsClosed();
    void oneMoreDropsTheOldest();
    void aHangOfTheServiceIsTold();
    void readyOnlyWhenTold();
    void saysWhyNotReady_data();
    void saysWhyNotReady();
    void metricsAreOfTheRightType();
    void aPortInUseIsTriedAgain();
};

void tst_Health::addresses_data()
{
    QTest::addColumn<QByteArray>("address");
    QTest::addColumn<bool>("overIPv4");
    QTest::addColumn<bool>("overIPv6");
    QTest::newRow("127.0.0.1") << QByteArray("127.0.0.1") << true << false;
    QTest::newRow("0.0.0.0") << QByteArray("0.0.0.0") << true << false;
    QTest::newRow("::1") << QByteArray("::1") << false << true;
    QTest::newRow("[::1]") << QByteArray("[::1]") << false << true;
    QTest::newRow("::") << QByteArray("::") << true << true;
    QTest::newRow("[::]") << QByteArray("[::]") << true << true;
}

void tst_Health::addresses()
{
    QFETCH(const QByteArray, address);
    QFETCH(const bool, overIPv4);
    QFETCH(const bool, overIPv6);
    if (overIPv6 && !ListenAddress::parse("::1")->listen(freePort(), 1).isValid())
        QSKIP("this machine has no IPv6");
    const ServedHealth health({}, address);
    QCOMPARE(get(health.port, "/livez").status, overIPv4 ? 200 : 0);
    QCOMPARE(get(health.port, "/livez", "::1").status, overIPv6 ? 200 : 0);
}

void tst_Health::joinsAddressAndPort_data()
{
    QTest::addColumn<QByteArray>("address");
    QTest::addColumn<QByteArray>("joined"); // null: no address
    const auto row = [](const char *address, const char *joined) {
        QTest::addRow("'%s'", address) << QByteArray(address) << QByteArray(joined);
    };
    row("127.0.0.1", "127.0.0.1:9912");
    row("::", "[::]:9912");
    row("[::]", "[::]:9912");
    row("::1", "[::1]:9912");
    row("[::1]", "[::1]:9912");
    row("fd00::1", "[fd00::1]:9912");
    for (const char *wrong :
        { "", "[]", "[[::1]]", "[::1", "::1]", "localhost", "127.1", "1", "[127.0.0.1]", "127.0.0.1:80", "*", " ::1" })
        row(wrong, nullptr);
}

void tst_Health::joinsAddressAndPort()
{
    QFETCH(const QByteArray, address);
    QFETCH(const QByteArray, joined);
    const auto parsed = ListenAddress::parse(address);
    QCOMPARE(parsed.has_value(), !joined.isNull());
    if (parsed)
        QCOMPARE(parsed->joined(9912), joined);
}

void tst_Health::paths_data()
{
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<int>("status");
    const auto row = [](const char *path, int status) { QTest::newRow(path) << QByteArray(path) << status; };
    row("/livez", 200);
    row("/livez?verbose", 200);
    row("/readyz", 503);
    row("/metrics", 200);
    row("/metrics?", 200);
    row("/", 404);
    row("//livez", 404);
    row("/livez/", 404);
    row("/Livez", 404);
    row("/livez%00", 404);
    row("/metrics/../livez", 404);
    row("/?/livez", 404);
    row("livez", 400);
    row("*", 400);
    row("http://a/livez", 400);
    row("/livez HTTP/1.1 x", 400);
}

void tst_Health::paths()
{
    QFETCH(const QByteArray, path);
    QFETCH(const int, status);
    const ServedHealth health;
    const WebAnswer answer = get(health.port, path);
    QCOMPARE(answer.status, status);
    QVERIFY(answer.head.contains("\r\nConnection: close"));
    const QByteArray length = "\r\nContent-Length: " + QByteArray::number(answer.text.size()) + "\r\n";
    QVERIFY(answer.head.contains(length));
    QVERIFY(answer.text.endsWith('\n'));
}

void tst_Health::headIsTheAnswerWithoutItsText()
{
    const ServedHealth health;
    const WebAnswer whole = get(health.port, "/livez");
    const WebAnswer head = ask(health.port, "HEAD /livez HTTP/1.0\r\n\r\n");
    QCOMPARE(head.head, whole.head);
    QVERIFY(!whole.text.isEmpty() && head.text.isEmpty());
}

void tst_Health::otherMethodsAreRefused_data()
{
    QTest::addColumn<QByteArray>("method");
    for (const char *method : { "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH", "G", "GETS" })
        QTest::newRow(method) << QByteArray(method);
}

void tst_Health::otherMethodsAreRefused()
{
    QFETCH(const QByteArray, method);
    const ServedHealth health;
    const WebAnswer answer = ask(health.port, method + " /livez HTTP/1.1\r\nHost: a\r\n\r\n");
    QCOMPARE(answer.status, 405);
    QVERIFY(answer.head.contains("\r\nAllow: GET, HEAD"));
}

void tst_Health::hostileInput_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<int>("status");
    const auto row = [](const char *name, const QByteArray &bytes, int status) {
        QTest::newRow(name) << bytes << status;
    };
    row("TLS", QByteArray("\x16\x03\x01\x02\x00\x01", 6), 400);
    row("NUL", QByteArray(1, '\0'), 400);
    row("empty line", "\r\n", 400);
    row("lower case", "get /livez HTTP/1.1\r\n\r\n", 400);
    row("SSH", "SSH-2.0-OpenSSH_9.2\r\n\r\n", 400);
    row("HTTP/0.9", "GET /livez\r\n\r\n", 400);
    row("HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400);
    row("HTTP/1.2", "GET /livez HTTP/1.2\r\n\r\n", 400);
    row("tabs", "GET\t/livez\tHTTP/1.1\r\n\r\n", 400);
    row("two spaces", "GET  /livez HTTP/1.1\r\n\r\n", 400);
    row("path of 8 KiB", "GET /" + QByteArray(8192, 'a') + " HTTP/1.1\r\n", 431);
    row("a field of 16 MiB", "GET /livez HTTP/1.1\r\nX: " + QByteArray(16 << 20, 'a'), 431);
    row("canary in the path", "GET /canary<script>%0d%0aX:canary HTTP/1.1\r\nHost: canary\r\n\r\n", 404);
    row("canary in a method", "CANARY /canary HTTP/1.1\r\n\r\n", 405);
    row("just fits", "GET /livez HTTP/1.1\r\nX: " + QByteArray(8192 - 24 - 4, 'a') + "\r\n\r\n", 200);
    row("one too many", "GET /livez HTTP/1.1\r\nX: " + QByteArray(8192 - 24 - 3, 'a') + "\r\n\r\n", 431);
}

void tst_Health::hostileInput()
{
    QFETCH(const QByteArray, bytes);
    QFETCH(const int, status);
    const ServedHealth health;
    WebClient client(health.port);
    client.send(bytes);
    if (bytes.size() > (1 << 20)) { // such a one may be cut off; it must only end
        (void)client.readAll();
        QVERIFY(client.hasEnded());
    } else {
        const WebAnswer answer = asAnswer(client.readAll());
        QCOMPARE(answer.status, status);
        QVERIFY(!(answer.head + answer.text).toLower().contains("canary"));
    }
    QCOMPARE(get(health.port, "/livez").status, 200);
}

void tst_Health::aHeadMayComeInPieces()
{
    const ServedHealth health;
    WebClient client(health.port);
    for (const char byte : QByteArray("GET /livez HTTP/1.0\n\n"))
        client.send(QByteArray(1, byte));
    QCOMPARE(asAnswer(client.readAll()).status, 200);
}

// A close with unread bytes would be a reset, which takes the answer with it.
void tst_Health::answersWholeThoughMoreWasSent()
{
    const ServedHealth health;
    const QByteArray body(512LL * 1024, 'x');
    const WebAnswer answer = ask(health.port, "POST /livez HTTP/1.1\r\nContent-Length: 524288\r\n\r\n" + body);
    QCOMPARE(answer.status, 405);
}

void tst_Health::probesAreAnsweredBehindHalfOpenConnections()
{
    const ServedHealth health;
    std::deque<WebClient> halfOpen;
    for (int i = 0; i < 60; ++i) {
        halfOpen.emplace_back(health.port);
        halfOpen.back().send(i % 2 == 0 ? "GET /livez HT" : "");
        if (i % 10 == 9) {
            QElapsedTimer took;
            took.start();
            QCOMPARE(get(health.port, "/readyz").status, 503);
            QVERIFY2(took.elapsed() < HttpLimits().headMs, "it waited for the others");
        }
    }
}

void tst_Health::slowHeadIsClosed()
{
    HttpLimits limits;
    limits.headMs = 50;
    const ServedHealth health(withHttp(limits));
    WebClient silent(health.port);
    WebClient slow(health.port);
    slow.send("GET /livez HTTP/1.1\r\n");
    for (WebClient *client : { &silent, &slow })
        QCOMPARE(client->readAll().value_or("reset"), QByteArray());
}

void tst_Health::oneMoreDropsTheOldest()
{
    HttpLimits limits;
    limits.connections = 3;
    limits.headMs = patienceMs * 2;
    const ServedHealth health(withHttp(limits));
    std::deque<WebClient> clients;
    for (int i = 0; i < 4; ++i) {
        clients.emplace_back(health.port);
        clients.back().send("GET /livez HTTP/1.1\r\n");
    }
    (void)clients.front().readAll();
    QVERIFY(clients.front().hasEnded());
    for (int i = 1; i < 4; ++i) {
        clients.at(size_t(i)).send("\r\n");
        QCOMPARE(asAnswer(clients.at(size_t(i)).readAll()).status, 200);
    }
}

void tst_Health::aHangOfTheServiceIsTold()
{
    HealthLimits limits;
    limits.longestSilenceMs = 100;
    ServedHealth health(limits);
    health.setReady(true);
    QVERIFY(eventually([&] { return get(health.port, "/livez").status == 503; }));
    QVERIFY(get(health.port, "/livez").text.startsWith("hangs: "));
    QCOMPARE(get(health.port, "/readyz").status, 503);
    QVERIFY(eventually([&] {
        health.beat();
        return get(health.port, "/livez").status == 200 && get(health.port, "/readyz").status == 200;
    }));
}

void tst_Health::readyOnlyWhenTold()
{
    ServedHealth health;
    health.add(Kind::ProcessStart);
    QCOMPARE(get(health.port, "/readyz").status, 503);
    health.setReady(true);
    const WebAnswer ready = get(health.port, "/readyz");
    QCOMPARE(ready.status, 200);
    QCOMPARE(ready.text, "STARTING\n");
    health.setReady(false);
    QCOMPARE(get(health.port, "/readyz").status, 503);
}

void tst_Health::saysWhyNotReady_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<Fields>("fields");
    QTest::addColumn<QByteArray>("text");
    const auto row = [](const char *name, Kind kind, const Fields &fields, const QByteArray &text) {
        QTest::newRow(name) << int(kind) << fields << text;
    };
    row("no proof", Kind::Note, {}, "STARTING: the watch is not proven yet\n");
    row("lost", Kind::WatchLost, { { QStringLiteral("reason"), QStringLiteral("it\nis gone") } },
        "BLIND: it is gone\n");
    row("polling", Kind::WatchPolling, { { QStringLiteral("reason"), QStringLiteral("no watch") } },
        "DEGRADED: no watch\n");
    row("drift", Kind::FileState, aboutFile("10-a.conflist", "drift"), "DRIFT: 10-a.conflist without the plugin\n");
    row("contested", Kind::FileState, aboutFile("10-a.conflist", "contested"),
        "CONTESTED: 10-a.conflist contested by another writer\n");
    row("finding", Kind::FindingOpen,
        { { QStringLiteral("code"), journal::code::tokenExpired }, { QStringLiteral("text"), QStringLiteral("old") } },
        "DEGRADED: FW1302 old\n");
    row("stopped", Kind::ProcessStop,
        { { QStringLiteral("clean"), true }, { QStringLiteral("summary"), QStringLiteral("3 of 3 undone") } },
        "STOPPED: 3 of 3 undone\n");
    row("long", Kind::WatchLost, { { QStringLiteral("reason"), QString(10'000, u'x') } },
        "BLIND: " + QByteArray(493, 'x') + '\n');
}

void tst_Health::saysWhyNotReady()
{
    QFETCH(const int, kind);
    QFETCH(const Fields, fields);
    QFETCH(const QByteArray, text);
    ServedHealth health;
    health.add(Kind::ProcessStart);
    health.add(Kind(kind), fields);
    const WebAnswer answer = get(health.port, "/readyz");
    QCOMPARE(answer.status, 503);
    QCOMPARE(answer.text, text);
}

void tst_Health::metricsAreOfTheRightType()
{
    const ServedHealth health;
    const WebAnswer answer = get(health.port, "/metrics");
    QVERIFY(answer.head.contains("\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n"));
    QVERIFY(answer.text.startsWith("# HELP firstwatch_state "));
}

void tst_Health::aPortInUseIsTriedAgain()
{
    const auto address = ListenAddress::parse("127.0.0.1");
    const quint16 port = freePort();
    sys::FileDescriptor other = address->listen(port, 1);
    QVERIFY(other.isValid());
    HealthLimits limits;
    limits.retryMs = 10;
    ServedHealth health(limits, "127.0.0.1", port);
    QCOMPARE(health.refusals().value(0).startsWith(QStringLiteral("127.0.0.1:%1 cannot be opened: ").arg(port)), true);
    other.reset();
    QVERIFY(eventually([&] { return get(port, "/livez").status == 200; }));
}

QTEST_GUILESS_MAIN(tst_Health)
#include "tst_health.moc"
