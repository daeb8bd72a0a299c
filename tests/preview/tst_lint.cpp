// SPDX-License-Identifier: Apache-2.0
// Each rule about files with a hit and a near miss.
#include "preview/lint.h"

#include "preview/linkerdplugin.h"

#include <QTest>

#include <map>

using namespace firstwatch;

namespace {

using Files = std::map<QByteArray, QByteArray>;
using Codes = QList<int>;

const QByteArray ours = R"({"type":"linkerd-cni","log_level":"debug"})";

QByteArray list(const QByteArray &plugins, const QByteArray &more = R"("cniVersion":"1.0.0",)")
{
    return R"({"name":"n",)" + more + R"("plugins":[)" + plugins + "]}";
}

QByteArray bridge(const QByteArray &more = {})
{
    return R"({"type":"bridge")" + more + "}";
}

QByteArray single(const QByteArray &more = {})
{
    return R"({"cniVersion":"1.0.0","name":"n","type":"bridge")" + more + "}";
}

preview::LintOptions optionsWith(const QByteArray &text)
{
    conflist::PluginTemplate::Error error;
    preview::LintOptions options;
    options.plugin = *conflist::PluginTemplate::parse(text, preview::defaultKubeconfigPath(), error);
    return options;
}

preview::LintOptions usual()
{
    return optionsWith(preview::linkerdTemplate());
}

preview::Folder folderOf(const Files &files, int mode)
{
    QByteArrayList names;
    for (const auto &file : files)
        names.append(file.first);
    return { "net.d", names, true,
        [files, mode](const QByteArray &name) {
            return preview::Entry{ name, patch::ReadStatus::Ok, 0, files.at(name), mode };
        },
        [](const QByteArray &) { return QByteArrayList(); } };
}

std::map<QByteArray, QList<Finding>> lint(
    const Files &files, const preview::LintOptions &options = usual(), int mode = 0600)
{
    std::map<QByteArray, QList<Finding>> all;
    const preview::Folder folder = folderOf(files, mode);
    preview::FolderLint(folder, options).run([&](const preview::FilePreview &file) { all[file.name] = file.findings; });
    return all;
}

Codes codesOf(const QList<Finding> &findings)
{
    Codes codes;
    for (const Finding &finding : findings)
        codes.append(finding.code);
    return codes;
}

void addRow(const char *what, const QByteArray &name, const QByteArray &text, const Codes &codes)
{
    QTest::newRow(what) << name << text << codes;
}

void addList(const char *what, const QByteArray &text, const Codes &codes)
{
    addRow(what, "10-a.conflist", text, codes);
}

void addSecret(const char *what, const QByteArray &member, const Codes &codes)
{
    addList(what, list(bridge("," + member)), codes);
}

} // namespace

