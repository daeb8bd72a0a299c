// SPDX-License-Identifier: Apache-2.0
// Which files a preview looks at when a path is named.
#include "preview/walk.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <map>
#include <unistd.h>

using namespace firstwatch;

namespace {

const QByteArray config = R"({"name":"n","cniVersion":"1.0.0","plugins":[{"type":"bridge"}]})";

struct Tree {
    void add(const char *path, const QByteArray &text = config) const
    {
        const QString whole = folder.filePath(QString::fromUtf8(path));
        QDir().mkpath(QFileInfo(whole).path());
        QFile file(whole);
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("cannot write %s", path);
    }
    [[nodiscard]] QByteArray path(const QByteArray &below = {}) const
    {
        return QFile::encodeName(folder.path()) + (below.isEmpty() ? "" : "/") + below;
    }
    QTemporaryDir folder;
};

struct Walked {
    explicit Walked(const QByteArrayList &paths, const QByteArray &input = {})
    {
        preview::walk(paths, input,
            { [this](const preview::Folder &folder) {
                 folders[folder.path] = folder.names;
                 for (const QByteArray &name : folder.names)
                     entries[name] = folder.read(name);
                 dropIns += folder.dropIns("n");
             },
                [this](const QByteArray &path, const QString &problem) { problems[path] = problem; } });
    }
    std::map<QByteArray, QByteArrayList> folders;
    std::map<QByteArray, preview::Entry> entries;
    std::map<QByteArray, QString> problems;
    QByteArrayList dropIns;
};

} // namespace

class TestWalk final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aDirectoryIsANetDir()
    {
        const Tree tree;
        tree.add("20-b.conflist");
        tree.add("10-a.conf");
        tree.add("README");
        tree.add(".hidden.conflist.tmp");
        const Walked walked({ tree.path() + "/" });
        QCOMPARE(walked.folders.size(), 1U);
        QCOMPARE(walked.folders.at(tree.path()), QByteArrayList({ "10-a.conf", "20-b.conflist" }));
        QCOMPARE(walked.entries.at("20-b.conflist").text, config);
        QVERIFY(walked.problems.empty());
    }

    void belowItNetDirsOnly()
    {
        const Tree tree;
        tree.add("package.json", "{}");
        tree.add("web/package.json", "{}");
        tree.add("sos/etc/cni/net.d/87-podman.conf");
        tree.add("sos/other/10-a.conflist");
        const Walked walked({ tree.path("sos") });
        QCOMPARE(walked.folders.size(), 2U);
        QVERIFY(walked.folders.contains(tree.path("sos/etc/cni/net.d")));
        QVERIFY(walked.folders.contains(tree.path("sos/other")));
        QVERIFY(!Walked({ tree.path() }).folders.contains(tree.path("web")));
    }

    void filesOfOneDirectoryBelongTogether()
    {
        const Tree tree;
        tree.add("a/20-b.conflist");
        tree.add("a/10-a.conflist");
        tree.add("b/10-a.conflist");
        tree.add("b/30-c.conflist");
        const Walked walked(
            { tree.path("a/20-b.conflist"), tree.path("b/10-a.conflist"), tree.path("a/10-a.conflist") });
        QCOMPARE(walked.folders.at(tree.path("a")), QByteArrayList({ "10-a.conflist", "20-b.conflist" }));
        QCOMPARE(walked.folders.at(tree.path("b")), QByteArrayList{ "10-a.conflist" });
    }

    void theStandardInputIsAList()
    {
        const Walked walked({ "-" }, config);
        QCOMPARE(walked.folders.at({}), QByteArrayList{ "stdin.conflist" });
        QCOMPARE(walked.entries.at("stdin.conflist").text, config);
        QCOMPARE(walked.entries.at("stdin.conflist").mode, -1);
    }

    void whatIsNothingIsSaid_data()
    {
        QTest::addColumn<QByteArray>("below");
        QTest::addColumn<QString>("words");
        QTest::newRow("missing") << QByteArray("nowhere") << QStringLiteral("No such file");
        QTest::newRow("another name") << QByteArray("README") << QStringLiteral("neither a CNI config by its name");
        QTest::newRow("an empty directory") << QByteArray("empty") << QStringLiteral("holds no CNI config");
    }
    void whatIsNothingIsSaid()
    {
        QFETCH(QByteArray, below);
        QFETCH(QString, words);
        const Tree tree;
        tree.add("README");
        QDir(tree.folder.path()).mkdir(QStringLiteral("empty"));
        const Walked walked({ tree.path(below) });
        QVERIFY(walked.folders.empty());
        QVERIFY2(
            walked.problems.at(tree.path(below)).contains(words), qPrintable(walked.problems.at(tree.path(below))));
    }

    void linksStayInTheFolder()
    {
        const Tree tree;
        tree.add("outside.conflist");
        tree.add("net.d/10-a.conflist");
        QVERIFY(::symlink("10-a.conflist", tree.path("net.d/20-in.conflist").constData()) == 0);
        QVERIFY(::symlink("../outside.conflist", tree.path("net.d/30-out.conflist").constData()) == 0);
        const Walked walked({ tree.path("net.d") });
        QCOMPARE(walked.entries.at("20-in.conflist").text, config);
        QCOMPARE(walked.entries.at("30-out.conflist").status, patch::ReadStatus::LinkOutside);
    }

    void dropInsAreThePluginsOfTheNetworksFolder()
    {
        const Tree tree;
        tree.add("10-a.conflist");
        tree.add("n/20-sbr.conf", R"({"type":"sbr"})");
        tree.add("n/10-tuning.conf", R"({"type":"tuning"})");
        tree.add("n/broken.conf", "{");
        tree.add("n/ignored.conflist");
        QCOMPARE(Walked({ tree.path() }).dropIns, QByteArrayList({ "tuning", "sbr" }));
    }

    void aDropInFolderIsNoNetDir()
    {
        const Tree tree;
        tree.add("net.d/10-a.conflist");
        tree.add("net.d/n/10-tuning.conf", R"({"type":"tuning"})");
        QCOMPARE(Walked({ tree.path() }).folders.size(), 1U);
    }
};

QTEST_APPLESS_MAIN(TestWalk)
#include "tst_walk.moc"
