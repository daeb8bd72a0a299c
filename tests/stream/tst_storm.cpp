// SPDX-License-Identifier: Apache-2.0
// More connections than anybody needs: the server takes what it may, makes the rest wait, and is well afterwards.
#include "rawclient.h"
#include "servednode.h"

#include "stream/tokenbucket.h"

#include <QElapsedTimer>
#include <QTest>

#include <ctime>
#include <fcntl.h>
#include <memory>
#include <sys/resource.h>
#include <unistd.h>

using namespace firstwatch;
using namespace firstwatch::test;

namespace {

using Clients = QList<std::shared_ptr<RawClient>>;

stream::ServerOptions fast()
{
    stream::ServerOptions options;
    options.limits.opensPerSecond = 1e6;
    return options;
}

Clients connectMany(const QByteArray &path, int count)
{
    Clients clients;
    for (int i = 0; i < count; ++i)
        clients.append(std::make_shared<RawClient>(path));
    return clients;
}

int greetedAmong(const Clients &clients, int ms)
{
    int greeted = 0;
    for (const auto &client : clients)
        greeted += client->next(ms) ? 1 : 0;
    return greeted;
}

// All descriptors of this process are in use.
class NoDescriptors {
public:
    NoDescriptors()
    {
        ::getrlimit(RLIMIT_NOFILE, &m_before);
        const rlimit few{ 64, m_before.rlim_max };
        ::setrlimit(RLIMIT_NOFILE, &few);
        for (int fd = ::dup(STDERR_FILENO); fd >= 0; fd = ::dup(STDERR_FILENO))
            m_taken.append(fd);
    }
    ~NoDescriptors()
    {
        while (!m_taken.isEmpty())
            giveOneBack();
        ::setrlimit(RLIMIT_NOFILE, &m_before);
    }
    Q_DISABLE_COPY_MOVE(NoDescriptors)
    void giveOneBack() { ::close(m_taken.takeLast()); }

private:
    rlimit m_before{};
    QList<int> m_taken;
};

qint64 cpuUs()
{
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return qint64(time.tv_sec) * 1'000'000 + time.tv_nsec / 1000;
}

} // namespace

class TestStorm : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void p37_withoutHelloOnlySoMany()
    {
        ServedNode node(fast());
        node.happen();
        Clients idle = connectMany(node.path(), 12);
        QCOMPARE(greetedAmong(idle.first(8), patienceMs), 8);
        QCOMPARE(greetedAmong(idle.sliced(8), 20), 0); // they wait in the kernel's queue
        idle.first()->close();
        QVERIFY(idle.at(8)->next()); // the next gets the free place
    }

    void p37_clientsOnlySoMany()
    {
        ServedNode node(fast());
        node.happen();
        Clients clients;
        for (int i = 0; i < 16; ++i) {
            clients.append(std::make_shared<RawClient>(node.path()));
            QVERIFY(!clients.last()->hello().isEmpty());
        }
        RawClient seventeenth(node.path());
        QVERIFY(!seventeenth.next(50));
        QCOMPARE(clients.first()->call(QStringLiteral("counters"))[u"result"][u"server"][u"clients"].toInt(), 16);
        clients.last()->close();
        QVERIFY(!seventeenth.hello().isEmpty());
    }

    void p37_opensHaveARate()
    {
        stream::ServerOptions options;
        options.limits.opensPerSecond = 50;
        options.limits.withoutHello = 1000;
        options.limits.clients = 1000;
        ServedNode node(options);
        node.happen();
        QElapsedTimer time;
        time.start();
        for (int i = 0; i < 70; ++i) // 50 at once, and the rest at its rate
            QVERIFY(!RawClient(node.path()).hello().isEmpty());
        QVERIFY2(time.elapsed() >= 380, qPrintable(QString::number(time.elapsed())));
    }

    // Who comes and goes at once takes no place for long, and the next good one is served.
    void p37_aStormPasses()
    {
        ServedNode node(fast());
        node.happen();
        RawClient there(node.path());
        (void)there.hello();
        for (int i = 0; i < 10'000; ++i) {
            RawClient client(node.path());
            if (i % 3 == 0)
                client.send("GET / HTTP/1.1\r\n\r\n");
            if (i % 1000 == 0)
                QVERIFY(there.call(QStringLiteral("ping")).contains(u"result"));
        }
        QElapsedTimer time;
        time.start();
        RawClient good(node.path());
        QVERIFY(!good.hello().isEmpty());
        QVERIFY2(time.elapsed() < 1000, qPrintable(QString::number(time.elapsed())));
        const QJsonObject counters = good.call(QStringLiteral("counters"))[u"result"][u"server"].toObject();
        QCOMPARE(counters[u"clients"].toInt(), 2);
    }

    void p37_idleOnesAreSentAway()
    {
        stream::ServerOptions options = fast();
        options.limits.helloMs = 50;
        options.limits.lingerMs = 50;
        ServedNode node(options);
        node.happen();
        Clients idle = connectMany(node.path(), 24); // 8 with a place, 16 waiting
        RawClient good(node.path());
        QVERIFY(!good.hello().isEmpty());
    }

    // Plain Qt takes 40 to 67 % of a core then.
    void p37_noDescriptorsLeft()
    {
        ServedNode node(fast());
        node.happen();
        RawClient there(node.path());
        (void)there.hello();
        NoDescriptors none;
        none.giveOneBack();
        RawClient refused(node.path()); // has the last one, so there is none for its other end
        const qint64 cpuBefore = cpuUs();
        QCOMPARE(refused.waitForEnd(), RawClient::End::Regular);
        for (int i = 0; i < 10; ++i)
            QVERIFY(there.call(QStringLiteral("ping")).contains(u"result")); // the others go on
        QVERIFY2(cpuUs() - cpuBefore < 60'000, qPrintable(QString::number(cpuUs() - cpuBefore)));
        const QJsonObject counters = there.call(QStringLiteral("counters"))[u"result"][u"server"].toObject();
        QCOMPARE(counters[u"refused"].toInt(), 1);
        none.giveOneBack();
        none.giveOneBack();
        QVERIFY(!RawClient(node.path()).hello().isEmpty()); // as soon as there are some
    }

    void tokens()
    {
        stream::TokenBucket bucket(50, 3);
        constexpr qint64 ms = 1'000'000;
        const qint64 start = 1'000'000 * ms; // any time: it starts full
        for (int i = 0; i < 3; ++i)
            QVERIFY(bucket.take(start));
        QVERIFY(!bucket.take(start));
        QCOMPARE(bucket.waitMs(start), 20);
        QVERIFY(!bucket.take(start + 15 * ms));
        QVERIFY(bucket.waitMs(start + 15 * ms) >= 5 && bucket.waitMs(start + 15 * ms) <= 6);
        QVERIFY(bucket.take(start + 20 * ms));
        QVERIFY(!bucket.take(start + 21 * ms));
        for (int i = 0; i < 3; ++i)
            QVERIFY(bucket.take(start + 10'000 * ms)); // never more than the burst
        QVERIFY(!bucket.take(start + 10'000 * ms));
    }
};

QTEST_GUILESS_MAIN(TestStorm)
#include "tst_storm.moc"
