// SPDX-License-Identifier: Apache-2.0
// `preview` as a program: exit codes, streams, forms, and that nothing is written.
#include "program.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace firstwatch::test;

namespace {

const QString cni = QStringLiteral(FIRSTWATCH_CAPTURES "/../cni/");

QByteArray readFile(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QStringList words(const QString &line)
{
    return line.split(u' ', Qt::SkipEmptyParts);
}

} // namespace

class TestPreview final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Every form, every outcome: the code is that of the outcome.
    void exitCodes_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<int>("code");
        struct Outcome {
            const char *name;
            QString line;
            int code;
        };
        const QList<Outcome> outcomes{ { "would change", cni + QStringLiteral("10-calico.conflist"), 0 },
            { "would change, and it counts", cni + QStringLiteral("10-calico.conflist --exit-code"), 1 },
            { "as it should be", cni + QStringLiteral("10-calico.conflist --remove --exit-code"), 0 },
            { "gets none", cni + QStringLiteral("200-loopback.conflist --exit-code"), 0 },
            { "refused", cni + QStringLiteral("05-half-written.conflist"), 3 },
            { "missing", QStringLiteral("/nowhere/x.conflist"), 3 },
            { "no template", cni + QStringLiteral("10-calico.conflist --plugin /nowhere"), 3 } };
        for (const char *form : { "diff", "summary", "json", "yaml", "patched", "sarif" }) {
            for (const Outcome &outcome : outcomes)
                QTest::addRow("%s, %s", form, outcome.name)
                    << QStringLiteral("preview -o %1 %2").arg(QLatin1String(form), outcome.line) << outcome.code;
        }
        const QString calico = QStringLiteral("preview ") + cni + QStringLiteral("10-calico.conflist ");
        QTest::newRow("nothing named") << QStringLiteral("preview") << 2;
        QTest::newRow("a bad position") << calico + QStringLiteral("--position first") << 2;
        QTest::newRow("a bad runtime") << calico + QStringLiteral("--runtime docker") << 2;
        QTest::newRow("a template that is none")
            << calico + QStringLiteral("--plugin ") + cni + QStringLiteral("05-half-written.conflist") << 2;
        QTest::newRow("two files patched at once") << calico + cni + QStringLiteral("10-aws.conflist -o patched") << 2;
        const QString race = QStringLiteral("preview --race ");
        for (const char *form : { "ascii", "json", "yaml", "svg", "schedule" })
            QTest::addRow("a race, %s", form) << race + QStringLiteral("example:seed -o ") + QLatin1String(form) << 0;
        QTest::newRow("a race that we do not miss") << race + QStringLiteral("example:seed --exit-code") << 0;
        QTest::newRow("the races") << race + QStringLiteral("list") << 0;
        QTest::newRow("no such example") << race + QStringLiteral("example:nowhere") << 3;
        QTest::newRow("no such schedule") << race + QStringLiteral("/nowhere") << 3;
        QTest::newRow("no schedule at all") << race + cni + QStringLiteral("10-calico.conflist") << 2;
        QTest::newRow("a race of files") << race + QStringLiteral("example:seed ") + cni << 2;
        QTest::newRow("a form of files") << race + QStringLiteral("example:seed -o diff") << 2;
        QTest::newRow("a form of races") << calico + QStringLiteral("-o ascii") << 2;
        QTest::newRow("an option of files") << race + QStringLiteral("example:seed --remove") << 2;
        QTest::newRow("a whole folder") << QStringLiteral("preview -o summary ") + cni << 3;
    }
    void exitCodes()
    {
        QFETCH(QString, line);
        const Ran ran = run(words(line));
        QTEST(ran.exitCode, "code");
        QVERIFY2(ran.exitCode < 2 || !ran.err.isEmpty() || !ran.out.isEmpty(), ran.err.constData());
        QVERIFY2(ran.exitCode != 2 || ran.out.isEmpty(), ran.out.constData());
        QVERIFY(!ran.out.contains('\x1b') && !ran.err.contains('\x1b'));
    }

    void theDocumentSaysWhatThePageSays()
    {
        const Ran ran = run({ QStringLiteral("preview"), QStringLiteral("-o"), QStringLiteral("json"), cni });
        const QJsonObject json = QJsonDocument::fromJson(ran.out).object();
        QCOMPARE(json[QStringLiteral("schema")].toString(), QStringLiteral("firstwatch/v1"));
        const QJsonObject shown = json[QStringLiteral("preview")].toObject();
        QCOMPARE(shown[QStringLiteral("plugin")].toString(), QStringLiteral("linkerd-cni"));
        QVERIFY(shown[QStringLiteral("built_in_plugin")].toBool());
        const QJsonObject folder = shown[QStringLiteral("folders")].toArray().at(0).toObject();
        QCOMPARE(folder[QStringLiteral("files")].toArray().size(), QDir(cni).entryList(QDir::Files).size());
        const QJsonObject first = folder[QStringLiteral("files")].toArray().at(0).toObject();
        QCOMPARE(first[QStringLiteral("change")].toString(), QStringLiteral("convert"));
        QCOMPARE(first[QStringLiteral("target")].toString(), QStringLiteral("00-multus.conflist"));
        const QJsonObject containerd = folder[QStringLiteral("runtimes")].toArray().at(0).toObject();
        QCOMPARE(containerd[QStringLiteral("after")].toObject()[QStringLiteral("chain")].toArray(),
            QJsonArray({ QStringLiteral("multus"), QStringLiteral("linkerd-cni") }));
    }

    void aReviewIsToldTheFindings()
    {
        const Ran ran = run({ QStringLiteral("preview"), QStringLiteral("-o"), QStringLiteral("sarif"),
            cni + QStringLiteral("05-half-written.conflist"), QStringLiteral("/nowhere") });
        const QJsonValue first = QJsonDocument::fromJson(ran.out)[QStringLiteral("runs")][0];
        QCOMPARE(first[QStringLiteral("results")][0][QStringLiteral("ruleId")].toString(), QStringLiteral("FW2001"));
        QCOMPARE(first[QStringLiteral("invocations")][0][QStringLiteral("executionSuccessful")], QJsonValue(false));
    }

    void oneRuntimeWhenAskedFor()
    {
        const Ran ran = run({ QStringLiteral("preview"), QStringLiteral("--runtime"), QStringLiteral("crio"), cni });
        QVERIFY(ran.out.contains("What CRI-O reads in "));
        QVERIFY(!ran.out.contains("What containerd reads"));
    }

    void ownTemplateIsUsed()
    {
        const QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("plugin.json")));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(R"({"type":"tuning","mtu":9000})") > 0);
        file.close();
        const Ran ran = run({ QStringLiteral("preview"), QStringLiteral("--plugin"), file.fileName(),
            cni + QStringLiteral("10-calico.conflist"), QStringLiteral("-o"), QStringLiteral("patched") });
        QCOMPARE(ran.exitCode, 0);
        QVERIFY(ran.out.contains("\"tuning\""));
        QVERIFY(!ran.out.contains("linkerd"));
    }

    void whatIsPatchedIsFreedAgain()
    {
        const QByteArray original = readFile(cni + QStringLiteral("15-azure-tabs.conflist"));
        const QStringList line{ QStringLiteral("preview"), QStringLiteral("-"), QStringLiteral("-o"),
            QStringLiteral("patched") };
        const Ran patched = run(line, { {}, original, {} });
        QVERIFY(patched.out != original);
        QCOMPARE(run(line + QStringList{ QStringLiteral("--remove") }, { {}, patched.out, {} }).out, original);
    }

    void aRaceIsToldWhereItIsWrong()
    {
        const QStringList line{ QStringLiteral("preview"), QStringLiteral("--race"), QStringLiteral("-") };
        const Ran wrong = run(line, { {}, "# a race\n+4ms wrte 10-a.conflist < calico\n", {} });
        QCOMPARE(wrong.exitCode, 2);
        QVERIFY2(wrong.err.startsWith("firstwatch: standard input:2:6: 'wrte' "), wrong.err.constData());
        const Ran missing = run(line, { {}, "+4ms write 10-a.conflist < ./nowhere\n", {} });
        QCOMPARE(missing.exitCode, 3);
        QVERIFY2(missing.err.contains("./nowhere: No such file"), missing.err.constData());
    }

    // What is printed can be changed and run.
    void aRaceIsItsScheduleAgain()
    {
        const QStringList line{ QStringLiteral("preview"), QStringLiteral("--race") };
        const QStringList example{ QStringLiteral("example:a05-directory-replaced") };
        const Ran printed = run(line + example + QStringList{ QStringLiteral("-o"), QStringLiteral("schedule") });
        QCOMPARE(run(line + QStringList{ QStringLiteral("-") }, { {}, printed.out, {} }).out, run(line + example).out);
    }

    // FIRSTWATCH_REFRESH_GOLDEN=1 writes them anew; then look at what has changed.
    void anArchiveIsShownAsAFolder_data()
    {
        QTest::addColumn<QString>("line");
        QTest::newRow("preview") << QStringLiteral("preview usual.tgz pax.tar");
        QTest::newRow("lint") << QStringLiteral("lint usual.tgz");
    }
    void anArchiveIsShownAsAFolder()
    {
        QFETCH(const QString, line);
        const Ran ran = run(words(line), { {}, {}, cni + QStringLiteral("../archives") });
        QCOMPARE(ran.exitCode, 3); // a name in them leads out of it
        const QByteArray text = ran.out + ran.err;
        const QString golden =
            cni + QStringLiteral("../golden/archive-%1.txt").arg(QString::fromLatin1(QTest::currentDataTag()));
        if (qEnvironmentVariableIsSet("FIRSTWATCH_REFRESH_GOLDEN")) {
            QFile file(golden);
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
        }
        QCOMPARE(text, readFile(golden));
    }

    void nothingIsWritten()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("10-calico.conflist"));
        QVERIFY(QFile::copy(cni + QStringLiteral("10-calico.conflist"), path));
        const QByteArray before = readFile(path);
        for (const char *form : { "diff", "summary", "json", "yaml", "patched", "sarif" })
            (void)run({ QStringLiteral("preview"), folder.path(), QStringLiteral("-o"), QString::fromLatin1(form) });
        QCOMPARE(readFile(path), before);
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden).size(), 1);
    }
};

QTEST_GUILESS_MAIN(TestPreview)
#include "tst_preview.moc"
