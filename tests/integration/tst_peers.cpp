// SPDX-License-Identifier: Apache-2.0
// What linkerd's two installers were seen to do wrong, one by one: each case ends right here. Token rotation, running
// binaries, overflow, two templates and the order of removal are in tst_rotation, tst_places, tst_survival,
// tst_commands and tst_cleanup.
#include "node.h"
#include "schedule.h"

#include <QTest>

#include <atomic>
#include <csignal>
#include <fcntl.h>
#include <thread>

using namespace firstwatch;
using namespace firstwatch::test;
using journal::Kind;

namespace {

const QByteArray owner = smallConflist("owner");
const QByteArray single = R"({"cniVersion":"0.4.0","name":"mynet","type":"bridge"})";
const QByteArray exact = "{\"name\": \"z\", \"cniVersion\": \"0.4.0\", \"plugins\": [{\"type\": \"bridge\", "
                         "\"b\": 12345678901234567890, \"a\": 1.0, \"c\": 1e3, \"d\": \"<&>\"}]}\n";

QByteArray half(const QByteArray &text)
{
    return text.first(text.size() / 2);
}

// Reads a config as often as it can while the object lives, and counts what no reader should see.
class Reader {
public:
    explicit Reader(const NetDir &net)
        : m_thread([this, &net] {
            while (!m_done) {
                const QByteArray text = net.read("10-a.conflist");
                ++m_reads;
                if (!text.endsWith("}\n") || !text.contains("\"plugins\""))
                    ++m_bad;
            }
        })
    {
    }
    ~Reader() { finish(); }
    Q_DISABLE_COPY_MOVE(Reader)
    [[nodiscard]] int bad()
    {
        finish();
        return m_bad;
    }
    [[nodiscard]] int reads() const { return m_reads; }

private:
    void finish()
    {
        m_done = true;
        if (m_thread.joinable())
            m_thread.join();
    }
    std::atomic<bool> m_done = false;
    std::atomic<int> m_reads = 0;
    std::atomic<int> m_bad = 0;
    std::thread m_thread;
};

const char *moment(bool atStart)
{
    return atStart ? "at start" : "live";
}

} // namespace

class TestPeers : public QObject {
    Q_OBJECT

public:
    static void initMain() { allowLongRuns(); }

private Q_SLOTS:
    // Theirs: 0644 of root.
    void modeAndOwnerStay()
    {
        if (::geteuid() != 0)
            QSKIP("needs root to give files away");
        Node node;
        node.net.writeInPlace("10-a.conflist", owner);
        const QByteArray file = node.net.path("10-a.conflist");
        QCOMPARE(::chown(file.constData(), 1000, 1000), 0);
        QCOMPARE(::chmod(file.constData(), 0600), 0);
        node.start();
        QVERIFY(node.waitPatched("10-a.conflist", owner));
        struct stat info { };
        QCOMPARE(::stat(file.constData(), &info), 0);
        QCOMPARE(info.st_mode & 07777, 0600U);
        QCOMPARE(info.st_uid, 1000U);
        QVERIFY(node.waitReady());
        QCOMPARE(::stat(node.net.path(kubeconfigName).constData(), &info), 0); // theirs: 0644
        QCOMPARE(info.st_mode & 07777, 0600U);
    }

    // Theirs: 12345678901234567000, 1, sorted keys.
    void everyOtherByteStays()
    {
        Node node;
        node.net.writeInPlace("10-a.conflist", exact);
        node.start();
        QVERIFY(node.waitPatched("10-a.conflist", exact));
        QVERIFY(
            node.net.read("10-a.conflist").contains(R"("b": 12345678901234567890, "a": 1.0, "c": 1e3, "d": "<&>")"));
        QVERIFY(node.waitReady());
        QCOMPARE(node.stop(), 0);
        QCOMPARE(node.net.read("10-a.conflist"), exact);
    }

    // Theirs: exited 1, unpatched, kubeconfig and binary left.
    void anIncompleteFileIsPatchedOnceItIsComplete_data()
    {
        QTest::addColumn<QByteArray>("first");
        QTest::addColumn<bool>("atStart");
        for (const bool atStart : { true, false }) {
            QTest::addRow("half, %s", moment(atStart)) << half(owner) << atStart;
            QTest::addRow("empty, %s", moment(atStart)) << QByteArray() << atStart;
        }
    }
    void anIncompleteFileIsPatchedOnceItIsComplete()
    {
        QFETCH(const QByteArray, first);
        QFETCH(const bool, atStart);
        Node node;
        QVERIFY(node.startAround(atStart, [&] { node.net.writeInPlace("10-a.conflist", first); }));
        QVERIFY(node.waitFor(Kind::FileUnreadable));
        QCOMPARE(node.net.read("10-a.conflist"), first);
        node.net.writeInPlace("10-a.conflist", owner);
        QVERIFY(node.waitPatched("10-a.conflist", owner));
        QVERIFY(node.waitReady());
    }

