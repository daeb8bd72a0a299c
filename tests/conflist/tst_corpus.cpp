// SPDX-License-Identifier: Apache-2.0
#include "conflist/activefile.h"
#include "templates.h"

#include <QDir>
#include <QTest>

using namespace firstwatch::conflist;
using namespace firstwatch::test;

Q_DECLARE_METATYPE(firstwatch::conflist::ChainPosition)

namespace {

const QByteArray largeTemplate = R"({
  "name": "linkerd-cni",
  "type": "linkerd-cni",
  "kubernetes": {"kubeconfig": "__KUBECONFIG_FILEPATH__"},
  "linkerd": {"proxy-uid": 2102, "inbound-ports-to-ignore": ["4191","4190"], "ports-to-redirect": [], "ipv6": true}
})";

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("cannot read %s", qPrintable(path));
    return file.readAll();
}

QStringList dataFolders()
{
    QStringList folders{ QStringLiteral(FIRSTWATCH_TEST_DATA "/synthetic"),
        QStringLiteral(FIRSTWATCH_TEST_DATA "/cni") };
    const QString corpus = qEnvironmentVariable("FIRSTWATCH_CORPUS");
    if (corpus.isEmpty())
        qInfo("FIRSTWATCH_CORPUS is not set: configs of public projects are left out");
    else
        folders.append(corpus);
    return folders;
}

// What EXPECTED.tsv calls it.
QByteArray wordFor(Action action)
{
    switch (action) {
    case Action::Patch:
        return "PATCH";
    case Action::Convert:
        return "CONVERT";
    case Action::None:
        return "UNCHANGED";
    default:
        return "REFUSE";
    }
}

qsizetype commonPrefix(const QByteArray &a, const QByteArray &b)
{
    return std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin();
}

} // namespace

class tst_Corpus : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void syntheticActions_data();
    void syntheticActions();
    void p16_everyFileComesBack_data();
    void p16_everyFileComesBack();
};

void tst_Corpus::syntheticActions_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("expected");
    const QList<QByteArray> lines =
        contentOf(QStringLiteral(FIRSTWATCH_TEST_DATA "/synthetic/EXPECTED.tsv")).split('\n');
    for (const QByteArray &line : lines.sliced(1)) {
        const QList<QByteArray> columns = line.split('\t');
        if (columns.size() > 2)
            QTest::newRow(columns[0].constData()) << columns[0] << columns[2];
    }
}

void tst_Corpus::syntheticActions()
{
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, expected);
    const QByteArray text = contentOf(QStringLiteral(FIRSTWATCH_TEST_DATA "/synthetic/") + QString::fromUtf8(name));
    const QByteArray word = wordFor(plan(name, text, optionsFor({ linkerdTemplate })).action);
    const QByteArray wanted = expected.startsWith("DEDUP") ? "PATCH" : expected;
    const QByteArray alternative = " or " + word;
    QVERIFY2(wanted.startsWith(word) || wanted.contains(alternative), word.constData());
}

void tst_Corpus::p16_everyFileComesBack_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<ChainPosition>("position");
    for (const QString &folder : dataFolders()) {
        const QFileInfoList files = QDir(folder).entryInfoList(QDir::Files, QDir::Name);
        QVERIFY2(!files.isEmpty(), qPrintable(folder));
        for (const QFileInfo &file : files) {
            const QByteArray name = file.fileName().toUtf8();
            const QByteArray row = QFileInfo(folder).fileName().toUtf8() + '/' + name;
            QTest::addRow("%s last", row.constData()) << name << contentOf(file.filePath()) << ChainPosition::Last;
            QTest::addRow("%s keep", row.constData()) << name << contentOf(file.filePath()) << ChainPosition::Keep;
        }
    }
}

void tst_Corpus::p16_everyFileComesBack()
{
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, text);
    QFETCH(ChainPosition, position);
    const Options options = optionsFor({ largeTemplate, R"({"type":"second","list":[1.0,{"a":[]}]})" }, position);
    const QByteArrayList types = typesOf(options);

    const Verdict before = verdict(name, text);
    const Plan planned = plan(name, text, options);
    if (planned.action != Action::Patch && planned.action != Action::Convert) {
        QVERIFY(planned.text.isEmpty());
        QVERIFY(planned.action == Action::None || planned.action == Action::Ignore || !planned.findings.isEmpty());
        QVERIFY(before.accepted || !planned.drift || isConfigName(name));
        return;
    }
    QVERIFY(before.accepted);
    const Verdict after = verdict(planned.targetName, planned.text);
    QVERIFY2(after.accepted, qPrintable(after.reason));
    QCOMPARE(after.network, before.network);
    for (const QByteArray &type : types)
        QCOMPARE(after.chain.count(type), 1);
    if (position == ChainPosition::Last)
        QCOMPARE(after.chain.last(types.size()), types);
    QVERIFY(changesOnlyOurs(text, planned.text, types));
    QCOMPARE(plan(planned.targetName, planned.text, options).action, Action::None);

    const Plan undone = unplan(planned.targetName, planned.text, types);
    QCOMPARE(undone.action, Action::Patch);
    QVERIFY(changesOnlyOurs(planned.text, undone.text, types));
    const bool hadOurs = unplan(name, text, types).action == Action::Patch;
    if (planned.action == Action::Patch && !hadOurs) {
        QCOMPARE(undone.text, text);
        const qsizetype kept = commonPrefix(text, planned.text);
        QVERIFY(planned.text.endsWith(text.sliced(kept)));
    }
}

QTEST_GUILESS_MAIN(tst_Corpus)
#include "tst_corpus.moc"
