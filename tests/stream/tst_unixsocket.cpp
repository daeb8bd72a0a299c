// SPDX-License-Identifier: Apache-2.0
#include "stream/unixsocket.h"

#include "netdir.h"
#include "rawclient.h"
#include "servednode.h"

#include "stream/peer.h"

#include <QFile>
#include <QTest>

#include <algorithm>
#include <fcntl.h>
#include <functional>
#include <grp.h>
#include <optional>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

using namespace firstwatch;
using namespace firstwatch::test;
using stream::UnixSocket;

namespace {

constexpr int backlog = 16;
constexpr uid_t nobody = 65534;

mode_t modeOf(const QByteArray &path)
{
    struct stat info { };
    return ::lstat(path.constData(), &info) == 0 ? info.st_mode : 0;
}

// A bound socket whose process is gone, as after SIGKILL; or one that listens, without our lock.
sys::FileDescriptor foreignSocket(const QByteArray &path, bool listens)
{
    sys::FileDescriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::copy(path.begin(), path.end(), address.sun_path);
    const void *const raw = &address;
    if (::bind(socket.get(), static_cast<const sockaddr *>(raw), sizeof address) != 0)
        qFatal("bind %s", path.constData());
    if (!listens)
        return {};
    ::listen(socket.get(), 1);
    return socket;
}

struct Who {
    uid_t user = 0;
    gid_t group = 0;
    gid_t second = 0; // a supplementary group; 0: none
    bool inItsOwnNamespace = false; // of users, where it is root
};

constexpr int cannotConnect = -1;
constexpr int cannotBecome = -2; // this machine does not let it

bool writeTo(const char *path, const QByteArray &text)
{
    const sys::FileDescriptor file(::open(path, O_WRONLY | O_CLOEXEC));
    return file.isValid() && ::write(file.get(), text.constData(), size_t(text.size())) == text.size();
}

// Root of a namespace of users, where `user` outside is 0.
bool enterUserNamespace(uid_t user)
{
    return ::unshare(CLONE_NEWUSER) == 0
        && writeTo("/proc/self/uid_map", QByteArray("0 " + QByteArray::number(user) + " 1\n"));
}

bool become(const Who &who)
{
    return ::setgroups(who.second == 0 ? 0 : 1, &who.second) == 0 && ::setresgid(who.group, who.group, who.group) == 0
        && ::setresuid(who.user, who.user, who.user) == 0
        // A process that has changed its user may not write its own map, until it says that it may be looked at.
        && (!who.inItsOwnNamespace || (::prctl(PR_SET_DUMPABLE, 1) == 0 && enterUserNamespace(who.user)));
}

int exitCodeOf(const std::function<int()> &work)
{
    const pid_t child = ::fork();
    if (child == 0)
        ::_exit(work());
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

// How many bytes such a process gets.
int bytesFor(const Who &who, const QByteArray &path)
{
    const int code = exitCodeOf([&] {
        if (!become(who))
            return 98;
        RawClient client(path);
        if (client.isConnected())
            (void)client.next(1000);
        return client.isConnected() ? int(std::min<qint64>(client.bytes(), 96)) : 97;
    });
    return code == 98 ? cannotBecome : code == 97 ? cannotConnect : code;
}

} // namespace

class TestUnixSocket : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void p31_modeFromTheFirstMoment_data()
    {
        QTest::addColumn<int>("umask");
        QTest::newRow("usual") << 022;
        QTest::newRow("none") << 0;
    }
    void p31_modeFromTheFirstMoment()
    {
        QFETCH(const int, umask);
        const NetDir root;
        const mode_t before = ::umask(mode_t(umask));
        const UnixSocket socket(root.path("made/stream.sock"), backlog);
        ::umask(before);
        QCOMPARE(socket.problem(), QString());
        QCOMPARE(modeOf(root.path("made")), mode_t(S_IFDIR | 0700));
        QCOMPARE(modeOf(root.path("made/stream.sock")), mode_t(S_IFSOCK | 0600));
    }

    void p31_directoriesOfOthers_data()
    {
        QTest::addColumn<uint>("mode");
        QTest::addColumn<uint>("owner");
        QTest::addColumn<bool>("listens");
        QTest::addColumn<uint>("modeAfterwards");
        QTest::newRow("ours") << 0700U << 0U << true << 0700U;
        QTest::newRow("others may look") << 0755U << 0U << true << 0755U;
        QTest::newRow("a fresh emptyDir") << 0777U << 0U << true << 0700U;
        QTest::newRow("the group may write") << 0770U << 0U << true << 0700U;
        QTest::newRow("like /tmp") << 01777U << 0U << false << 01777U;
        QTest::newRow("somebody else's") << 0700U << uint(nobody) << false << 0700U;
    }
    void p31_directoriesOfOthers()
    {
        QFETCH(const uint, mode);
        QFETCH(const uint, owner);
        QFETCH(const bool, listens);
        QFETCH(const uint, modeAfterwards);
        const NetDir root;
        const QByteArray directory = root.path("run");
        QVERIFY(::mkdir(directory.constData(), 0700) == 0 && ::chown(directory.constData(), owner, owner) == 0
            && ::chmod(directory.constData(), mode) == 0);
        const UnixSocket socket(directory + "/stream.sock", backlog);
        QCOMPARE(socket.problem().isEmpty(), listens);
        QCOMPARE(socket.fd() >= 0, listens);
        QCOMPARE(modeOf(directory) & 07777, modeAfterwards);
    }