    // Theirs: not patched, or the link replaced by a file.
    void aLinkStaysALink_data()
    {
        QTest::addColumn<bool>("atStart");
        for (const bool atStart : { true, false })
            QTest::newRow(moment(atStart)) << atStart;
    }
    void aLinkStaysALink()
    {
        QFETCH(const bool, atStart);
        Node node;
        node.net.writeInPlace("real.txt", owner);
        const QByteArray link = node.net.path("10-a.conflist");
        QVERIFY(node.startAround(atStart, [&link] { QCOMPARE(::symlink("real.txt", link.constData()), 0); }));
        QVERIFY2(node.waitPatched("10-a.conflist", owner), node.log().constData());
        QVERIFY(ownersText("10-a.conflist", node.net.read("real.txt")) == owner);
        char target[64] = {};
        QVERIFY(::readlink(link.constData(), target, sizeof target) > 0);
        QCOMPARE(QByteArray(target), "real.txt");
        QVERIFY(eventually([&node] { return node.leftovers().isEmpty(); })); // so that no look is due by itself
        node.net.writeByRename("real.txt", exact); // a change of the target is followed
        QVERIFY(node.waitPatched("10-a.conflist", exact));
        QVERIFY(node.waitReady());
        QCOMPARE(node.stop(), 0);
        QCOMPARE(node.net.read("real.txt"), exact);
    }

    void aLinkOutOfTheDirectoryIsSaid()
    {
        Node node;
        NetDir(node.path("host/etc")).writeInPlace("outside.conflist", owner);
        QCOMPARE(::symlink("../../outside.conflist", node.net.path("10-a.conflist").constData()), 0);
        node.start();
        QVERIFY(node.waitForFinding(1104, "10-a.conflist"));
        QCOMPARE(NetDir(node.path("host/etc")).read("outside.conflist"), owner);
    }

    // Theirs: "k8s-pod-network" and version 0.3.x, so another address store; and ".json" was never looked at, though
    // runtimes load it. ".CONFLIST" no runtime loads.
    void aConvertedFileKeepsNameAndVersion_data()
    {
        QTest::addColumn<QByteArray>("file");
        QTest::newRow("conf") << QByteArray("10-o.conf");
        QTest::newRow("json") << QByteArray("10-o.json");
    }
    void aConvertedFileKeepsNameAndVersion()
    {
        QFETCH(const QByteArray, file);
        Node node;
        node.net.writeInPlace("20-a.CONFLIST", owner);
        QVERIFY(node.startReady(file, single));
        QVERIFY(ownersText("10-o.conflist", node.net.read("10-o.conflist")).has_value());
        const QJsonObject list = QJsonDocument::fromJson(node.net.read("10-o.conflist")).object();
        QCOMPARE(list[QStringLiteral("name")].toString(), QStringLiteral("mynet"));
        QCOMPARE(list[QStringLiteral("cniVersion")].toString(), QStringLiteral("0.4.0"));
        QVERIFY(!node.net.exists(file));
        QCOMPARE(node.net.read("20-a.CONFLIST"), owner);
        QCOMPARE(node.stop(), 0);
        QCOMPARE(node.net.names().join(' '), file + " 20-a.CONFLIST");
        QCOMPARE(node.net.read(file), single);
        QCOMPARE(node.net.read("20-a.CONFLIST"), owner);
    }

    // Theirs: the list was overwritten and lost.
    void aListOfTheSameNameIsNotOverwritten()
    {
        Node node;
        node.net.writeInPlace("10-o.conf", single);
        node.net.writeInPlace("10-o.conflist", owner);
        node.start();
        QVERIFY(node.waitPatched("10-o.conflist", owner));
        QVERIFY(node.waitFor(Kind::FileState,
            { { QStringLiteral("file"), QStringLiteral("10-o.conf") },
                { QStringLiteral("state"), QStringLiteral("drift") } }));
        QCOMPARE(node.net.read("10-o.conf"), single);
        QVERIFY(!node.events(Kind::FindingOpen, { { QStringLiteral("file"), QStringLiteral("10-o.conf") } }).isEmpty());
    }

