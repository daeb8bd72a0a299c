// SPDX-License-Identifier: Apache-2.0
// The end of a run: everything is given back, in the order that leaves no config without what it names.
#include "node.h"
#include "sys/filedescriptor.h"

#include <QTest>

#include <csignal>
#include <cstring>
#include <sys/inotify.h>

using namespace firstwatch;
using namespace firstwatch::test;
using journal::Event;
using journal::Kind;

namespace {

const QByteArray owner = smallConflist("owner");

// What happens to names in the net dir and the bin dir, in the order in which it happens: one queue for both.
class Trace {
public:
    explicit Trace(const Node &node)
        : m_queue(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC))
    {
        for (const QByteArray &directory : { node.net.path(), node.bin.path() })
            (void)::inotify_add_watch(m_queue.get(), directory.constData(), IN_MOVED_TO | IN_DELETE);
    }
    // The position of the last event of a name, -1 when nothing happened to it.
    [[nodiscard]] qsizetype last(const QByteArray &name)
    {
        alignas(inotify_event) char buffer[4096];
        for (ssize_t size = 0; (size = ::read(m_queue.get(), buffer, sizeof buffer)) > 0;) {
            for (ssize_t at = 0; at < size;) {
                inotify_event record{};
                std::memcpy(&record, buffer + at, sizeof record);
                m_names.append(QByteArray(buffer + at + sizeof record));
                at += ssize_t(sizeof record + record.len);
            }
        }
        return m_names.lastIndexOf(name);
    }

private:
    sys::FileDescriptor m_queue;
    QByteArrayList m_names;
};

QString summaryOf(Node &node)
{
    const QList<Event> stops = node.events(Kind::ProcessStop);
    return stops.isEmpty() ? QString() : stops.last().fields[QStringLiteral("summary")].toString();
}

void writeThree(const Node &node)
{
    for (const char *name : { "10-a.conflist", "20-b.conflist", "30-c.conflist" })
        node.net.writeInPlace(name, owner);
}

bool waitForThree(const Node &node)
{
    return node.waitPatched("10-a.conflist", owner) && node.waitPatched("20-b.conflist", owner)
        && node.waitPatched("30-c.conflist", owner) && node.waitReady();
}

// A file that even root cannot replace, for as long as the object lives.
class Immutable {
public:
    explicit Immutable(QByteArray path)
        : m_path(std::move(path))
        , m_made(execute({ "chattr", "+i", m_path }) == 0)
    {
    }
    ~Immutable() { (void)execute({ "chattr", "-i", m_path }); }
    Q_DISABLE_COPY_MOVE(Immutable)
    [[nodiscard]] bool isMade() const { return m_made; }

private:
    QByteArray m_path;
    bool m_made;
};

} // namespace

