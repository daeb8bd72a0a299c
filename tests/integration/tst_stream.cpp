// SPDX-License-Identifier: Apache-2.0
// The stream of the real service: who can reach it, what a relay carries, and that patching does not mind it.
#include "node.h"
#include "rawclient.h"
#include "servednode.h"

#include "journal/findingcodes.h"
#include "journal/nodeview.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <fcntl.h>
#include <memory>
#include <sched.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace firstwatch;
using namespace firstwatch::test;
using journal::Kind;
namespace code = journal::code;

namespace {

const QByteArray owner = smallConflist("owner");
constexpr char name[] = "10-owner.conflist";

QByteArray socketOf(const Node &node)
{
    return node.path("run/stream.sock");
}

bool waitForSocket(const Node &node)
{
    return eventually([&] { return RawClient(socketOf(node)).isConnected(); });
}

mode_t modeOf(const QByteArray &path)
{
    struct stat info { };
    return ::lstat(path.constData(), &info) == 0 ? info.st_mode : 0;
}

// A mounted Secret: a file behind "..data", which the kubelet swaps by one rename.
void mountKey(const Node &node, const QByteArray &key)
{
    static int generation = 0;
    const NetDir secret(node.path("secret"));
    const QByteArray folder = ".." + QByteArray::number(++generation);
    QVERIFY(QDir().mkpath(QFile::decodeName(secret.path(folder))));
    NetDir(secret.path(folder)).writeInPlace("key", key);
    QVERIFY(::symlink(folder.constData(), secret.path("..data_tmp").constData()) == 0);
    QVERIFY(::rename(secret.path("..data_tmp").constData(), secret.path("..data").constData()) == 0);
    (void)::symlink("..data/key", secret.path("key").constData()); // there already, but for the first time
}

bool isLetIn(quint16 port, const QByteArray &key)
{
    return RawClient(port).authorise(key).contains(u"result");
}

// firstwatchd relay, whose reader goes away while whoever asks is still there.
class Relay {
    Q_DISABLE_COPY_MOVE(Relay)
public:
    explicit Relay(const Node &node)
    {
        int in[2];
        int out[2];
        if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0)
            qFatal("no pipes");
        const QByteArray directory = node.path("run");
        m_pid = ::fork();
        if (m_pid == 0) {
            ::dup2(in[0], STDIN_FILENO);
            ::dup2(out[1], STDOUT_FILENO);
            ::execl(FIRSTWATCHD, FIRSTWATCHD, "relay", "--runtime-dir", directory.constData(), nullptr);
            ::_exit(127);
        }
        m_in = sys::FileDescriptor(in[1]);
        m_out = sys::FileDescriptor(out[0]);
        ::close(in[0]);
        ::close(out[1]);
    }
    ~Relay() { ::kill(m_pid, SIGKILL), ::waitpid(m_pid, nullptr, 0); }

    bool says(const QByteArray &what)
    {
        char bytes[4096];
        const ssize_t size = ::read(m_out.get(), bytes, sizeof bytes);
        return QByteArray(bytes, std::max<ssize_t>(size, 0)).contains(what);
    }
    void ask(const QByteArray &lines) { QVERIFY(::write(m_in.get(), lines.constData(), size_t(lines.size())) > 0); }
    void stopReading() { m_out.reset(); }
    // Milliseconds until it ended; -1 when it did not.
    qint64 untilEnd()
    {
        QElapsedTimer time;
        time.start();
        const bool hasEnded = eventually([this] { return ::waitpid(m_pid, nullptr, WNOHANG) == m_pid; });
        return hasEnded ? time.elapsed() : -1;
    }

private:
    pid_t m_pid = -1;
    sys::FileDescriptor m_in;
    sys::FileDescriptor m_out;
};

// Another pod of the node: a network of its own, and a cable to this one. False where there are no cables.
bool connectNetworks(pid_t other)
{
    const QByteArray pid = QByteArray::number(other);
    const QByteArrayList there{ "nsenter", "-t", pid, "-n", "ip" };
    return execute({ "ip", "link", "add", "fwtest0", "type", "veth", "peer", "name", "fwtest1", "netns", pid }) == 0
        && execute({ "ip", "addr", "add", "10.203.117.1/30", "dev", "fwtest0" }) == 0
        && execute({ "ip", "link", "set", "fwtest0", "up" }) == 0
        && execute(there + QByteArrayList{ "addr", "add", "10.203.117.2/30", "dev", "fwtest1" }) == 0
        && execute(there + QByteArrayList{ "link", "set", "fwtest1", "up" }) == 0;
}