    // Theirs: three left, and two of them after the binary was gone.
    void ofThreeOfOursOneStays()
    {
        const QByteArray bare = R"({"cniVersion":"0.4.0","name":"a","plugins":[{"type":"bridge"}]})";
        QByteArray thrice = bare;
        thrice.replace(R"({"type":"bridge"})",
            R"({"type":"linkerd-cni"},{"type":"bridge"},{"type":"linkerd-cni"},)"
            R"({"type":"linkerd-cni"})");
        Node node;
        node.net.writeInPlace("10-a.conflist", thrice);
        node.start();
        QVERIFY(node.waitPatched("10-a.conflist", bare));
        QVERIFY(node.waitReady());
        QCOMPARE(node.stop(), 0);
        QCOMPARE(node.net.read("10-a.conflist"), bare);
        QCOMPARE(node.bin.names().join(' '), "");
    }

    // Theirs: blind and alive.
    void aDirectoryMadeAgainIsWatched()
    {
        Node node;
        QVERIFY(node.startReady("10-a.conflist", owner));
        node.removeNetDir();
        QVERIFY(node.waitNotReady());
        QCOMPARE(::mkdir(node.net.path().constData(), 0755), 0);
        node.net.writeInPlace("10-a.conflist", exact);
        QVERIFY(node.waitPatched("10-a.conflist", exact));
        QVERIFY(node.waitReady());
    }

    // Theirs: waiting for ever, or exited 1.
    void aDirectoryThatComesLaterIsWatched()
    {
        Node node;
        QVERIFY(eventually([&] { return execute({ "rm", "-rf", node.path("host/etc") }) == 0; }));
        node.start();
        QVERIFY(node.waitForFinding(1009));
        QCOMPARE(execute({ "mkdir", "-p", node.net.path() }), 0);
        node.net.writeInPlace("10-a.conflist", owner);
        QVERIFY(node.waitPatched("10-a.conflist", owner));
        QVERIFY(node.waitReady());
    }

    // Theirs: 907 rounds in six seconds, at full speed and without a word.
    void aFightIsDampedAndSaid()
    {
        Node node;
        QVERIFY(node.startReady("10-a.conflist", owner));
        const QDeadlineTimer six(6000);
        const auto isAnswered = [&node] { return node.isPatched("10-a.conflist", owner); };
        int rounds = 0;
        while (!six.hasExpired() && eventually(isAnswered, int(six.remainingTime()))) {
            node.net.writeByRename("10-a.conflist", owner);
            ++rounds;
        }
        QVERIFY2(rounds >= 10 && rounds <= 20, qPrintable(QString::number(rounds)));
        QVERIFY(node.waitForFinding(1102, "10-a.conflist"));
        QVERIFY(node.waitFor(Kind::FileState, { { QStringLiteral("state"), QStringLiteral("contested") } }));
        QVERIFY(!node.isReady());
        QVERIFY(node.waitPatched("10-a.conflist", owner)); // never given up
        node.net.writeByRename("10-a.conflist", exact); // news is answered at once
        QVERIFY(node.waitPatched("10-a.conflist", exact));
        QCOMPARE(node.stop(), 0);
        QCOMPARE(node.net.read("10-a.conflist"), exact);
    }

    // Theirs: 2 invalid and 2 valid: a deadlock, a later file ignored, killed after 4 s; or a clean-up that stops
    // half-way.
    void badFilesHarmNoOthers()
    {
        Node node;
        for (const char *name : { "01-bad.conflist", "03-bad.conflist" })
            node.net.writeInPlace(name, half(owner));
        for (const char *name : { "02-good.conflist", "04-good.conflist" })
            node.net.writeInPlace(name, owner);
        node.start();
        QVERIFY(node.waitPatched("02-good.conflist", owner));
        QVERIFY(node.waitPatched("04-good.conflist", owner));
        node.net.writeByRename("05-later.conflist", owner);
        QVERIFY(node.waitPatched("05-later.conflist", owner));
        node.net.writeByRename("06-bad-later.conflist", "{");
        QVERIFY(node.waitFor(
            Kind::FileUnreadable, { { QStringLiteral("file"), QStringLiteral("06-bad-later.conflist") } }));
        QVERIFY(node.process.isRunning());
        QVERIFY(node.waitForFinding(1103, "01-bad.conflist")); // after five seconds: said
        QCOMPARE(node.stop(), 0);
        QCOMPARE(node.net.names().join(' '),
            "01-bad.conflist 02-good.conflist 03-bad.conflist 04-good.conflist 05-later.conflist "
            "06-bad-later.conflist");
        for (const char *name : { "02-good.conflist", "04-good.conflist", "05-later.conflist" })
            QCOMPARE(node.net.read(name), owner);
        QCOMPARE(node.net.read("01-bad.conflist"), half(owner));
    }