class TestLint final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void oneFile_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<Codes>("codes");
        addList("lacks the plugin", list(bridge()), {});
        addRow("lacks the plugin, in a .conf", "10-a.conf", single(), {});
        addList("does not parse", "{\"name\":", { 2001 });
        addList("is empty", "", { 2002 });
        addList("holds NULs", QByteArray("{\0}", 3), { 2003 });
        addList("ours twice", list(bridge() + ',' + ours + ',' + ours), { 2004 });
        addList("ours twice, the last at the end", list(ours + ',' + bridge() + ',' + ours), { 2004 });
        addList("ours once", list(bridge() + ',' + ours), {});
        addList("a byte order mark", "\xef\xbb\xbf" + list(bridge()), { 2005 });
        addList("a number above 2^53", list(bridge(R"(,"mtu":9007199254740993)")), { 2007 });
        addList("a number of 2^53", list(bridge(R"(,"mtu":9007199254740992)")), {});
        addList("a key twice", list(bridge(R"(,"mtu":1,"mtu":2)")), { 2008 });
        addList("a key in two objects", list(bridge(R"(,"a":{"mtu":1},"mtu":2)")), {});
        addList("no version", list(bridge(), {}), { 2011 });
        addList("no name", R"({"cniVersion":"1.0.0","plugins":[{"type":"bridge"}]})", { 2012 });
        addRow("no name, in a .conf", "10-a.conf", R"({"cniVersion":"1.0.0","type":"bridge"})", { 2012 });
        addList("a field of another type", list(R"({"type":1})"), { 2014 });
        addRow("a list in a .conf", "10-a.conf", list(bridge()), { 2015 });
        addList("a single plugin in a .conflist", single(), { 2016 });
        addList("an empty list", list({}), { 2017 });
        addList("plugins that are no list", R"({"name":"n","cniVersion":"1.0.0","plugins":{}})", { 2018 });
        addList("ours before another", list(ours + ',' + bridge()), { 2032 });
        addList("another before ours", list(bridge() + ',' + ours), {});
        addList("other settings, and nobody's template", list(bridge() + ',' + ours), {});
        addList("a loopback", list(R"({"type":"loopback"})"), {});
        addList("a loopback without a version", list(R"({"type":"loopback"})", {}), { 2011 });
        addRow("older than lists", "10-a.conf", R"({"cniVersion":"0.2.0","name":"n","type":"bridge"})", {});
    }
    void oneFile()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, text);
        QTEST(codesOf(lint({ { name, text } }).at(name)), "codes");
    }

    void versions_data()
    {
        QTest::addColumn<QByteArray>("member");
        QTest::addColumn<Codes>("codes");
        for (const char *version : { "0.1.0", "0.2.0", "0.3.0", "0.3.1", "0.4.0", "1.0.0", "1.1.0" })
            QTest::newRow(version) << QByteArray("\"cniVersion\":\"") + version + "\"," << Codes();
        for (const char *version : { "1.0", "0.3.2", "v1.0.0", " 1.0.0", "1.0.0,", "2.0.0" })
            QTest::newRow(version) << QByteArray("\"cniVersion\":\"") + version + "\"," << Codes{ 2035 };
        QTest::newRow("a list of them counts")
            << QByteArray(R"("cniVersions":["1.0.0"],"cniVersion":"1.0",)") << Codes();
    }
    void versions()
    {
        QFETCH(QByteArray, member);
        QTEST(codesOf(lint({ { "10-a.conflist", list(bridge(), member) } }).at("10-a.conflist")), "codes");
    }

    void theModeCounts()
    {
        const Files files{ { "10-a.conflist", list(bridge()) } };
        QCOMPARE(codesOf(lint(files, usual(), 0644).at("10-a.conflist")), Codes{ 2010 });
        QCOMPARE(codesOf(lint(files, usual(), 0400).at("10-a.conflist")), Codes());
    }

    void aLinkThatLeaves()
    {
        preview::Folder folder = folderOf({ { "10-a.conflist", {} } }, 0600);
        folder.read = [](const QByteArray &name) {
            return preview::Entry{ name, patch::ReadStatus::LinkOutside, 0, {}, -1 };
        };
        Codes codes;
        preview::FolderLint(folder, usual()).run([&](const preview::FilePreview &file) {
            codes += codesOf(file.findings);
        });
        QCOMPARE(codes, Codes{ 1104 });
    }

    void driftFromTheGivenTemplate_data()
    {
        QTest::addColumn<QByteArray>("plugin");
        QTest::addColumn<Codes>("codes");
        QTest::newRow("the same, spelled otherwise")
            << QByteArray(R"({ "log_level": "de\u0062ug", "type": "linkerd-cni" })") << Codes();
        QTest::newRow("another setting") << QByteArray(R"({"type":"linkerd-cni","log_level":"info"})") << Codes{ 2033 };
        QTest::newRow("one more") << QByteArray(R"({"type":"linkerd-cni","log_level":"debug","x":1})") << Codes{ 2033 };
        QTest::newRow("of another type") << QByteArray(R"({"type":"linkerd-cnj","log_level":"info"})") << Codes();
    }
    void driftFromTheGivenTemplate()
    {
        QFETCH(QByteArray, plugin);
        preview::LintOptions options = optionsWith(ours);
        options.isOwnTemplate = true;
        const Files files{ { "10-a.conflist", list(bridge() + ',' + plugin) } };
        QTEST(codesOf(lint(files, options).at("10-a.conflist")), "codes");
        options.isOwnTemplate = false;
        QCOMPARE(codesOf(lint(files, options).at("10-a.conflist")), Codes());
    }

    void secrets_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<Codes>("codes");
        const Codes found{ 2037 };
        addSecret("a token", R"("k8s_auth_token":"CANARY")", found);
        addSecret("a number", R"("psk":12345678)", found);
        addSecret("deep inside", R"("a":[{"b":{"password":"CANARY"}}])", found);
        addSecret("below a name", R"("credentials":{"user":"CANARY"})", found);
        addSecret("by its looks", R"("args":["Bearer CANARY"])", found);
        addSecret("a private key", R"("x":"-----BEGIN PRIVATE KEY-----\nCANARY")", found);
        addSecret("as a key", R"("token=CANARY":1)", found);
        addSecret("a path", R"("etcd_key_file":"/etc/key")", {});
        addSecret("a switch", R"("use_token":true)", {});
        addSecret("nothing", R"("token":null,"password":"")", {});
        addSecret("a placeholder", R"("k8s_auth_token":"__SERVICEACCOUNT_TOKEN__")", {});
        addSecret("a long text", "\"x\":\"" + QByteArray(5000, 'x') + '"', {});
        addRow("in what no runtime loads", "10-a.conf", list(bridge(R"(,"token":"CANARY")")), { 2015, 2037 });
    }
    void secrets()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, text);
        const QList<Finding> findings = lint({ { name, text } }).at(name);
        QTEST(codesOf(findings), "codes");
        for (const Finding &finding : findings)
            QVERIFY2(!finding.text.contains(QLatin1String("CANARY")), qPrintable(finding.text));
    }

    void p51_aSecretHasItsPlaceAndOnlyThat()
    {
        const QByteArray text = list(bridge(R"(,"token":"CANARY")"));
        const Finding finding = lint({ { "10-a.conflist", text } }).at("10-a.conflist").value(0);
        QCOMPARE(finding.offset, text.indexOf("\"CANARY"));
        QVERIFY(finding.text.contains(QLatin1String("'token'")));
    }

    void aThousandSecretsAreNotAThousandFindings()
    {
        QByteArray members;
        for (int i = 0; i < 1000; ++i)
            members += ",\"token\":{\"a" + QByteArray::number(i) + "\":1}";
        QVERIFY(lint({ { "10-a.conflist", list(bridge(members)) } }).at("10-a.conflist").size() < 30);
    }

    void binaries_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<Codes>("codes");
        const Codes missing{ 2038 };
        addList("there", list(bridge()), {});
        addList("not there", list(bridge() + R"(,{"type":"tuning"})"), missing);
        addList("once for two", list(bridge() + R"(,{"type":"tuning"},{"type":"tuning"})"), missing);
        addList("who gives addresses", list(bridge(R"(,"ipam":{"type":"dhcp"})")), missing);
        addList("who gives addresses is there", list(bridge(R"(,"ipam":{"type":"host-local"})")), {});
        addList("addresses from nobody", list(bridge(R"(,"ipam":{})")), {});
        addRow("a single one", "10-a.conf", R"({"cniVersion":"1.0.0","name":"n","type":"tuning"})", missing);
        addRow("a single one that is there", "10-a.conf", single(), {});
    }
    void binaries()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, text);
        QCOMPARE(codesOf(lint({ { name, text } }).at(name)), Codes());
        preview::LintOptions options = usual();
        options.hasBinary = [](const QByteArray &type) { return type == "bridge" || type == "host-local"; };
        QTEST(codesOf(lint({ { name, text } }, options).at(name)), "codes");
    }

    void neighbours_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<Codes>("codesOfTheConf");
        QTest::addColumn<Codes>("codesOfTheOther");
        const QByteArray other = R"({"name":"m","cniVersion":"1.0.0","plugins":[{"type":"bridge"}]})";
        const QByteArray refers = R"({"name":"m","cniVersion":"1.0.0","type":"multus","readinessindicatorfile":)";
        QTest::newRow("none of it") << QByteArray("20-b.conflist") << other << Codes() << Codes();
        QTest::newRow("a list behind it") << QByteArray("10-a.conflist") << other << Codes{ 2034 } << Codes();
        QTest::newRow("a .json beside it") << QByteArray("10-a.json") << single() << Codes() << Codes{ 2036 };
        QTest::newRow("one network") << QByteArray("20-b.conflist") << list(bridge()) << Codes() << Codes{ 2036 };
        QTest::newRow("one network, but refused")
            << QByteArray("20-b.conf") << list(bridge()) << Codes() << Codes{ 2015 };
        QTest::newRow("named by another")
            << QByteArray("00-m.conf") << QByteArray(refers + "\"/etc/cni/net.d/10-a.conf\"}") << Codes{ 2027 }
            << Codes();
        QTest::newRow("another named by another")
            << QByteArray("00-m.conf") << QByteArray(refers + "\"/etc/cni/net.d/10-a.conf.bak\"}") << Codes()
            << Codes();
    }
    void neighbours()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, text);
        const auto found = lint({ { "10-a.conf", single() }, { name, text } });
        QTEST(codesOf(found.at("10-a.conf")), "codesOfTheConf");
        QTEST(codesOf(found.at(name)), "codesOfTheOther");
    }

    void whatIsExcludedIsNotThere()
    {
        preview::LintOptions options = usual();
        options.excludes = { "10-*" };
        const auto found = lint({ { "10-a.conflist", list(ours + ',' + bridge(R"(,"token":"CANARY")")) },
                                    { "20-b.conflist", list(bridge()) } },
            options);
        QCOMPARE(found.at("10-a.conflist"), QList<Finding>());
        QCOMPARE(found.at("20-b.conflist"), QList<Finding>());
    }

    void inTheOrderOfTheFile()
    {
        const Files files{ { "10-a.conflist", list(ours + ',' + bridge(R"(,"token":"CANARY","mtu":1,"mtu":2)"), {}) } };
        QCOMPARE(codesOf(lint(files, usual(), 0644).at("10-a.conflist")), Codes({ 2011, 2010, 2032, 2037, 2008 }));
    }
};

QTEST_APPLESS_MAIN(TestLint)
#include "tst_lint.moc"
