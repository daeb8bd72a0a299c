// SPDX-License-Identifier: Apache-2.0
#include "conflist/activefile.h"

#include <QTest>

#include <algorithm>

using namespace firstwatch::conflist;

namespace {

NamedText list(const QByteArray &name, const QByteArray &network)
{
    return { name, R"({"name":")" + network + R"(","plugins":[{"type":"a"}]})" };
}

NamedText single(const QByteArray &name, const QByteArray &network)
{
    return { name, R"({"name":")" + network + R"(","type":"a"})" };
}

QList<JudgedFile> judged(const QList<NamedText> &files)
{
    QList<JudgedFile> all;
    for (const NamedText &file : files)
        all.append({ file.name, verdict(file.name, file.text) });
    return all;
}

// Five files, of which the bits of `accepted` say which ones a runtime takes.
QList<JudgedFile> fiveFiles(unsigned accepted)
{
    QList<JudgedFile> files;
    for (unsigned i = 0; i < 5; ++i) {
        Verdict verdict;
        verdict.accepted = ((accepted >> i) & 1U) != 0;
        files.append({ QByteArray::number(i) + ".conf", verdict });
    }
    return files;
}

QList<JudgedFile> without(QList<JudgedFile> files, const QByteArray &name)
{
    files.removeIf([&name](const JudgedFile &file) { return file.name == name; });
    return files;
}

// What stands beside the plugins of a list.
void addLists()
{
    const auto listWith = [](const char *what, const QByteArray &members, bool accepted) {
        QTest::newRow(what) << QByteArray("a.conflist") << QByteArray("{" + members + R"(,"plugins":[{"type":"a"}]})")
                            << accepted;
    };
    listWith("name", R"("name":"n")", true);
    listWith("name empty", R"("name":"")", true);
    listWith("name null", R"("name":null)", false);
    listWith("name twice, the last wrong", R"("name":"n","name":1)", false);
    listWith("name twice, the first wrong", R"("name":1,"name":"n")", true);
    listWith("name in another case", R"("Name":"n")", false);
    listWith("version null in a list", R"("name":"n","cniVersion":null)", false);
    listWith("version free text", R"("name":"n","cniVersion":"banana")", true);
    listWith("versions", R"("name":"n","cniVersions":["1.0.0","","2"],"cniVersion":"0.4.0")", true);
    listWith("versions empty", R"("name":"n","cniVersions":[])", true);
    listWith("versions null", R"("name":"n","cniVersions":null)", false);
    listWith("versions with a number", R"("name":"n","cniVersions":[1])", false);
    listWith("versions with text", R"("name":"n","cniVersions":["1.x"])", false);
    listWith("versions with four parts", R"("name":"n","cniVersions":["1.0.0.0"])", false);
    listWith("versions with a trailing point", R"("name":"n","cniVersions":["1.0."])", false);
    listWith("versions with signs", R"("name":"n","cniVersions":["+1.-0"])", true);
    listWith("versions with 64 bits", R"("name":"n","cniVersions":["1.9007199254740993"])", true);
    listWith("versions with more", R"("name":"n","cniVersions":["1.9223372036854775808"])", false);
    listWith("versions with two signs", R"("name":"n","cniVersions":["+-1"])", false);
    listWith("versions with a blank", R"("name":"n","cniVersions":[" 1"])", false);
    listWith("versions, and a bad version", R"("name":"n","cniVersions":[],"cniVersion":"banana")", false);
    listWith("flag true", R"("name":"n","disableCheck":true)", true);
    listWith("flag as text", R"("name":"n","disableGC":"FALSE")", true);
    listWith("flag as other text", R"("name":"n","disableGC":"no")", false);
    listWith("flag a number", R"("name":"n","disableCheck":1)", false);
    listWith("flag null", R"("name":"n","loadOnlyInlinedPlugins":null)", false);
    listWith("plugins twice", R"("name":"n","plugins":7)", true);
}

} // namespace

Q_DECLARE_METATYPE(firstwatch::conflist::NamedText)

class tst_ActiveFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void verdicts_data();
    void verdicts();
    void verdictNamesTheNetwork();
    void active_data();
    void active();
    void conversion_data();
    void conversion();
    void decidersDecideAsAllFilesDo();
};