    // What hangs or kills a naive reader: a FIFO, a directory, a device, a loop, a huge file, unreadable bytes.
    void strangeFilesHarmNoOthers()
    {
        Node node;
        QCOMPARE(::mkfifo(node.net.path("01-fifo.conflist").constData(), 0600), 0);
        QCOMPARE(::mkdir(node.net.path("02-directory.conflist").constData(), 0755), 0);
        QCOMPARE(::symlink("/dev/zero", node.net.path("03-device.conflist").constData()), 0);
        QCOMPARE(::symlink("04-loop.conflist", node.net.path("04-loop.conflist").constData()), 0);
        node.net.writeInPlace("05-huge.conflist", QByteArray(3LL * 1024 * 1024, '['));
        node.net.writeInPlace("06-deep.conflist", QByteArray(100'000, '['));
        node.net.writeInPlace("07-\xff\n.conflist", owner);
        node.net.writeInPlace("10-a.conflist", owner);
        node.start();
        QVERIFY(node.waitPatched("10-a.conflist", owner));
        QVERIFY(node.waitPatched("07-\xff\n.conflist", owner));
        QVERIFY(node.waitForFinding(1105, "01-fifo.conflist"));
        QVERIFY(node.waitForFinding(1106, "05-huge.conflist"));
        node.net.writeByRename("11-b.conflist", owner);
        QVERIFY(node.waitPatched("11-b.conflist", owner));
        QCOMPARE(node.stop(), 0);
        QCOMPARE(node.net.read("07-\xff\n.conflist"), owner);
    }

    // Theirs: 1 127 times absent, 20 times empty, twice cut, in 69 169 reads.
    void readersNeverSeeAHole()
    {
        Node node;
        QVERIFY(node.startReady("10-a.conflist", owner));
        Reader reader(node.net);
        for (int round = 0; round < sized(60, 1000); ++round) {
            const QByteArray text = smallConflist("round" + QByteArray::number(round));
            node.net.writeByRename("10-a.conflist", text);
            QVERIFY(node.waitPatched("10-a.conflist", text));
        }
        QCOMPARE(node.stop(), 0);
        QCOMPARE(reader.bad(), 0);
        QVERIFY(reader.reads() > 60);
    }

    // Theirs: no kubeconfig until the first config comes.
    void theKubeconfigDoesNotWaitForAConfig()
    {
        Node node;
        node.start();
        QVERIFY(eventually([&] { return node.net.exists(kubeconfigName); }));
        QVERIFY(node.waitReady());
        QVERIFY(node.bin.exists(pluginType));
    }

    // Theirs: 400 patches for two files that change in turn, or one of the two never again.
    void twoFilesThatChangeInTurn()
    {
        Node node;
        node.net.writeInPlace("10-a.conflist", owner);
        QVERIFY(node.startReady("20-b.conflist", owner));
        for (int round = 0; round < 40; ++round) {
            const QByteArray name = round % 2 == 0 ? "10-a.conflist" : "20-b.conflist";
            const QByteArray text = smallConflist("round" + QByteArray::number(round));
            node.net.writeInPlace(name, text);
            QVERIFY(node.waitPatched(name, text));
        }
        QVERIFY(eventually([&] { return node.events(Kind::PatchApplied).size() == 42; }));
    }

    // aws/amazon-vpc-cni-k8s: an owner that takes its file away as a readiness gate.
    void aWithdrawnFileIsNotMadeAgain()
    {
        Node node;
        node.start();
        QVERIFY(node.waitReady());
        for (int round = 0; round < 50; ++round) {
            node.net.writeByRename("10-a.conflist", smallConflist("round" + QByteArray::number(round)));
            if (round % 2 == 0)
                QVERIFY(eventually(
                    [&] { return ownersText("10-a.conflist", node.net.read("10-a.conflist")).has_value(); }));
            node.net.remove("10-a.conflist");
        }
        QCOMPARE(node.stop(), 0);
        QCOMPARE(node.net.names().join(' '), "");
    }

    // cilium: an exclusive owner renames the others away.
    void aDisplacedFileIsNotMadeAgain()
    {
        Node node;
        QVERIFY(node.startReady("10-a.conflist", owner));
        QCOMPARE(
            ::rename(node.net.path("10-a.conflist").constData(), node.net.path("10-a.conflist.cilium_bak").constData()),
            0);
        node.net.writeByRename("05-cilium.conflist", exact);
        QVERIFY(node.waitPatched("05-cilium.conflist", exact));
        QVERIFY(node.waitForFinding(1109, "10-a.conflist"));
        QVERIFY(!node.net.exists("10-a.conflist"));
        QCOMPARE(
            ::rename(node.net.path("10-a.conflist.cilium_bak").constData(), node.net.path("10-a.conflist").constData()),
            0);
        QVERIFY(node.waitReady());
        QVERIFY(node.isPatched("10-a.conflist", owner));
    }
};

QTEST_GUILESS_MAIN(TestPeers)
#include "tst_peers.moc"