    // The modes keep others away already; when somebody widens them, who connects still gets nothing.
    void p31_notABytesWorthForOthers()
    {
        ServedNode node;
        node.happen();
        const QByteArray directory = node.path().first(node.path().lastIndexOf('/'));
        QVERIFY(::chmod(directory.constData(), 0755) == 0 && ::chmod(node.path().constData(), 0666) == 0);
        QCOMPARE(bytesFor({ nobody, nobody }, node.path()), 0);
        QCOMPARE(bytesFor({ 1000, 1000 }, node.path()), 0);
        QVERIFY(bytesFor({}, node.path()) > 0);
        RawClient client(node.path());
        (void)client.hello();
        QCOMPARE(client.call(QStringLiteral("counters"))[u"result"][u"server"][u"refused"].toInt(), 2);
    }

    // Being root is worth what it is worth outside.
    void p31_rootOfAnotherUserNamespace()
    {
        ServedNode node;
        node.happen();
        const QByteArray directory = node.path().first(node.path().lastIndexOf('/'));
        QVERIFY(::chmod(directory.constData(), 0755) == 0 && ::chmod(node.path().constData(), 0666) == 0);
        const int bytes = bytesFor({ 1000, 1000, 0, true }, node.path());
        if (bytes == cannotBecome)
            QSKIP("this machine gives users no namespaces of their own");
        QCOMPARE(bytes, 0);
    }

    // Who is not known in the server's own namespace is shown as nobody, also to a server that is nobody itself.
    void p31_aPeerWhomTheServersNamespaceDoesNotKnow()
    {
        const NetDir root;
        const UnixSocket socket(root.path("stream.sock"), backlog);
        const RawClient outside(root.path("stream.sock"));
        const int code = exitCodeOf([&] {
            if (::unshare(CLONE_NEWUSER) != 0) // without a map: nobody is known in it
                return 98;
            const sys::FileDescriptor peer(::accept(socket.fd(), nullptr, nullptr));
            return ::geteuid() == nobody && peer.isValid() && !stream::isTrustedPeer(peer.get(), {}) ? 0 : 1;
        });
        if (code == 98)
            QSKIP("this machine gives no namespaces of users");
        QCOMPARE(code, 0);
    }

    void p31_aGroupMayBeNamed_data()
    {
        QTest::addColumn<uint>("group");
        QTest::addColumn<uint>("second");
        QTest::addColumn<bool>("isLetIn");
        QTest::newRow("its own group") << 4242U << 0U << true;
        QTest::newRow("a supplementary group") << 1000U << 4242U << true;
        QTest::newRow("other groups") << 1000U << 4243U << false;
        QTest::newRow("nobody") << uint(nobody) << 0U << false;
    }
    void p31_aGroupMayBeNamed()
    {
        QFETCH(const uint, group);
        QFETCH(const uint, second);
        QFETCH(const bool, isLetIn);
        stream::ServerOptions options;
        const NetDir root;
        QVERIFY(::chmod(root.path().constData(), 0755) == 0);
        options.socketPath = root.path("run/stream.sock");
        options.socketGroup = 4242;
        ServedNode node(options);
        QCOMPARE(node.problems(), QStringList());
        node.happen();
        QCOMPARE(modeOf(root.path("run")), mode_t(S_IFDIR | 0750));
        QCOMPARE(modeOf(node.path()), mode_t(S_IFSOCK | 0660));
        const Who who{ 1000, group, second };
        QCOMPARE(bytesFor(who, node.path()) > 0, isLetIn);
        // The modes widened for all: who is in no such group still gets nothing.
        QVERIFY(::chmod(root.path("run").constData(), 0755) == 0 && ::chmod(node.path().constData(), 0666) == 0);
        QCOMPARE(bytesFor(who, node.path()) > 0, isLetIn);
        QVERIFY(bytesFor({}, node.path()) > 0);
    }

