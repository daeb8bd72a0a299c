// SPDX-License-Identifier: Apache-2.0
#include "service/kubeconfig.h"
#include "service/kubeconfigtext.h"

#include "serviceaccount.h"
#include "sys/failpoint.h"

#include <QTest>

#include <csignal>
#include <fcntl.h>
#include <sys/wait.h>

using namespace firstwatch;
using namespace firstwatch::service;
using Outcome = Kubeconfig::Outcome;

namespace {

constexpr qint64 now = 1'700'000'000;
constexpr char name[] = "ZZZ-linkerd-cni-kubeconfig";
constexpr char canary[] = "canary-7f3a";

// A token that is good at `now`, and another one each time.
QByteArray freshToken(qint64 issued = now - 10, qint64 lifetime = 3600)
{
    static int serial = 0;
    return test::jwt({ { QStringLiteral("iat"), issued }, { QStringLiteral("exp"), issued + lifetime },
        { QStringLiteral("jti"), ++serial } });
}

mode_t modeOf(const QByteArray &path)
{
    struct stat info { };
    return ::lstat(path.constData(), &info) == 0 ? info.st_mode & 07777 : mode_t(-1);
}

ino_t inodeOf(const QByteArray &path)
{
    struct stat info { };
    return ::lstat(path.constData(), &info) == 0 ? info.st_ino : 0;
}

QList<int> codes(const Kubeconfig::Result &result)
{
    QList<int> all;
    for (const Finding &finding : result.findings) {
        all.append(finding.code);
        if (finding.text.contains(QLatin1String(canary)) || finding.text.contains(u"eyJ"))
            qFatal("a token in a finding");
    }
    return all;
}

// A node with a net dir and a mounted service account.
struct Node {
    test::NetDir net;
    test::ServiceAccountDir account;
    Settings settings;
    Node()
    {
        settings.mountPrefix.clear();
        settings.netDir = net.path();
        settings.serviceAccountDir = account.path();
        settings.serviceHost = "10.0.0.1";
        settings.servicePort = "443";
    }
    [[nodiscard]] Kubeconfig::Result refresh(qint64 at = now) const { return Kubeconfig(settings).refresh(at); }
    [[nodiscard]] QByteArray token() const { return tokenInKubeconfig(net.read(name)); }
};

// In a child that ends at the fail point by SIGKILL, or goes through.
void refreshAndDieAt(const Node &node, const QByteArray &point)
{
    const pid_t child = ::fork();
    if (child == 0) {
        sys::setFaults(point + ":kill=1");
        (void)node.refresh();
        ::_exit(0);
    }
    ::waitpid(child, nullptr, 0);
}

// Every point that one writing refresh passes, without the reads.
QList<QByteArray> writingSteps()
{
    return { "temp.create", "temp.write", "temp.chmod", "temp.sync", "rename.plain", "dir.sync" };
}

} // namespace

class tst_Kubeconfig : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup() { sys::setFaults({}); }
    void firstWrite();
    void p21_rotationIsFollowed();
    void p21_nothingIsWrittenWhenNothingChanged();
    void p21_badTokenKeepsTheOld_data();
    void p21_badTokenKeepsTheOld();
    void p21_expiredToken_data();
    void p21_expiredToken();
    void p21_noDirectoryNoKubeconfig();
    void noCaNoKubeconfig();
    void addressIsNeededOnceThereIsAToken();
    void p15_modeIsNeverWiderThanAsked_data();
    void p15_modeIsNeverWiderThanAsked();
    void p15_modeAndOwnerAreRepaired();
    void linkIsReplacedNotFollowed();
    void tokenFileForm();
    void formCanChange();
    void p14_eachFailureLeavesAWholeFile_data();
    void p14_eachFailureLeavesAWholeFile();
    void p14_killedAnywhereConverges_data();
    void p14_killedAnywhereConverges();
    void leftoverOfALivingWriterStays();
    void removesOnlyOurs();
    void netDirGone();
};