class TestCleanup : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void p22_configsThenKubeconfigThenBinaries()
    {
        Node node;
        writeThree(node);
        node.start();
        QVERIFY(waitForThree(node));
        Trace trace(node);
        QCOMPARE(node.stop(), 0);
        QVERIFY(trace.last("10-a.conflist") >= 0);
        for (const char *name : { "10-a.conflist", "20-b.conflist", "30-c.conflist" }) {
            QVERIFY2(trace.last(name) < trace.last(kubeconfigName), name);
            QCOMPARE(node.net.read(name), owner);
        }
        QVERIFY(trace.last(kubeconfigName) < trace.last(pluginType));
        QVERIFY(summaryOf(node).startsWith(QStringLiteral("3 of 3 undone")));
        QCOMPARE(node.net.names().join(' '), "10-a.conflist 20-b.conflist 30-c.conflist");
        QCOMPARE(node.bin.names().join(' '), "");
    }

    // One config cannot be undone: the others are, and what it still names stays.
    void p22_whatAConfigStillNamesStays()
    {
        Node node;
        writeThree(node);
        node.start();
        QVERIFY(waitForThree(node));
        const Immutable immutable(node.net.path("20-b.conflist"));
        if (!immutable.isMade())
            QSKIP("the file system has no immutable files");
        QCOMPARE(node.stop(), 1);
        QCOMPARE(node.net.read("10-a.conflist"), owner);
        QCOMPARE(node.net.read("30-c.conflist"), owner);
        QVERIFY(node.isPatched("20-b.conflist", owner));
        QVERIFY(node.net.exists(kubeconfigName));
        QVERIFY(node.bin.exists(pluginType));
        QVERIFY2(summaryOf(node).startsWith(QStringLiteral("2 of 3 undone")), qPrintable(summaryOf(node)));
        QCOMPARE(node.leftovers().join(' '), "");
    }

    // The same by a fail point, which needs no special file system.
    void p22_anExchangeThatFailsForGood()
    {
        Node node;
        node.net.writeInPlace("10-a.conflist", owner);
        node.setFaults("rename.exchange:skip=1,errno=EIO");
        node.start();
        QVERIFY(node.waitPatched("10-a.conflist", owner));
        QVERIFY(node.waitReady());
        QCOMPARE(node.stop(), 1);
        QVERIFY(node.isPatched("10-a.conflist", owner));
        QVERIFY(node.net.exists(kubeconfigName) && node.bin.exists(pluginType));
        node.setFaults({});
        QCOMPARE(node.run({ "cleanup" }), 0);
        QCOMPARE(node.net.names().join(' '), "10-a.conflist");
        QCOMPARE(node.net.read("10-a.conflist"), owner);
    }

    void p22_aSecondSignalChangesNothing()
    {
        Node node;
        writeThree(node);
        node.setFaults("name.unlink:sleep=60");
        node.start();
        QVERIFY(waitForThree(node));
        node.process.send(SIGTERM);
        QVERIFY(node.waitFor(Kind::CleanupStep));
        node.process.send(SIGTERM);
        node.process.send(SIGINT);
        QCOMPARE(node.process.wait(), 0);
        QCOMPARE(node.net.names().join(' '), "10-a.conflist 20-b.conflist 30-c.conflist");
        for (const QByteArray &name : node.net.names())
            QCOMPARE(node.net.read(name), owner);
    }

    // SIGTERM with a patch in flight: before, within and after the exchange.
    void p22_aSignalDuringAPatch_data()
    {
        QTest::addColumn<QByteArray>("point");
        for (const char *point : { "temp.create", "temp.sync", "rename.exchange", "dir.sync" })
            QTest::newRow(point) << QByteArray(point);
    }
    void p22_aSignalDuringAPatch()
    {
        QFETCH(const QByteArray, point);
        Node node;
        node.setFaults(point + ":sleep=150");
        node.start();
        QVERIFY(node.waitReady());
        node.net.writeByRename("10-a.conflist", owner);
        QVERIFY(eventually([&] { return !node.leftovers().isEmpty() || node.isPatched("10-a.conflist", owner); }));
        QCOMPARE(node.stop(), 0);
        QCOMPARE(node.net.names().join(' '), "10-a.conflist");
        QCOMPARE(node.net.read("10-a.conflist"), owner);
    }

    // cilium#24009: what the owner has written since is the owner's; what we never patched is not touched.
    void onlyWhatWeAddedIsRemoved()
    {
        Node node;
        const QByteArray foreign = R"({"name":"x","plugins":[{"type":"bridge"},{"type":"linkerd-cni2"}]})";
        node.net.writeInPlace("10-a.conflist", owner);
        node.net.writeInPlace("99-readme.txt", foreign);
        node.bin.writeInPlace("bridge", "the owner's");
        node.start();
        QVERIFY(node.waitPatched("10-a.conflist", owner));
        QVERIFY(node.waitReady());
        QCOMPARE(node.stop(), 0);
        QCOMPARE(node.net.names().join(' '), "10-a.conflist 99-readme.txt");
        QCOMPARE(node.net.read("99-readme.txt"), foreign);
        QCOMPARE(node.bin.read("bridge"), "the owner's");
    }
};

QTEST_GUILESS_MAIN(TestCleanup)
#include "tst_cleanup.moc"
