// SPDX-License-Identifier: Apache-2.0
// An archive is looked at as the folder that it was made from would be, and a hostile one can do nothing.
#include "preview/archive.h"

#include "archivemaker.h"
#include "preview/archivereader.h"

#include <QDir>
#include <QFile>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>

#include <map>
#include <sys/stat.h>
#include <unistd.h>

using namespace firstwatch;
using patch::ReadStatus;
using test::ArchiveMaker;

namespace {

const QByteArray config = R"({"name":"n","cniVersion":"1.0.0","plugins":[{"type":"bridge"}]})";
const QByteArray other = R"({"name":"m","cniVersion":"1.0.0","plugins":[{"type":"ptp"}]})";

struct Workplace {
    [[nodiscard]] QByteArray path(const QByteArray &name) const
    {
        return QFile::encodeName(folder.path()) + '/' + name;
    }
    void add(const QByteArray &name, const QByteArray &text, mode_t mode = 0600) const
    {
        const QString whole = QFile::decodeName(path(name));
        QFile file(whole);
        if (!QDir().mkpath(QFileInfo(whole).path()) || !file.open(QIODevice::WriteOnly)
            || file.write(text) != text.size() || ::chmod(path(name).constData(), mode) != 0)
            qFatal("%s cannot be written", name.constData());
    }
    QTemporaryDir folder;
};

// All that somebody learns of what a path names. Paths below `root` as from there.
struct Seen {
    explicit Seen(const QByteArray &root, const QByteArray &path, const preview::ArchiveLimits *limits = nullptr)
    {
        const preview::Found found{ [&](const preview::Folder &folder) {
                                       const QByteArray place = folder.path.sliced(root.size());
                                       order.append(place);
                                       for (const QByteArray &name : folder.names)
                                           files[place + '/' + name] = folder.read(name);
                                       dropIns[place] = folder.dropIns("n");
                                   },
            [&](const QByteArray &where, const QString &problem) { problems[where.sliced(path.size())] = problem; },
            {} };
        if (limits == nullptr)
            preview::walk({ path }, {}, found);
        else
            preview::walkArchive(path, found, *limits);
    }
    [[nodiscard]] QByteArray text() const // for a comparison
    {
        QByteArray all = order.join(' ') + '\n';
        for (const auto &[name, entry] : files)
            all += name + ' ' + QByteArray::number(int(entry.status)) + ' ' + QByteArray::number(entry.mode, 8) + ' '
                + entry.name + ' ' + entry.text + '\n';
        for (const auto &[place, types] : dropIns)
            all += place + ' ' + types.join(' ') + '\n';
        return all;
    }

    QByteArrayList order;
    std::map<QByteArray, preview::Entry> files;
    std::map<QByteArray, QByteArrayList> dropIns;
    std::map<QByteArray, QString> problems;
};

QByteArray noise(qsizetype size)
{
    QByteArray text(size, Qt::Uninitialized);
    QRandomGenerator random{ quint32(size) };
    for (char &c : text)
        c = char(random.bounded(256));
    return text;
}

// What was made by `make`, looked at.
Seen seenOf(const std::function<void(ArchiveMaker &)> &make, const preview::ArchiveLimits *limits = nullptr)
{
    const Workplace place;
    const QByteArray path = place.path("x.tar.gz");
    {
        ArchiveMaker maker(path);
        make(maker);
    }
    return Seen(path + '!', path, limits);
}

} // namespace