void tst_Kubeconfig::firstWrite()
{
    Node node;
    const QByteArray token = freshToken();
    node.account.rotate(token + '\n');
    const Kubeconfig::Result result = node.refresh();
    QCOMPARE(result.outcome, Outcome::Written);
    QCOMPARE(codes(result), QList<int>());
    QCOMPARE(result.token.ageSeconds(now).value(), 10);
    QCOMPARE(result.token.secondsLeft(now).value(), 3590);
    QCOMPARE(node.token(), token);
    QCOMPARE(modeOf(node.net.path(name)), 0600U);
    QCOMPARE(node.net.names(), QList<QByteArray>{ name });
    QVERIFY(node.net.read(name).contains("server: \"https://10.0.0.1:443\""));
    QVERIFY(node.net.read(name).contains(QByteArray(test::caPem).toBase64()));
}

void tst_Kubeconfig::p21_rotationIsFollowed()
{
    Node node;
    for (int i = 0; i < 3; ++i) {
        const QByteArray token = freshToken(now + i);
        node.account.rotate(token);
        QCOMPARE(node.refresh().outcome, Outcome::Written);
        QCOMPARE(node.token(), token);
    }
}

void tst_Kubeconfig::p21_nothingIsWrittenWhenNothingChanged()
{
    Node node;
    const QByteArray token = freshToken();
    node.account.rotate(token);
    (void)node.refresh();
    const ino_t inode = inodeOf(node.net.path(name));
    node.account.rotate(token);
    sys::setFaults({});
    QCOMPARE(node.refresh().outcome, Outcome::Unchanged);
    QCOMPARE(inodeOf(node.net.path(name)), inode);
    for (const QByteArray &point : writingSteps())
        QVERIFY2(!sys::passedPoints().contains(point), point.constData());
}

