// SPDX-License-Identifier: Apache-2.0
// What patches changed, from a node to the desk: `history --diff`, of a live node and of a capture that was made of it.
#include "program.h"
#include "servednode.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace firstwatch;
using namespace firstwatch::test;

namespace {

const QByteArray owners = "{\r\n\t\"name\": \"net\",\r\n\t\"token\": \"CANARY\",\r\n\t\"plugins\": []\r\n}\r\n";

QByteArray with(QByteArray text, const char *what)
{
    return text.replace("[]", what);
}

// A node whose config was patched, rewritten by its owner and patched again.
void patchTwice(ServedNode &node)
{
    const auto patch = [&](const char *file, const QByteArray &before, const QByteArray &after) {
        const quint64 seq = node.record(journal::Kind::PatchApplied,
            { { QStringLiteral("file"), QString::fromLatin1(file) },
                { QStringLiteral("sha_before"), QStringLiteral("aa") },
                { QStringLiteral("sha_after"), QStringLiteral("bb") }, { QStringLiteral("us"), 310 } });
        node.inThread([&](stream::Server &server) { server.appendTexts(seq, file, before, after); });
    };
    node.record(journal::Kind::ProcessStart, { { QStringLiteral("node"), QStringLiteral("node-17") } });
    patch("10-a.conflist", owners, with(owners, "[1]"));
    patch("20-b.conf", "{}", "{ }");
    patch("10-a.conflist", with(owners, "[\"\xe2\x80\xae\", 7]"), with(owners, "[\"\xe2\x80\xae\", 7, 1]"));
}

QStringList history(const QStringList &options)
{
    return QStringList{ QStringLiteral("history") } + options;
}

QJsonObject jsonOf(const Ran &ran, qsizetype index)
{
    return QJsonDocument::fromJson(ran.out).object()[QStringLiteral("patches")].toArray().at(index)[u"diff"].toObject();
}

} // namespace