class TestArchive final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void isTheFolderThatItWasMadeFrom_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("root");
        for (const char *name :
            { "x.tar", "x.tar.gz", "x.tgz", "x.tar.xz", "x.txz", "x.tar.bz2", "x.tbz2", "x.tar.zst" }) {
            QTest::addRow("%s of a node", name) << QByteArray(name) << QByteArray("node");
            QTest::addRow("%s of a net dir", name) << QByteArray(name) << QByteArray("node/etc/cni/net.d");
        }
    }
    void isTheFolderThatItWasMadeFrom()
    {
        QFETCH(const QByteArray, name);
        QFETCH(const QByteArray, root);
        const Workplace place;
        place.add("node/etc/cni/net.d/10-a.conflist", config, 0644);
        place.add("node/etc/cni/net.d/20-b.conf", "{\"type\":");
        place.add("node/etc/cni/net.d/README", config);
        place.add("node/etc/cni/net.d/40-large.json", QByteArray(1024 * 1024 + 1, ' '));
        place.add("node/etc/cni/net.d/41-fits.json", QByteArray(1024 * 1024, ' '));
        place.add("node/etc/cni/net.d/n/10-tuning.conf", R"({"type":"tuning"})");
        place.add("node/etc/cni/net.d/n/20-sbr.conf", R"({"type":"sbr"})");
        place.add("node/etc/kubernetes/kubelet.conf", "apiVersion: v1");
        place.add("node/opt/other/10-z.conflist", other);
        place.add("node/opt-a/10-y.conflist", other);
        place.add("node/opt/a.json", "{}");
        const QByteArray net = place.path("node/etc/cni/net.d/");
        const std::map<const char *, const char *> links{ { "50-in.conflist", "10-a.conflist" },
            { "51-in.conflist", "./50-in.conflist" }, { "52-text.conflist", "README" },
            { "60-out.conflist", "../x.conflist" }, { "61-out.conflist", "/etc/passwd" },
            { "62-nowhere.conflist", "nowhere" }, { "63-loop.conflist", "64-loop.conflist" },
            { "64-loop.conflist", "63-loop.conflist" } };
        for (const auto &[link, target] : links)
            QVERIFY(::symlink(target, QByteArray(net + link).constData()) == 0);
        QVERIFY(::mkfifo(QByteArray(net + "70-fifo.conflist").constData(), 0600) == 0);
        const QByteArray archive = place.path(name);
        const QByteArray tree = place.path(root);
        ArchiveMaker(archive).tree(tree);
        const Seen folder(tree, tree);
        const Seen packed(archive + '!', archive);
        QVERIFY(folder.files.size() > 10);
        QCOMPARE(packed.text(), folder.text());
        QVERIFY(packed.problems.empty() && folder.problems.empty());
    }

    void hostileMembers()
    {
        const Seen seen = seenOf([](ArchiveMaker &maker) {
            maker.file("../../etc/cni/net.d/10-up.conflist", config);
            maker.file("etc/../../10-up.conflist", config);
            maker.file("/etc/cni/net.d/10-absolute.conflist", config);
            maker.symbolicLink("etc/cni/net.d/20-out.conflist", "../../../../../etc/passwd");
            maker.symbolicLink("etc/cni/net.d/21-self.conflist", "21-self.conflist");
            maker.symbolicLink("etc/cni/net.d/22-root.conflist", "/");
            maker.device("etc/cni/net.d/30-device.conflist");
            maker.hardLink("etc/cni/net.d/40-hard.conflist", "etc/cni/net.d/10-absolute.conflist");
            maker.hardLink("etc/cni/net.d/41-hard.conflist", "../../etc/shadow");
            maker.hardLink("etc/cni/net.d/42-hard.conflist", "etc/shadow");
            maker.file("etc/cni/net.d/50-twice.conflist", config);
            maker.file("etc/cni/net.d/50-twice.conflist", other, 0644);
            maker.symbolicLink("etc/cni/net.d", "/etc"); // and then a file "below" it
            maker.file("etc/cni/net.d/60-behind.conflist", config);
            maker.file("etc/cni/net.d/70-\x1b[31m\xff.conflist", config);
        });
        QCOMPARE(seen.order, QByteArrayList{ "/etc/cni/net.d" });
        std::map<QByteArray, ReadStatus> statuses;
        for (const auto &[name, entry] : seen.files)
            statuses[name.sliced(seen.order.constFirst().size() + 1)] = entry.status;
        const std::map<QByteArray, ReadStatus> expected{ { "10-absolute.conflist", ReadStatus::Ok },
            { "20-out.conflist", ReadStatus::LinkOutside }, { "21-self.conflist", ReadStatus::LinkOutside },
            { "22-root.conflist", ReadStatus::LinkOutside }, { "30-device.conflist", ReadStatus::NotRegular },
            { "40-hard.conflist", ReadStatus::Ok }, { "41-hard.conflist", ReadStatus::Failed },
            { "42-hard.conflist", ReadStatus::Failed }, { "50-twice.conflist", ReadStatus::Ok },
            { "60-behind.conflist", ReadStatus::Ok }, { "70-\x1b[31m\xff.conflist", ReadStatus::Ok } };
        QVERIFY(statuses == expected);
        QCOMPARE(seen.files.at("/etc/cni/net.d/40-hard.conflist").text, config);
        QCOMPARE(seen.files.at("/etc/cni/net.d/50-twice.conflist").text, other);
        QCOMPARE(seen.files.at("/etc/cni/net.d/50-twice.conflist").mode, 0644);
        QCOMPARE(seen.problems.size(), 4U); // two names and two hard links
        QVERIFY(seen.problems.count("!/../../etc/cni/net.d/10-up.conflist") == 1);
    }

    void aBombGoesOffNowhere()
    {
        const preview::ArchiveLimits small{ 4 << 20, 1 << 20 };
        const Seen unpacked = seenOf(
            [](ArchiveMaker &maker) {
                maker.file("net.d/10-a.conflist", config);
                maker.file("zeros", QByteArray(16 << 20, '\0'));
                maker.file("net.d/20-b.conflist", config);
            },
            &small);
        QCOMPARE(unpacked.files.size(), 1U);
        QVERIFY(unpacked.problems.at("!/zeros").contains(QLatin1String("4 MiB")));
    }

    // What is kept in memory ends somewhere, whatever it is made of.
    void whatIsKeptIsBounded_data()
    {
        QTest::addColumn<int>("members");
        QTest::addColumn<QByteArray>("folder");
        QTest::addColumn<int>("size");
        QTest::addColumn<bool>("isEnough");
        QTest::newRow("texts") << 12 << QByteArray("d/") << 200000 << true;
        QTest::newRow("a few texts") << 4 << QByteArray("d/") << 200000 << false;
        QTest::newRow("names") << 6000 << QByteArray("d/") << 0 << true;
        QTest::newRow("folders in folders") << 12 << "N/" + QByteArray("a/").repeated(1000) << 0 << true;
    }
    void whatIsKeptIsBounded()
    {
        QFETCH(const int, members);
        QFETCH(const QByteArray, folder);
        QFETCH(const int, size);
        QFETCH(const bool, isEnough);
        const preview::ArchiveLimits small{ 64 << 20, 1 << 20 };
        const Seen seen = seenOf(
            [&](ArchiveMaker &maker) {
                maker.file("net.d/10-a.conflist", config);
                for (int i = 0; i < members; ++i)
                    maker.file(QByteArray(folder).replace("N", QByteArray::number(i)) + QByteArray::number(i) + ".json",
                        QByteArray(size, ' '));
            },
            &small);
        QCOMPARE(seen.files.size(), 1U);
        QCOMPARE(seen.problems.size(), isEnough ? 1U : 0U);
        QVERIFY(!isEnough || seen.problems.begin()->second.contains(QLatin1String("1 MiB")));
    }

    // Cut at any place: what came before is there, and that it is cut is said.
    void aCutArchiveLosesNothingOfWhatWasRead_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::newRow("tar") << QByteArray("x.tar");
        QTest::newRow("gzip") << QByteArray("x.tar.gz");
        QTest::newRow("xz") << QByteArray("x.tar.xz");
    }
    void aCutArchiveLosesNothingOfWhatWasRead()
    {
        QFETCH(const QByteArray, name);
        const Workplace place;
        const QByteArray path = place.path(name);
        {
            ArchiveMaker maker(path);
            for (int i = 0; i < 5; ++i) {
                maker.file("net.d/" + QByteArray::number(i) + ".conflist", config);
                maker.file("other", noise(100000 + i)); // libarchive uncompresses 64 KiB at once
            }
        }
        QFile file(QFile::decodeName(path));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray whole = file.readAll();
        size_t most = 0;
        for (qsizetype size = 0; size < whole.size(); size += 4999) {
            place.add(name, whole.first(size));
            const Seen seen(path + '!', path);
            QVERIFY2(!seen.problems.empty(), QByteArray::number(size).constData());
            size_t read = 0;
            for (const auto &[each, entry] : seen.files)
                read += entry.status == ReadStatus::Ok && entry.text == config ? 1 : 0;
            QVERIFY2(read + 1 >= seen.files.size(), QByteArray::number(size).constData()); // the last one may be half
            most = std::max(most, read);
        }
        QVERIFY(most >= 3);
    }

    void whatIsNoArchiveIsSaid_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("a config") << config;
        QTest::newRow("gzip of nothing") << QByteArray("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03");
        QTest::newRow("zeros") << QByteArray(4096, '\0');
    }
    void whatIsNoArchiveIsSaid()
    {
        QFETCH(const QByteArray, text);
        const Workplace place;
        place.add("x.tar.gz", text);
        const Seen seen(place.path("x.tar.gz!"), place.path("x.tar.gz"));
        QVERIFY(seen.order.isEmpty());
        QCOMPARE(seen.problems.size(), 1U);
    }

    void onlyWhatIsCalledSoIsOne_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<bool>("isOne");
        for (const char *name : { "a.tar", "a.tar.gz", "a.tgz", "sosreport-node-17.tar.xz" })
            QTest::newRow(name) << QByteArray(name) << true;
        for (const char *name : { "tar", "a.gz", "a.tar.conflist", "a.zip", "a.TAR" })
            QTest::newRow(name) << QByteArray(name) << false;
    }
    void onlyWhatIsCalledSoIsOne()
    {
        QFETCH(const QByteArray, name);
        QTEST(preview::isArchiveName(name), "isOne");
    }
};

QTEST_GUILESS_MAIN(TestArchive)
#include "tst_archive.moc"