void tst_Kubeconfig::p21_badTokenKeepsTheOld_data()
{
    QTest::addColumn<QByteArray>("token"); // null: removed
    QTest::newRow("missing") << QByteArray();
    QTest::newRow("empty") << QByteArray("");
    QTest::newRow("newline") << QByteArray("\n");
    QTest::newRow("two words") << QByteArray("canary-7f3a x");
    QTest::newRow("control") << QByteArray("canary-7f3a\x01");
    QTest::newRow("huge") << QByteArray(100'000, 'a');
}

void tst_Kubeconfig::p21_badTokenKeepsTheOld()
{
    QFETCH(QByteArray, token);
    Node node;
    node.account.rotate(freshToken());
    (void)node.refresh();
    const QByteArray before = node.net.read(name);
    node.account.rotate(token);
    if (token.isNull())
        node.account.remove("token");
    const Kubeconfig::Result result = node.refresh();
    QCOMPARE(result.outcome, Outcome::Kept);
    QCOMPARE(codes(result), QList<int>{ 1301 });
    QCOMPARE(result.token.ageSeconds(now).value(), 10);
    QCOMPARE(node.net.read(name), before);
    node.account.rotate(freshToken());
    QCOMPARE(codes(node.refresh()), QList<int>());
}

void tst_Kubeconfig::p21_expiredToken_data()
{
    QTest::addColumn<QByteArray>("held");
    QTest::addColumn<QByteArray>("mounted");
    QTest::addColumn<bool>("written");
    const QByteArray expired = freshToken(now - 7200);
    const QByteArray expiredBefore = freshToken(now - 9000);
    QTest::newRow("good one held") << freshToken() << expired << false;
    QTest::newRow("opaque one held") << QByteArray("opaque") << expired << false;
    QTest::newRow("one that expired later held") << expired << expiredBefore << false;
    QTest::newRow("one that expired earlier held") << expiredBefore << expired << true;
    QTest::newRow("none held") << QByteArray() << expired << true;
    QTest::newRow("the same held") << expired << expired << false;
}

void tst_Kubeconfig::p21_expiredToken()
{
    QFETCH(QByteArray, held);
    QFETCH(QByteArray, mounted);
    QFETCH(bool, written);
    Node node;
    node.account.rotate(held);
    if (!held.isEmpty())
        (void)node.refresh(now - 9000);
    node.account.rotate(mounted);
    const Kubeconfig::Result result = node.refresh();
    QCOMPARE(codes(result), QList<int>{ 1302 });
    QCOMPARE(result.outcome == Outcome::Written, written);
    QCOMPARE(node.token(), written ? mounted : held);
}

void tst_Kubeconfig::p21_noDirectoryNoKubeconfig()
{
    Node node;
    node.settings.serviceAccountDir = "/nonexistent/serviceaccount";
    node.settings.serviceHost.clear();
    const Kubeconfig::Result result = node.refresh();
    QCOMPARE(result.outcome, Outcome::NoToken);
    QCOMPARE(codes(result), QList<int>{ 1304 });
    QVERIFY(node.net.names().isEmpty());
    QCOMPARE(Kubeconfig(node.settings).refusal(), QString());
}

void tst_Kubeconfig::noCaNoKubeconfig()
{
    Node node;
    node.account.rotate(freshToken(), "not a certificate");
    QCOMPARE(codes(node.refresh()), QList<int>{ 1301 });
    node.account.remove("ca.crt");
    const Kubeconfig::Result result = node.refresh();
    QCOMPARE(result.outcome, Outcome::Kept);
    QVERIFY(result.findings.first().text.startsWith(u"the CA cannot be read"));
    QVERIFY(node.net.names().isEmpty());
    node.settings.skipTlsVerify = true;
    QCOMPARE(node.refresh().outcome, Outcome::Written);
    node.settings.skipTlsVerify = false;
    const test::NetDir elsewhere;
    elsewhere.writeInPlace("my.crt", test::caPem);
    node.settings.kubeCaFile = elsewhere.path("my.crt");
    QCOMPARE(node.refresh().outcome, Outcome::Written);
    QVERIFY(node.net.read(name).contains("certificate-authority-data"));
}

void tst_Kubeconfig::addressIsNeededOnceThereIsAToken()
{
    Node node;
    node.account.rotate(freshToken());
    QCOMPARE(Kubeconfig(node.settings).refusal(), QString());
    node.settings.serviceHost.clear();
    QVERIFY(Kubeconfig(node.settings).refusal().contains(u"KUBERNETES_SERVICE_HOST"));
    const Kubeconfig::Result result = node.refresh();
    QCOMPARE(result.outcome, Outcome::Kept);
    QCOMPARE(codes(result), QList<int>{ 1305 });
    QVERIFY(node.net.names().isEmpty());
}

void tst_Kubeconfig::p15_modeIsNeverWiderThanAsked_data()
{
    QTest::addColumn<uint>("mode");
    for (const uint mode : { 0600U, 0640U, 0644U, 0400U })
        QTest::addRow("%o", mode) << mode;
}

void tst_Kubeconfig::p15_modeIsNeverWiderThanAsked()
{
    QFETCH(uint, mode);
    const mode_t oldMask = ::umask(0);
    // A mode changes by system calls only, so what is there before each of them is all that anybody can ever see.
    for (const QByteArray &step : writingSteps()) {
        Node node;
        node.account.rotate(freshToken());
        node.settings.kubeconfigMode = mode;
        refreshAndDieAt(node, step);
        const QList<QByteArray> files = node.net.names();
        QCOMPARE(files.size(), step == "temp.create" ? 0 : 1);
        for (const QByteArray &file : files)
            QCOMPARE(modeOf(node.net.path(file)) & ~mode, 0U);
        QCOMPARE(node.refresh().outcome, step == "dir.sync" ? Outcome::Unchanged : Outcome::Written);
        QCOMPARE(modeOf(node.net.path(name)), mode);
    }
    ::umask(oldMask);
}

void tst_Kubeconfig::p15_modeAndOwnerAreRepaired()
{
    Node node;
    node.account.rotate(freshToken());
    (void)node.refresh();
    const ino_t inode = inodeOf(node.net.path(name));
    QCOMPARE(::chmod(node.net.path(name).constData(), 0644), 0);
    QCOMPARE(node.refresh().outcome, Outcome::Unchanged);
    QCOMPARE(modeOf(node.net.path(name)), 0600U);
    QCOMPARE(inodeOf(node.net.path(name)), inode);
    if (::geteuid() != 0)
        QSKIP("giving a file away needs root");
    QCOMPARE(::chown(node.net.path(name).constData(), 1000, 1000), 0);
    QCOMPARE(node.refresh().outcome, Outcome::Written);
    struct stat info { };
    QCOMPARE(::stat(node.net.path(name).constData(), &info), 0);
    QCOMPARE(info.st_uid, 0U);
}

void tst_Kubeconfig::linkIsReplacedNotFollowed()
{
    Node node;
    const test::NetDir elsewhere;
    elsewhere.writeInPlace("victim", "precious");
    QCOMPARE(::symlink(elsewhere.path("victim").constData(), node.net.path(name).constData()), 0);
    node.account.rotate(freshToken());
    QCOMPARE(node.refresh().outcome, Outcome::Written);
    QCOMPARE(elsewhere.read("victim"), "precious");
    struct stat info { };
    QCOMPARE(::lstat(node.net.path(name).constData(), &info), 0);
    QVERIFY(S_ISREG(info.st_mode));
}

void tst_Kubeconfig::tokenFileForm()
{
    Node node;
    node.settings.kubeconfigToken = TokenForm::File;
    node.settings.kubeconfigMode = 0644;
    const QByteArray tokenName = QByteArray(name) + ".token";
    for (int i = 0; i < 2; ++i) {
        const QByteArray token = freshToken();
        node.account.rotate(token);
        QCOMPARE(node.refresh().outcome, Outcome::Written);
        QCOMPARE(node.net.read(tokenName), token);
        QCOMPARE(modeOf(node.net.path(tokenName)), 0600U);
        QVERIFY(!node.net.read(name).contains(token));
        const QByteArray line = "tokenFile: \"" + node.net.path(tokenName) + "\"\n";
        QVERIFY(node.net.read(name).contains(line));
        QCOMPARE(node.refresh().outcome, Outcome::Unchanged);
    }
    node.account.rotate("");
    QCOMPARE(node.refresh().token.ageSeconds(now).value(), 10);
    QVERIFY(Kubeconfig(node.settings).remove().done);
    QVERIFY(node.net.names().isEmpty());
}

void tst_Kubeconfig::formCanChange()
{
    Node node;
    node.account.rotate(freshToken());
    node.settings.kubeconfigToken = TokenForm::File;
    (void)node.refresh();
    QCOMPARE(node.net.names().size(), 2);
    node.settings.kubeconfigToken = TokenForm::Inline;
    QCOMPARE(node.refresh().outcome, Outcome::Written);
    QCOMPARE(node.net.names(), QList<QByteArray>{ name });
}

void tst_Kubeconfig::p14_eachFailureLeavesAWholeFile_data()
{
    QTest::addColumn<QByteArray>("point");
    QTest::addColumn<QByteArray>("error");
    QTest::addColumn<int>("code");
    const auto rows = [](const char *point, std::initializer_list<std::pair<const char *, int>> errors) {
        for (const auto &[error, code] : errors)
            QTest::addRow("%s %s", point, error) << QByteArray(point) << QByteArray(error) << code;
    };
    rows("dir.open", { { "ENOENT", 1207 }, { "EACCES", 1205 }, { "EMFILE", 1207 } });
    rows("temp.create",
        { { "ENOSPC", 1202 }, { "EROFS", 1201 }, { "EACCES", 1205 }, { "EDQUOT", 1202 }, { "EMFILE", 1207 } });
    rows("temp.write", { { "ENOSPC", 1202 }, { "EDQUOT", 1202 }, { "EIO", 1207 }, { "EFBIG", 1207 } });
    rows("temp.chmod", { { "EPERM", 1205 }, { "EROFS", 1201 }, { "EIO", 1207 } });
    rows("temp.sync", { { "EIO", 1207 }, { "ENOSPC", 1202 } });
    rows("rename.plain", { { "EACCES", 1205 }, { "EROFS", 1201 }, { "ENOSPC", 1202 }, { "EIO", 1207 } });
    rows("dir.sync", { { "EIO", 1207 } });
}

void tst_Kubeconfig::p14_eachFailureLeavesAWholeFile()
{
    QFETCH(QByteArray, point);
    QFETCH(QByteArray, error);
    QFETCH(int, code);
    Node node;
    node.account.rotate(freshToken());
    (void)node.refresh();
    const QByteArray before = node.net.read(name);
    const QByteArray token = freshToken();
    node.account.rotate(token);
    sys::setFaults(point + ":errno=" + error);
    const Kubeconfig::Result result = node.refresh();
    sys::setFaults({});
    QCOMPARE(result.outcome, Outcome::Failed);
    QCOMPARE(codes(result), QList<int>{ code });
    QCOMPARE(node.net.names(), QList<QByteArray>{ name });
    QVERIFY(node.net.read(name) == before || node.token() == token);
    QCOMPARE(modeOf(node.net.path(name)), 0600U);
    QCOMPARE(codes(node.refresh()), QList<int>());
    QCOMPARE(node.token(), token);
}

void tst_Kubeconfig::p14_killedAnywhereConverges_data()
{
    QTest::addColumn<QByteArray>("point");
    for (const QByteArray &point : writingSteps())
        QTest::newRow(point.constData()) << point;
}

void tst_Kubeconfig::p14_killedAnywhereConverges()
{
    QFETCH(QByteArray, point);
    for (const TokenForm form : { TokenForm::Inline, TokenForm::File }) {
        Node node;
        node.settings.kubeconfigToken = form;
        node.account.rotate(freshToken());
        (void)node.refresh();
        const QByteArray before = node.net.read(name);
        node.account.rotate(freshToken());
        refreshAndDieAt(node, point);
        const QByteArray after = node.net.read(name);
        QVERIFY(after == before || after.endsWith("current-context: linkerd-cni-context\n"));
        QCOMPARE(codes(node.refresh()), QList<int>());
        QCOMPARE(node.net.names().size(), form == TokenForm::Inline ? 1 : 2);
        QVERIFY(Kubeconfig(node.settings).remove().done);
        QVERIFY(node.net.names().isEmpty());
    }
}

void tst_Kubeconfig::leftoverOfALivingWriterStays()
{
    Node node;
    node.account.rotate(freshToken());
    const QByteArray leftover = "." + QByteArray(name) + ".firstwatch-abcdef";
    const QByteArray others = ".other.firstwatch-abcdef";
    node.net.writeInPlace(leftover, "x");
    node.net.writeInPlace(others, "x");
    const int writer = ::open(node.net.path(leftover).constData(), O_WRONLY | O_CLOEXEC);
    (void)node.refresh();
    QVERIFY(node.net.exists(leftover));
    ::close(writer);
    (void)node.refresh();
    QVERIFY(!node.net.exists(leftover));
    QVERIFY(node.net.exists(others));
}

void tst_Kubeconfig::removesOnlyOurs()
{
    Node node;
    node.account.rotate(freshToken());
    (void)node.refresh();
    node.net.writeInPlace(QByteArray(name) + ".token", "not ours");
    const Kubeconfig kubeconfig(node.settings);
    QVERIFY(kubeconfig.remove().done);
    QCOMPARE(node.net.names(), QList<QByteArray>{ QByteArray(name) + ".token" });
    QVERIFY(kubeconfig.remove().done);
    node.net.writeInPlace(name, "# Kubeconfig file for linkerd CNI plugin.\n");
    QVERIFY(kubeconfig.remove().done);
    QVERIFY(node.net.exists(name));

    (void)node.refresh();
    sys::setFaults("name.unlink:errno=EROFS");
    const Kubeconfig::Removal removal = kubeconfig.remove();
    QVERIFY(!removal.done && !removal.error.isEmpty());
    QVERIFY(node.net.exists(name));
}

void tst_Kubeconfig::netDirGone()
{
    Node node;
    node.account.rotate(freshToken());
    node.settings.netDir = "/nonexistent/net.d";
    QCOMPARE(node.refresh().outcome, Outcome::Failed);
    QVERIFY(Kubeconfig(node.settings).remove().done);
}

QTEST_GUILESS_MAIN(tst_Kubeconfig)
#include "tst_kubeconfig.moc"