// As libcni v1.3.0 judges them.
void tst_ActiveFile::verdicts_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("accepted");
    const auto plugin = [](const char *what, const QByteArray &members, bool inList, bool alone) {
        QTest::addRow("in a list: %s", what)
            << QByteArray("a.conflist") << QByteArray(R"({"name":"n","plugins":[{)" + members + "}]}") << inList;
        QTest::addRow("alone: %s", what) << QByteArray("a.conf") << QByteArray("{" + members + "}") << alone;
    };
    plugin("type only", R"("type":"a")", true, true);
    plugin("type missing", R"("name":"a")", false, false);
    plugin("type empty", R"("type":"")", false, false);
    plugin("type null", R"("type":null)", false, false);
    plugin("type in another case", R"("TyPe":"a")", true, true);
    plugin("type twice, the first wrong", R"("type":5,"type":"a")", true, false);
    plugin("type twice, the last wrong", R"("type":"a","type":5)", false, false);
    plugin("type and Type wrong", R"("type":"a","Type":5)", false, false);
    plugin("null keeps the other case", R"("Type":"a","type":null)", true, true);
    plugin("unknown members", R"("type":"a","x":{"type":5},"y":[1,{}])", true, true);
    plugin("name a number", R"("type":"a","name":1)", false, false);
    plugin("version null", R"("type":"a","cniVersion":null)", true, true);
    plugin("version a number", R"("type":"a","cniVersion":1.0)", false, false);
    plugin("long s folds", "\"type\":\"a\",\"cniVer\u017Fion\":1", false, false);
    plugin("byte order mark before the key", "\"type\":\"a\",\"\uFEFFname\":1", true, true);
    plugin("capabilities", R"("type":"a","capabilities":{"a":true,"b":null})", true, true);
    plugin("capabilities null", R"("type":"a","capabilities":null)", true, true);
    plugin("capability a string", R"("type":"a","capabilities":{"a":"true"})", false, false);
    plugin("capability twice, the first wrong", R"("type":"a","capabilities":{"a":1,"a":true})", true, false);
    plugin("capabilities an array", R"("type":"a","capabilities":[])", false, false);
    plugin("ipam", R"("type":"a","ipam":{"type":"b","x":1})", true, true);
    plugin("ipam empty", R"("type":"a","ipam":{})", true, true);
    plugin("ipam a string", R"("type":"a","ipam":"dhcp")", false, false);
    plugin("ipam type a number", R"("type":"a","ipam":{"TYPE":1})", false, false);
    plugin("dns", R"("type":"a","dns":{"Nameservers":["1"],"domain":"d","search":null,"options":[null]})", true, true);
    plugin("dns nameservers a string", R"("type":"a","dns":{"nameservers":"1"})", false, false);
    plugin("dns option a number", R"("type":"a","dns":{"options":[1]})", false, false);
    plugin("prevResult", R"("type":"a","prevResult":{"x":1})", true, true);
    plugin("prevResult an array", R"("type":"a","prevResult":[])", false, false);
    plugin(
        "attachments", R"("type":"a","cni.dev/valid-attachments":[{"containerID":"c","ifname":"e"},null])", true, true);
    plugin("attachments, wrong", R"("type":"a","cni.dev/valid-attachments":[{"ifname":1}])", false, false);
    plugin("a number out of range", R"("type":"a","x":1e999)", false, false);
    addLists();

    QTest::newRow("list named .conf") << QByteArray("a.conf") << list({}, "n").text << false;
    QTest::newRow("single named .conflist") << QByteArray("a.conflist") << single({}, "n").text << false;
}

void tst_ActiveFile::verdicts()
{
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, text);
    QFETCH(bool, accepted);
    const Verdict judged = verdict(name, text);
    QVERIFY2(judged.accepted == accepted, qPrintable(judged.reason));
    QCOMPARE(judged.reason.isEmpty(), accepted);
}

void tst_ActiveFile::verdictNamesTheNetwork()
{
    const Verdict chain =
        verdict("a.conflist", R"({"cniVersion":"1","name":"\u006eet","plugins":[{"type":"a"},{"type":"b"}]})");
    QCOMPARE(chain.network, QByteArray("net"));
    QCOMPARE(chain.cniVersion, QByteArray("1"));
    QCOMPARE(chain.chain, QByteArrayList({ "a", "b" }));
    const Verdict alone = verdict("a.json", R"({"cniVersion":"2","name":"n","type":"a"})");
    QCOMPARE(alone.network, QByteArray("n"));
    QCOMPARE(alone.cniVersion, QByteArray("2"));
    QCOMPARE(alone.chain, QByteArrayList({ "a" }));
}