class TestPatchHistory final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        m_node = std::make_unique<ServedNode>();
        patchTwice(*m_node);
        m_live = QStringList{ QStringLiteral("--socket"), QString::fromUtf8(m_node->path()) };
    }
    void cleanup() { m_node.reset(); }

    void eachPatchHasItsDiff()
    {
        const Ran ran = run(history({ QStringLiteral("--diff") }) + m_live);
        QCOMPARE(ran.exitCode, 0);
        QCOMPARE(ran.err, QByteArray());
        QCOMPARE(ran.out.count("--- a/10-a.conflist\n"), 2);
        QVERIFY2(ran.out.contains("\n-\t\"plugins\": []\r\n+\t\"plugins\": [1]\r\n"), ran.out.constData());
        QVERIFY2(ran.out.contains("[\"\\u{202e}\", 7, 1]"), ran.out.constData()); // nothing turns a line around
        QVERIFY(!ran.out.contains("CANARY") && ran.out.contains("‹cut, 6 chars›"));
    }

    void oneFileOrWhatOthersChanged()
    {
        const Ran one = run(history({ QStringLiteral("20-b.conf"), QStringLiteral("--diff") }) + m_live);
        QCOMPARE(one.out.count("\n--- a/"), 1);
        QVERIFY(one.out.contains("--- a/20-b.conf\n"));
        const Ran theirs = run(history({ QStringLiteral("10-*"), QStringLiteral("--theirs") }) + m_live);
        QVERIFY2(theirs.out.contains("Firstwatch had not written it in this run"), theirs.out.constData());
        QVERIFY2(theirs.out.contains("\n-\t\"plugins\": [1]\r\n+\t\"plugins\": [\"\\u{202e}\", 7]\r\n"),
            theirs.out.constData());
        QVERIFY(!theirs.out.contains("7, 1]"));
        const Ran last = run(history({ QStringLiteral("--last"), QStringLiteral("1"), QStringLiteral("--diff"),
                                 QStringLiteral("--theirs") })
            + m_live);
        QVERIFY(last.out.contains("7, 1]") && last.out.contains("-\t\"plugins\": [1]"));
    }

    void jsonHasThemWhenAsked()
    {
        const QStringList json{ QStringLiteral("-o"), QStringLiteral("json") };
        const Ran asked = run(history(json + QStringList{ QStringLiteral("--diff") }) + m_live);
        QVERIFY(jsonOf(asked, 0)[u"ours"].toString().endsWith(QStringLiteral("+\t\"plugins\": [1]\r\n }\r\n")));
        QVERIFY(jsonOf(asked, 0)[u"theirs"].isNull());
        QVERIFY(jsonOf(asked, 2)[u"theirs"].isString());
        QVERIFY(!run(history(json) + m_live).out.contains("\"diff\""));
    }

    void aCaptureShowsTheSame()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("n.fwz"));
        QCOMPARE(run(QStringList{ QStringLiteral("bundle"), QStringLiteral("-o"), path } + m_live).exitCode, 0);
        const QString again = folder.filePath(QStringLiteral("again.fwz"));
        QCOMPARE(
            run({ QStringLiteral("bundle"), QStringLiteral("-o"), again, QStringLiteral("--from"), path }).exitCode, 0);
        const QStringList verb = history({ QStringLiteral("--diff"), QStringLiteral("--theirs") });
        const Ran live = run(verb + m_live);
        for (const QString &file : { path, again }) {
            const Ran ran = run(verb + QStringList{ QStringLiteral("--from"), file });
            QCOMPARE(ran.out, live.out);
            QCOMPARE(ran.err, QByteArray());
        }
    }

    void aRecordingWithoutTextsSaysSo()
    {
        const Ran ran = run(history({ QStringLiteral("--diff"), QStringLiteral("--from"), capture("usual.fwz") }));
        QCOMPARE(ran.exitCode, 0);
        QVERIFY2(ran.err.contains("this recording has no texts"), ran.err.constData());
        QVERIFY(ran.out.contains("what it changed is not known") && !ran.out.contains("--- a/"));
    }

    // As this version writes it: it has to be read for ever.
    void aGoldenCaptureIsRead()
    {
        const Ran ran = run(history({ QStringLiteral("--diff"), QStringLiteral("--theirs"), QStringLiteral("--from"),
            capture("texts.jsonl") }));
        QFile golden(QStringLiteral(FIRSTWATCH_CAPTURES "/../golden/texts.txt"));
        QVERIFY(golden.open(QIODevice::ReadOnly));
        QCOMPARE(QString::fromUtf8(ran.out), QString::fromUtf8(golden.readAll()));
        QCOMPARE(ran.err, QByteArray());
    }

    // Through a terminal of its own, which is what a pager is for.
    void aPagerIsForTerminals()
    {
        const auto paged = [&](const char *command) {
            QProcess process;
            prepare(process, { QString::fromLatin1(command) }, { { QStringLiteral("PAGER=sed s/^/paged:/") }, {}, {} });
            process.setProgram(QStringLiteral("python3"));
            process.setArguments(
                { QStringLiteral("-c"), QStringLiteral("import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)"),
                    QStringLiteral(FIRSTWATCH) });
            process.setArguments(process.arguments() + QString::fromLatin1(command).split(u' ') + m_live);
            process.start();
            process.waitForFinished();
            return process.readAllStandardOutput();
        };
        QVERIFY2(paged("history --diff").contains("paged:"), paged("history --diff").constData());
        QVERIFY(!paged("history").contains("paged:"));
        QVERIFY(!run(history({ QStringLiteral("--diff") }) + m_live,
            { { QStringLiteral("PAGER=false") }, {},
                {} }).out.isEmpty());
    }

private:
    std::unique_ptr<ServedNode> m_node;
    QStringList m_live;
};

QTEST_GUILESS_MAIN(TestPatchHistory)
#include "tst_patchhistory.moc"
