// SPDX-License-Identifier: Apache-2.0
// What each runtime reads in a folder, before and after.
#include "preview/folderpreview.h"

#include "preview/linkerdplugin.h"

#include <QTest>

#include <map>

using namespace firstwatch;
using conflist::Runtime;
using preview::Change;

namespace {

using Files = std::map<QByteArray, QByteArray>;

QByteArray list(const QByteArray &network, const QByteArray &more = {})
{
    return R"({"name":")" + network + R"(","cniVersion":"1.0.0",)" + more + R"("plugins":[{"type":"bridge"}]})";
}

QByteArray single(const QByteArray &network, const QByteArray &more = {})
{
    return R"({"cniVersion":"1.0.0","name":")" + network + R"(","type":"bridge")" + more + "}";
}

const QByteArray broken = "{\"name\":";

preview::Options usual()
{
    conflist::PluginTemplate::Error error;
    preview::Options options;
    options.chain.plugins = { *conflist::PluginTemplate::parse(
        preview::linkerdTemplate(), preview::defaultKubeconfigPath(), error) };
    return options;
}

// The folder's files in memory; `dropIns` of the network "n".
struct Looked {
    explicit Looked(const Files &files, const preview::Options &options = usual(), const QByteArrayList &dropIns = {})
        : m_options(options)
        , m_folder{ "net.d", names(files), true,
            [files](const QByteArray &name) {
                return preview::Entry{ name, patch::ReadStatus::Ok, 0, files.at(name), 0600 };
            },
            [dropIns](const QByteArray &network) { return network == "n" ? dropIns : QByteArrayList(); } }
        , folder(m_folder, m_options)
    {
        folder.run([this](const preview::FilePreview &file) { changes.insert_or_assign(file.name, file.change); });
    }
    static QByteArrayList names(const Files &files)
    {
        QByteArrayList all;
        for (const auto &file : files)
            all.append(file.first);
        return all;
    }

private:
    preview::Options m_options;
    preview::Folder m_folder;

public:
    preview::FolderPreview folder;
    std::map<QByteArray, Change> changes;
};

} // namespace

class TestFolderPreview final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theFirstFileDecidesForContainerd()
    {
        const Looked looked({ { "05-broken.conflist", broken }, { "10-good.conflist", list("n") } });
        const preview::RuntimeView containerd = looked.folder.view(Runtime::Containerd).after;
        QCOMPARE(containerd.active.name, QByteArray("05-broken.conflist"));
        QVERIFY(!containerd.active.verdict.accepted);
        const preview::RuntimeView crio = looked.folder.view(Runtime::CriO).after;
        QCOMPARE(crio.active.name, QByteArray("10-good.conflist"));
        QCOMPARE(crio.active.verdict.chain, QByteArrayList({ "bridge", "linkerd-cni" }));
        QCOMPARE(looked.folder.view(Runtime::CriO).before.active.verdict.chain, QByteArrayList{ "bridge" });
    }

    void aConversionShowsItsNewName()
    {
        const Looked looked({ { "10-a.conf", single("n") }, { "20-b.conflist", list("m") } });
        QCOMPARE(looked.changes.at("10-a.conf"), Change::Convert);
        const preview::BeforeAndAfter view = looked.folder.view(Runtime::Containerd);
        QCOMPARE(view.before.order, QByteArrayList({ "10-a.conf", "20-b.conflist" }));
        QCOMPARE(view.after.order, QByteArrayList({ "10-a.conflist", "20-b.conflist" }));
        QCOMPARE(view.after.active.name, QByteArray("10-a.conflist"));
        QCOMPARE(view.after.active.verdict.network, QByteArray("n"));
    }

    void aConversionThatWouldHarmIsLeft_data()
    {
        QTest::addColumn<QByteArray>("neighbour");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("isLeft");
        QTest::newRow("none") << QByteArray("20-b.conflist") << list("m") << false;
        QTest::newRow("the list is there") << QByteArray("10-a.conflist") << list("m") << true;
        QTest::newRow("somebody names the file")
            << QByteArray("20-b.conf") << single("m", R"(,"readinessindicatorfile":"/etc/cni/net.d/10-a.conf")")
            << true;
        QTest::newRow("another would come first") << QByteArray("10-a.conflisa.conf") << single("m") << true;
    }
    void aConversionThatWouldHarmIsLeft()
    {
        QFETCH(QByteArray, neighbour);
        QFETCH(QByteArray, text);
        QFETCH(bool, isLeft);
        const Looked looked({ { "10-a.conf", single("n") }, { neighbour, text } });
        QCOMPARE(looked.changes.at("10-a.conf"), isLeft ? Change::Left : Change::Convert);
    }

    void scopeOfTheActiveFile()
    {
        preview::Options options = usual();
        options.activeOnly = true;
        const Looked looked(
            { { "05-broken.conflist", broken }, { "10-a.conflist", list("n") }, { "20-b.conflist", list("m") } },
            options);
        QCOMPARE(looked.changes.at("05-broken.conflist"), Change::Ignored);
        QCOMPARE(looked.changes.at("10-a.conflist"), Change::Patch);
        QCOMPARE(looked.changes.at("20-b.conflist"), Change::Ignored);
    }

    void excludedFilesAreIgnored()
    {
        preview::Options options = usual();
        options.excludes = { "20-*" };
        const Looked looked({ { "10-a.conflist", list("n") }, { "20-b.conflist", list("m") } }, options);
        QCOMPARE(looked.changes.at("10-a.conflist"), Change::Patch);
        QCOMPARE(looked.changes.at("20-b.conflist"), Change::Ignored);
    }

    void dropInsBelongToAList_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArrayList>("found");
        const QByteArrayList tuning{ "tuning" };
        QTest::newRow("a list") << QByteArray("10-a.conflist") << list("n") << tuning;
        QTest::newRow("of another network") << QByteArray("10-a.conflist") << list("m") << QByteArrayList();
        QTest::newRow("that forbids it") << QByteArray("10-a.conflist")
                                         << list("n", R"("loadOnlyInlinedPlugins":true,)") << QByteArrayList();
        QTest::newRow("a single plugin") << QByteArray("10-a.conf") << single("n") << QByteArrayList();
    }
    void dropInsBelongToAList()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, text);
        const Looked looked({ { name, text } }, usual(), { "tuning" });
        QTEST(looked.folder.view(Runtime::CriO).before.dropIns, "found");
    }
};

QTEST_APPLESS_MAIN(TestFolderPreview)
#include "tst_folderpreview.moc"