void tst_ActiveFile::active_data()
{
    QTest::addColumn<QList<NamedText>>("files");
    QTest::addColumn<QByteArray>("containerd");
    QTest::addColumn<bool>("accepted");
    QTest::addColumn<QByteArray>("crio");
    const auto row = [](const char *name, const QList<NamedText> &files, const char *containerd, bool accepted,
                         const char *crio) {
        QTest::newRow(name) << files << QByteArray(containerd) << accepted << QByteArray(crio);
    };
    row("none", {}, "", false, "");
    row("other files", { { "README", "x" }, { "a.conflist.cilium_bak", "x" } }, "", false, "");
    row("first by bytes", { list("b.conflist", "b"), list("a.conflist", "a"), list("B.conflist", "B") }, "B.conflist",
        true, "B.conflist");
    row(".conf before .conflist", { list("05-x.conflist", "l"), single("05-x.conf", "s") }, "05-x.conf", true,
        "05-x.conf");
    row(".json counts", { list("10-b.conflist", "b"), single("05-a.json", "a") }, "05-a.json", true, "05-a.json");
    row("a dot file counts", { list("10-b.conflist", "b"), list(".00-a.conflist", "a") }, ".00-a.conflist", true,
        ".00-a.conflist");
    row("bytes above ASCII sort last", { list("\xC3\xA4.conflist", "b"), list("z.conflist", "a") }, "z.conflist", true,
        "z.conflist");
    row("a bad first file", { list("b.conflist", "b"), { "a.conflist", "{" } }, "a.conflist", false, "b.conflist");
    row("only bad files", { { "a.conf", "{}" } }, "a.conf", false, "");
}

void tst_ActiveFile::active()
{
    QFETCH(QList<NamedText>, files);
    const ActiveFile first = activeFile(files, Runtime::Containerd);
    QTEST(first.name, "containerd");
    QTEST(first.verdict.accepted, "accepted");
    QTEST(activeFile(files, Runtime::CriO).name, "crio");
}

void tst_ActiveFile::conversion_data()
{
    QTest::addColumn<QList<NamedText>>("others");
    QTest::addColumn<bool>("keeps");
    const auto row = [](const char *name, const QList<NamedText> &others, bool keeps) {
        QTest::newRow(name) << others << keeps;
    };
    row("alone", {}, true);
    row("others before", { list("05-a.conflist", "a") }, true);
    row("others behind", { list("20-a.conflist", "a") }, true);
    row("no config that comes between", { { "10-x.confl", "y" } }, true);
    row("one that comes between and counts", { single("10-x.conf.json", "y") }, false);
    row("a broken one that comes between", { { "10-x.conf0.json", "{" } }, false);
    row("a broken one before", { { "05-x.json", "{" } }, true);
}

void tst_ActiveFile::conversion()
{
    QFETCH(QList<NamedText>, others);
    const QList<JudgedFile> files = judged(others + QList<NamedText>{ single("10-x.conf", "x") });
    QTEST(conversionKeepsActive(files, "10-x.conf", "10-x.conflist", list({}, "x").text), "keeps");
    QVERIFY(!others.isEmpty() || !conversionKeepsActive(files, "10-x.conf", "10-x.conflist", list({}, "y").text));
}

void tst_ActiveFile::decidersDecideAsAllFilesDo()
{
    for (unsigned accepted = 0; accepted < 32; ++accepted) {
        const QList<JudgedFile> all = fiveFiles(accepted);
        QList<JudgedFile> shuffled = all;
        do {
            Deciders deciders;
            for (const JudgedFile &file : std::as_const(shuffled)) {
                if (deciders.mayTake(file.name))
                    deciders.take(file);
            }
            QVERIFY(deciders.files().size() <= 4);
            for (const char *gone : { "", "0.conf", "1.conf", "2.conf", "3.conf", "4.conf" }) {
                for (const Runtime runtime : { Runtime::Containerd, Runtime::CriO })
                    QCOMPARE(activeAmong(without(deciders.files(), gone), runtime).name,
                        activeAmong(without(all, gone), runtime).name);
            }
        } while (std::next_permutation(shuffled.begin(), shuffled.end(),
            [](const JudgedFile &a, const JudgedFile &b) { return a.name < b.name; }));
    }
}

QTEST_GUILESS_MAIN(tst_ActiveFile)
#include "tst_activefile.moc"