    // A pod that may not give files away: it serves root, and says that it serves nobody else.
    void aGroupThatCannotBeGivenIsSaid()
    {
        const NetDir root;
        QVERIFY(::chown(root.path().constData(), 1000, 1000) == 0);
        const int code = exitCodeOf([&] {
            if (!become({ 1000, 1000 }))
                return 98;
            const UnixSocket socket(root.path("stream.sock"), backlog, 4242);
            const bool isSaid = socket.problem().contains(QStringLiteral("not open to group 4242"));
            return socket.fd() >= 0 && isSaid && (modeOf(root.path("stream.sock")) & 0777) == 0600 ? 0 : 1;
        });
        QCOMPARE(code, 0);
    }

    void p3D_staleIsReplaced()
    {
        const NetDir root;
        const QByteArray path = root.path("stream.sock");
        (void)foreignSocket(path, false);
        const UnixSocket socket(path, backlog);
        QCOMPARE(socket.problem(), QString());
        QVERIFY(RawClient(path).isConnected());
    }

    void p3D_liveIsNeverStolen()
    {
        const NetDir root;
        const QByteArray path = root.path("stream.sock");
        const UnixSocket first(path, backlog);
        {
            const UnixSocket second(path, backlog);
            QVERIFY2(second.problem().contains(QStringLiteral("another firstwatchd")), qPrintable(second.problem()));
        }
        QVERIFY(RawClient(path).isConnected());
    }

    void p3D_liveWithoutALockIsNeverStolen_data()
    {
        QTest::addColumn<int>("waiting");
        QTest::newRow("it would answer") << 0;
        QTest::newRow("its queue is full") << 2;
    }
    void p3D_liveWithoutALockIsNeverStolen()
    {
        QFETCH(const int, waiting);
        const NetDir root;
        const QByteArray path = root.path("stream.sock");
        const sys::FileDescriptor foreign = foreignSocket(path, true);
        QList<std::shared_ptr<RawClient>> clients;
        for (int i = 0; i < waiting; ++i)
            clients.append(std::make_shared<RawClient>(path));
        struct stat before { };
        ::lstat(path.constData(), &before);
        const UnixSocket ours(path, backlog);
        QVERIFY2(ours.problem().contains(QStringLiteral("somebody who listens")), qPrintable(ours.problem()));
        struct stat after { };
        QCOMPARE(::lstat(path.constData(), &after), 0);
        QCOMPARE(after.st_ino, before.st_ino);
    }

    // Qt's removeServer() deletes a regular file and says that all is well.
    void p3D_whatIsNoSocketStays_data()
    {
        QTest::addColumn<mode_t>("type");
        QTest::newRow("regular file") << mode_t(S_IFREG);
        QTest::newRow("directory") << mode_t(S_IFDIR);
        QTest::newRow("symbolic link") << mode_t(S_IFLNK);
        QTest::newRow("FIFO") << mode_t(S_IFIFO);
    }
    void p3D_whatIsNoSocketStays()
    {
        QFETCH(const mode_t, type);
        const NetDir root;
        const QByteArray path = root.path("stream.sock");
        (void)foreignSocket(root.path("elsewhere"), false); // what the link leads to
        const bool made = type == S_IFDIR ? ::mkdir(path.constData(), 0700) == 0
            : type == S_IFLNK             ? ::symlink("elsewhere", path.constData()) == 0
            : type == S_IFIFO             ? ::mkfifo(path.constData(), 0600) == 0
                                          : (root.writeInPlace("stream.sock", "content"), true);
        QVERIFY(made);
        {
            const UnixSocket socket(path, backlog);
            QVERIFY2(socket.problem().contains(QStringLiteral("no socket")), qPrintable(socket.problem()));
        }
        QCOMPARE(modeOf(path) & mode_t(S_IFMT), type);
        QVERIFY(root.exists("elsewhere"));
        if (type == S_IFREG)
            QCOMPARE(root.read("stream.sock"), "content");
    }

    void aLongPathIsSaidInWords()
    {
        const NetDir root;
        const QByteArray longest = root.path(QByteArray(107 - root.path().size() - 1, 'x'));
        QCOMPARE(UnixSocket(longest, backlog).problem(), QString());
        const QString problem = UnixSocket(longest + 'x', backlog).problem();
        QVERIFY2(problem.contains(QStringLiteral("108 bytes")) && problem.contains(QStringLiteral("107")),
            qPrintable(problem));
    }

    // sddm#2205: the end of the old one must not take the new one's name away.
    void removesItsOwnOnly()
    {
        const NetDir root;
        const QByteArray path = root.path("stream.sock");
        {
            const UnixSocket socket(path, backlog);
        }
        QVERIFY(!root.exists("stream.sock"));
        {
            const UnixSocket socket(path, backlog);
            ::unlink(path.constData());
            (void)foreignSocket(path, false);
        }
        QVERIFY(root.exists("stream.sock"));
    }
};

QTEST_GUILESS_MAIN(TestUnixSocket)
#include "tst_unixsocket.moc"