// As a program in that process's network sees it.
bool connectsFromWithin(pid_t process, quint16 port)
{
    const QByteArray network = "/proc/" + QByteArray::number(process) + "/ns/net";
    const pid_t child = ::fork();
    if (child == 0) {
        const sys::FileDescriptor entered(::open(network.constData(), O_RDONLY | O_CLOEXEC));
        ::_exit(::setns(entered.get(), CLONE_NEWNET) == 0 && RawClient(port).isConnected() ? 0 : 1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

QByteArray followAll()
{
    return requestOf(1, QStringLiteral("hello"), { { QStringLiteral("major"), 1 } })
        + requestOf(2, QStringLiteral("subscribe"));
}

} // namespace

class TestStream : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tellsWhatTheLogTells()
    {
        Node node;
        QVERIFY(node.startReady(name, owner));
        QVERIFY(waitForSocket(node));
        RawClient client(socketOf(node));
        const QJsonObject hello = client.hello();
        QCOMPARE(hello[u"daemon"].toString(), QStringLiteral(FIRSTWATCH_VERSION));
        const QJsonObject snapshot = client.call(QStringLiteral("snapshot"))[u"result"].toObject();
        QCOMPARE(snapshot[u"state"].toString(), QStringLiteral("OK"));
        const auto view = journal::NodeView::fromJson(snapshot[u"view"].toObject());
        QCOMPARE(view.counters.patched, 1);
        QCOMPARE(view.process.pid, qint64(node.process.pid()));

        (void)client.call(QStringLiteral("subscribe"), { { QStringLiteral("since"), snapshot[u"seq"] } });
        node.net.writeByRename(name, owner);
        QJsonObject event;
        while (event[u"kind"] != QLatin1String("patch.applied")) {
            event = client.waitFor(QStringLiteral("event"))[u"params"].toObject();
            QVERIFY(!event.isEmpty());
        }
        QCOMPARE(event[u"file"].toString(), QLatin1String(name));
        const auto logged = node.waitFor(Kind::PatchApplied, { { QStringLiteral("repatch"), true } });
        QVERIFY(logged);
        QCOMPARE(event[u"seq"].toInteger(), qint64(logged->seq));
    }

    void configHasNoSecret()
    {
        Node node;
        QVERIFY(node.startReady(name, owner));
        QVERIFY(waitForSocket(node));
        RawClient client(socketOf(node));
        (void)client.hello();
        const QJsonArray rows = client.call(QStringLiteral("config"))[u"result"][u"settings"].toArray();
        QJsonObject origins;
        for (const QJsonValue row : rows) {
            origins.insert(row[u"flag"].toString(), row[u"origin"]);
            QVERIFY(!row[u"value"].toString().contains(QStringLiteral("log_level"))); // of the template
        }
        QCOMPARE(origins[u"--mount-prefix"].toString(), QStringLiteral("environment"));
        QCOMPARE(origins[u"--net-dir"].toString(), QStringLiteral("default"));
    }

    // The first pass is before the stream, and told of all the same.
    void p51_diffsAreWithoutSecrets()
    {
        const QByteArray first =
            smallConflist("owner").replace("\"cniVersion\"", "\"token\":\"CANARY\",\"cniVersion\"");
        const QByteArray second = QByteArray(first).replace("CANARY", "CANARYTOO").replace("owner", "another");
        QVERIFY(first != smallConflist("owner") && second != first);
        Node node;
        QVERIFY(node.startReady(name, first));
        QVERIFY(waitForSocket(node));
        node.net.writeByRename(name, second);
        QVERIFY(node.waitFor(Kind::PatchApplied, { { QStringLiteral("repatch"), true } }));
        RawClient client(socketOf(node));
        (void)client.hello();
        QStringList all;
        for (const journal::Event &patch : node.events(Kind::PatchApplied)) {
            const QJsonObject params{ { QStringLiteral("seq"), qint64(patch.seq) } };
            const QJsonObject diff = client.call(QStringLiteral("diff"), params)[u"result"].toObject();
            QVERIFY(diff[u"ours"].toString().contains(QLatin1String(pluginType)));
            all += diff[u"ours"].toString() + diff[u"theirs"].toString();
        }
        QCOMPARE(all.size(), 2);
        QVERIFY2(all.last().contains(QStringLiteral("another")), qPrintable(all.last())); // theirs
        QVERIFY2(!all.join(QString()).contains(QStringLiteral("CANARY")), qPrintable(all.join(QString())));
        QVERIFY(all.first().contains(QStringLiteral("‹cut, 6 chars›")));
    }

    void endOfTheServiceIsSaid()
    {
        Node node;
        QVERIFY(node.startReady(name, owner));
        QVERIFY(waitForSocket(node));
        RawClient client(socketOf(node));
        client.send(followAll());
        node.process.send(SIGTERM);
        const QJsonObject bye = client.waitFor(QStringLiteral("bye"))[u"params"].toObject();
        QCOMPARE(bye[u"why"].toString(), QStringLiteral("shutdown"));
        const QList<QJsonObject> frames = client.passed();
        QCOMPARE(frames.last()[u"params"][u"kind"].toString(), QStringLiteral("process.stop"));
        QCOMPARE(frames.last()[u"params"][u"seq"].toInteger(), bye[u"last"].toInteger());
        QCOMPARE(client.waitForEnd(), RawClient::End::Regular);
        client.close();
        QCOMPARE(node.process.wait(), 0);
        QVERIFY(!QFile::exists(QFile::decodeName(socketOf(node))));
    }

    // kubectl exec -i POD -- firstwatchd relay
    void relayCarriesAllToTheEnd()
    {
        Node node;
        QVERIFY(node.startReady(name, owner));
        QVERIFY(waitForSocket(node));
        const QByteArray asked = node.path("run/asked");
        NetDir(node.path("run")).writeInPlace("asked", followAll());
        Process relay;
        relay.start(
            { "sh", "-c", R"(exec "$0" relay --runtime-dir "$1" < "$2")", FIRSTWATCHD, node.path("run"), asked }, {},
            node.path("relay.out"), node.path("relay.err"));
        QCOMPARE(relay.wait(), 0);
        QFile out(QFile::decodeName(node.path("relay.out")));
        QVERIFY(out.open(QIODevice::ReadOnly));
        QList<QJsonObject> frames;
        for (QByteArray line = out.readLine(); !line.isEmpty(); line = out.readLine()) {
            QVERIFY(line.endsWith('\n'));
            frames.append(QJsonDocument::fromJson(line).object());
        }
        QCOMPARE(frames.first()[u"method"].toString(), QStringLiteral("hello"));
        QCOMPARE(frames.last()[u"method"].toString(), QStringLiteral("bye"));
        QCOMPARE(frames.last()[u"params"][u"why"].toString(), QStringLiteral("end"));
        const QList<qint64> seqs = seqsOf(frames);
        QCOMPARE(seqs.first(), 1);
        QCOMPARE(seqs.last(), frames.last()[u"params"][u"last"].toInteger());
        QCOMPARE(seqs.size(), seqs.last());
    }

    void p31_p32_forItsOwnerAndByAPath()
    {
        Node node;
        const QByteArray directory = node.path("fresh");
        node.set("FIRSTWATCH_RUNTIME_DIR", directory);
        node.net.writeInPlace(name, owner);
        node.start();
        const QByteArray socket = directory + "/stream.sock";
        QVERIFY(eventually([&] { return RawClient(socket).isConnected(); }));
        QCOMPARE(modeOf(directory), mode_t(S_IFDIR | 0700));
        QCOMPARE(modeOf(socket), mode_t(S_IFSOCK | 0600));
        QFile sockets(QStringLiteral("/proc/%1/net/unix").arg(node.process.pid()));
        QVERIFY(sockets.open(QIODevice::ReadOnly));
        const QByteArray all = sockets.readAll();
        QVERIFY(all.contains(socket));
        QVERIFY(!all.contains("@firstwatch") && !all.contains(QByteArray('@' + directory)));
    }

    void p3D_aKilledServicesSocketIsReplaced()
    {
        Node node;
        QVERIFY(node.startReady(name, owner));
        QVERIFY(waitForSocket(node));
        node.crash();
        QVERIFY(S_ISSOCK(modeOf(socketOf(node))));
        node.start();
        QVERIFY(waitForSocket(node));
        RawClient client(socketOf(node));
        QVERIFY(!client.hello().isEmpty());
        QVERIFY(!node.hasOpenFinding(code::streamSocket));
    }

    void whatIsNotOursStays()
    {
        Node node;
        const NetDir run(node.path("run"));
        run.writeInPlace("stream.sock", "somebody's file");
        QVERIFY(node.startReady(name, owner));
        QVERIFY(node.waitForFinding(code::streamSocket));
        QCOMPARE(node.stop(), 0);
        QCOMPARE(run.read("stream.sock"), "somebody's file");
    }

    // In the network namespace of the node anybody on it could connect.
    void p33_noPortWithoutAKeyInTheHostsNetwork()
    {
        if (!QFile::exists(QStringLiteral("/proc/sys/net/core/netdev_budget")))
            QSKIP("these tests run in a network namespace of their own");
        Node node;
        node.set("FIRSTWATCH_STREAM_PORT", QByteArray::number(freePort()));
        QVERIFY(node.startReady(name, owner));
        QVERIFY(node.waitForFinding(code::streamPort));
        QVERIFY(waitForSocket(node));
    }

    void p33_aPortOnTheLoopbackOnly_data()
    {
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<bool>("opened");
        QTest::newRow("a key") << QByteArray("0123456789abcdef\n") << true;
        QTest::newRow("too short") << QByteArray("0123456789abcde\n") << false;
        QTest::newRow("no file") << QByteArray() << false;
    }
    void p33_aPortOnTheLoopbackOnly()
    {
        QFETCH(const QByteArray, key);
        QFETCH(const bool, opened);
        Node node;
        const quint16 port = freePort();
        node.set("FIRSTWATCH_STREAM_PORT", QByteArray::number(port));
        node.set("FIRSTWATCH_STREAM_KEY_FILE", node.path("run/key"));
        if (!key.isEmpty())
            NetDir(node.path("run")).writeInPlace("key", key);
        QVERIFY(node.startReady(name, owner));
        QVERIFY(waitForSocket(node));
        QCOMPARE(eventually([&] { return RawClient(port).isConnected(); }, opened ? patienceMs : 100), opened);
        QCOMPARE(node.hasOpenFinding(code::streamPort), !opened);
        QFile sockets(QStringLiteral("/proc/net/tcp"));
        QVERIFY(sockets.open(QIODevice::ReadOnly));
        const QByteArray listening =
            QByteArray::number(port, 16).toUpper().rightJustified(4, '0') + " 00000000:0000 0A";
        QByteArray found;
        for (const QByteArray &line : sockets.readAll().split('\n')) {
            if (line.contains(QByteArray(':' + listening)))
                found = line.simplified().split(' ').at(1);
        }
        QCOMPARE(found.startsWith("0100007F:"), opened);
    }

    // The pod's address is not its loopback: only who is in the pod gets there.
    void p33_notFromAnotherPod()
    {
        Node node;
        const quint16 port = freePort();
        node.set("FIRSTWATCH_STREAM_PORT", QByteArray::number(port));
        node.setWrapper({ "unshare", "--net", "sh", "-c", R"(ip link set lo up; exec "$0" "$@")" });
        if (execute({ "unshare", "--net", "ip", "link", "set", "lo", "up" }) != 0)
            QSKIP("this machine gives no networks of their own (or has no ip: scripts/setup runtime installs it)");
        QVERIFY(node.startReady(name, owner));
        const pid_t service = node.process.pid();
        QVERIFY(eventually([&] { return connectsFromWithin(service, port); }));
        if (!connectNetworks(service))
            QSKIP("this machine has no veth");
        QVERIFY(!RawClient("10.203.117.2", port).isConnected()); // from another pod, and from the node
        QVERIFY(!RawClient(port).isConnected());
        node.crash(); // its network goes, and the cable with it
    }

    void p38_aNewKeyIsReadWhenTheSecretIsSwapped()
    {
        const QByteArray first = "the key of this week";
        const QByteArray second = "the key of next week";
        Node node;
        const quint16 port = freePort();
        QVERIFY(QDir().mkpath(QFile::decodeName(node.path("secret"))));
        node.set("FIRSTWATCH_STREAM_PORT", QByteArray::number(port));
        node.set("FIRSTWATCH_STREAM_KEY_FILE", node.path("secret/key"));
        QVERIFY(node.startReady(name, owner));
        QVERIFY(node.waitForFinding(code::streamPort)); // no key yet, so no port
        QVERIFY(!RawClient(port).isConnected());
        mountKey(node, first);
        QVERIFY(eventually([&] { return RawClient(port).isConnected(); }));
        QVERIFY(!node.hasOpenFinding(code::streamPort));
        RawClient there(port);
        QVERIFY(there.authorise(first).contains(u"result"));

        mountKey(node, second);
        QVERIFY(eventually([&] { return isLetIn(port, second); }));
        QVERIFY(!isLetIn(port, first));
        QVERIFY(there.call(QStringLiteral("ping")).contains(u"result"));

        mountKey(node, "too short");
        QVERIFY(eventually([&] { return node.hasOpenFinding(code::streamPort); }));
        QVERIFY(isLetIn(port, second));
        mountKey(node, second);
        QVERIFY(eventually([&] { return !node.hasOpenFinding(code::streamPort); }));
        QVERIFY(there.call(QStringLiteral("ping")).contains(u"result"));
    }

    // As when kubectl exec is interrupted: what the node sends goes nowhere, and the relay must not stay.
    void relayEndsWhenNobodyReads_data()
    {
        QTest::addColumn<bool>("isFollowing");
        QTest::newRow("while it is told nothing") << false;
        QTest::newRow("while it is told much") << true;
    }
    void relayEndsWhenNobodyReads()
    {
        QFETCH(const bool, isFollowing);
        Node node;
        QVERIFY(node.startReady(name, owner));
        QVERIFY(waitForSocket(node));
        Relay relay(node);
        QVERIFY(relay.says("\"method\":\"hello\""));
        relay.ask(
            isFollowing ? followAll() : requestOf(1, QStringLiteral("hello"), { { QStringLiteral("major"), 1 } }));
        QVERIFY(isFollowing || relay.says("\"role\"")); // that was the last word for a while
        relay.stopReading();
        const qint64 took = relay.untilEnd();
        QVERIFY2(took >= 0 && took < 1000, qPrintable(QString::number(took)));
        RawClient observer(socketOf(node));
        (void)observer.hello();
        const auto clients = [&] {
            return observer.call(QStringLiteral("counters"))[u"result"][u"server"][u"clients"].toInt();
        };
        QTRY_COMPARE(clients(), 1); // and the service knows that it has gone
    }

    // Clients that do all they can to be in the way: a change is patched as soon as ever.
    void p3A_patchingDoesNotMindTheStream()
    {
        Node node;
        QVERIFY(node.startReady(name, owner));
        QVERIFY(waitForSocket(node));
        std::vector<std::unique_ptr<RawClient>> deaf;
        for (int i = 0; i < 6; ++i) {
            deaf.push_back(std::make_unique<RawClient>(socketOf(node)));
            deaf.back()->send(followAll());
        }
        std::atomic<bool> enough = false;
        std::thread storm([&] {
            while (!enough) {
                RawClient client(socketOf(node));
                client.send("GET / HTTP/1.1\r\n\r\n");
            }
        });
        QList<qint64> took;
        for (int i = 0; i < 60; ++i) {
            const QByteArray changed = smallConflist("owner" + QByteArray::number(i));
            QElapsedTimer time;
            time.start();
            node.net.writeByRename(name, changed);
            if (!node.waitPatched(name, changed))
                break;
            took.append(time.elapsed());
        }
        enough = true;
        storm.join();
        QCOMPARE(took.size(), 60);
        QVERIFY2(*std::max_element(took.begin(), took.end()) <= 250,
            qPrintable(QString::number(*std::max_element(took.begin(), took.end()))));
    }

    void relayWithoutAService()
    {
        Node node;
        QCOMPARE(node.run({ "relay" }), 1);
        QVERIFY(node.log().contains("stream.sock"));
        node.set("FIRSTWATCH_STREAM_SOCKET", "none");
        QCOMPARE(node.run({ "relay" }), 2);
    }
};

QTEST_GUILESS_MAIN(TestStream)
#include "tst_stream.moc"
