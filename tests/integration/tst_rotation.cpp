// SPDX-License-Identifier: Apache-2.0
// The service account's token: every rotation reaches the kubeconfig, a bad one changes nothing, none is ever shown.
#include "node.h"

#include <QDateTime>
#include <QTest>

#include <atomic>
#include <thread>

using namespace firstwatch;
using namespace firstwatch::test;
using journal::Kind;

namespace {

constexpr char canary[] = "canary-K7vQ2m";

QByteArray token(const QByteArray &number)
{
    return QByteArray(canary) + '-' + number;
}

bool waitForToken(const Node &node, const QByteArray &text)
{
    return eventually([&] { return node.net.read(kubeconfigName).contains(text); });
}

mode_t modeOf(const QByteArray &path)
{
    struct stat info { };
    return ::lstat(path.constData(), &info) == 0 ? info.st_mode & 07777 : 0;
}

// Looks at the mode as often as it can while the object lives.
class ModeWitness {
public:
    explicit ModeWitness(QByteArray path)
        : m_path(std::move(path))
        , m_thread([this] {
            while (!m_done) {
                const mode_t mode = modeOf(m_path);
                if (mode != 0 && mode != 0600)
                    m_bad = true;
            }
        })
    {
    }
    ~ModeWitness() { finish(); }
    Q_DISABLE_COPY_MOVE(ModeWitness)
    bool sawOnly0600()
    {
        finish();
        return !m_bad;
    }

private:
    void finish()
    {
        m_done = true;
        if (m_thread.joinable())
            m_thread.join();
    }
    QByteArray m_path;
    std::atomic<bool> m_done = false;
    std::atomic<bool> m_bad = false;
    std::thread m_thread;
};

} // namespace

class TestRotation : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void p21_everyRotationReachesTheKubeconfig()
    {
        Node node;
        node.account.rotate(token("0"));
        ModeWitness witness(node.net.path(kubeconfigName));
        node.start();
        QVERIFY(node.waitReady());
        QVERIFY(waitForToken(node, token("0")));
        for (const char *number : { "1", "2", "3" }) {
            node.account.rotate(token(number));
            QVERIFY2(waitForToken(node, token(number)), number);
        }
        node.account.rotate(token("4")); // twice in a row: the later one counts
        node.account.rotate(token("5"));
        QVERIFY(waitForToken(node, token("5")));
        QVERIFY(node.waitFor(Kind::TokenRotated));
        QVERIFY(witness.sawOnly0600());
        QVERIFY(node.isReady());
        QVERIFY(!node.log().contains(canary));
        const QByteArray history = NetDir(node.path("history")).read("history.jsonl");
        QVERIFY(!history.isEmpty() && !history.contains(canary));
        QCOMPARE(node.stop(), 0);
        QVERIFY(!node.net.exists(kubeconfigName));
        QVERIFY(!node.log().contains(canary));
    }

    void p21_aBadTokenKeepsTheOldOne_data()
    {
        QTest::addColumn<bool>("empty");
        QTest::newRow("removed") << false;
        QTest::newRow("truncated") << true;
    }
    void p21_aBadTokenKeepsTheOldOne()
    {
        QFETCH(const bool, empty);
        Node node;
        node.account.rotate(token("good"));
        node.start();
        QVERIFY(node.waitReady());
        if (empty)
            node.account.rotate("");
        else
            QCOMPARE(::rename(node.account.path("..data").constData(), node.account.path("gone").constData()), 0);
        QVERIFY(node.waitForFinding(1301));
        QVERIFY(node.net.read(kubeconfigName).contains(token("good")));
        node.net.writeByRename("10-a.conflist", smallConflist());
        QVERIFY(node.waitPatched("10-a.conflist", smallConflist()));
        node.account.rotate(token("better"));
        QVERIFY(waitForToken(node, token("better")));
        QVERIFY(eventually([&] { return !node.hasOpenFinding(1301); }));
        QVERIFY(!node.log().contains(canary));
    }

    // The whole volume made again, as after a pod's restart in place.
    void p21_aReplacedVolumeIsFollowed()
    {
        Node node;
        const QByteArray moved = node.account.path() + ".moved";
        node.start();
        QVERIFY(node.waitReady());
        QCOMPARE(::rename(node.account.path().constData(), moved.constData()), 0);
        QVERIFY(node.waitForFinding(1304));
        QVERIFY(node.net.exists(kubeconfigName));
        QCOMPARE(::rename(moved.constData(), node.account.path().constData()), 0);
        node.account.rotate(token("moved"));
        QVERIFY(waitForToken(node, token("moved")));
    }

    // kubernetes-sigs/kubespray#12002: a token that is about to end; the new one comes in time, and its end is shown.
    void p21_theEndOfATokenIsShownNeverTheToken()
    {
        const qint64 now = QDateTime::currentSecsSinceEpoch();
        const QByteArray shortLived = jwt(now - 3600, now + 5);
        const QByteArray longLived = jwt(now, now + 3600);
        Node node;
        node.account.rotate(shortLived);
        node.start();
        QVERIFY(node.waitReady());
        QVERIFY(waitForToken(node, shortLived));
        node.account.rotate(longLived);
        QVERIFY(waitForToken(node, longLived));
        QVERIFY(node.waitFor(Kind::TokenRotated, { { QStringLiteral("expires"), now + 3600 } }));
        QVERIFY(!node.log().contains(shortLived) && !node.log().contains(longLived));
    }

    void p21_anExpiredTokenDoesNotReplaceAGoodOne()
    {
        const qint64 now = QDateTime::currentSecsSinceEpoch();
        const QByteArray good = jwt(now, now + 3600);
        Node node;
        node.account.rotate(good);
        node.start();
        QVERIFY(node.waitReady());
        node.account.rotate(jwt(now - 7200, now - 3600));
        QVERIFY(node.waitForFinding(1302));
        QVERIFY(node.net.read(kubeconfigName).contains(good));
    }
};

QTEST_GUILESS_MAIN(TestRotation)
#include "tst_rotation.moc"
