// SPDX-License-Identifier: Apache-2.0
// `lint` as a program: exit codes, forms, and what no form shows.
#include "program.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <cstdio>

using namespace firstwatch::test;

namespace {

const QStringList forms{ QStringLiteral("table"), QStringLiteral("json"), QStringLiteral("yaml"),
    QStringLiteral("sarif") };
const QByteArray good =
    "{\n \"name\": \"n\",\n \"cniVersion\": \"1.0.0\",\n \"plugins\": [{\"type\": \"bridge\"}]\n}\n";
const QByteArray noVersion = "{\n \"name\": \"n\",\n \"plugins\": [{\"type\": \"bridge\"}]\n}\n"; // a warning
const QByteArray secret = "{\n \"name\": \"n\",\n \"cniVersion\": \"1.0.0\",\n \"plugins\": [{\"type\": \"bridge\",\n  "
                          "\"token\": \"CANARY\", "
                          "\"token=CANARY\": 1, \"token=CANARY\": 2}]\n}\n";

// A folder of configs that only their owner may read.
struct NetDir {
    void add(const QByteArray &name, const QByteArray &text, bool isForAll = false) const
    {
        QFile file(folder.filePath(QFile::decodeName(name)));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("cannot write");
        file.setPermissions(
            QFile::ReadOwner | QFile::WriteOwner | (isForAll ? QFile::ReadOther : QFile::Permission(0)));
    }
    [[nodiscard]] Ran lint(const QString &line) const
    {
        return run(
            QStringList{ QStringLiteral("lint") } + line.split(u' ', Qt::SkipEmptyParts), { {}, {}, folder.path() });
    }
    QTemporaryDir folder;
};

QJsonObject sarifRun(const Ran &ran)
{
    return QJsonDocument::fromJson(ran.out).object()[QStringLiteral("runs")].toArray().at(0).toObject();
}

QJsonObject locationOf(const QJsonObject &result)
{
    return result[QStringLiteral("locations")]
        .toArray()
        .at(0)
        .toObject()[QStringLiteral("physicalLocation")]
        .toObject();
}

QString uriOf(const QJsonObject &result)
{
    return locationOf(result)[QStringLiteral("artifactLocation")].toObject()[QStringLiteral("uri")].toString();
}

QString textOf(const QJsonValue &message)
{
    return message.toObject()[QStringLiteral("text")].toString();
}

// What the schema of SARIF 2.1.0 requires of a rule, and what reviewers show of it.
void checkRule(const QJsonObject &rule)
{
    QVERIFY(rule[QStringLiteral("id")].toString().startsWith(QLatin1String("FW")));
    for (const char *name : { "shortDescription", "fullDescription", "help" })
        QVERIFY2(!textOf(rule[QLatin1String(name)]).isEmpty(), name);
    QVERIFY(!rule.contains(QStringLiteral("helpUri"))); // would have to be an absolute address
    const QString level = rule[QStringLiteral("defaultConfiguration")].toObject()[QStringLiteral("level")].toString();
    QVERIFY2(
        QStringList({ QStringLiteral("error"), QStringLiteral("warning"), QStringLiteral("note") }).contains(level),
        qPrintable(level));
}

void checkResult(const QJsonObject &result, const QStringList &rules)
{
    QVERIFY(rules.contains(result[QStringLiteral("ruleId")].toString()));
    QVERIFY(!textOf(result[QStringLiteral("message")]).isEmpty());
    QVERIFY(!uriOf(result).isEmpty());
    const QJsonObject region = locationOf(result)[QStringLiteral("region")].toObject();
    QVERIFY(region[QStringLiteral("startLine")].toInt() >= 1);
    QVERIFY(!region.contains(QStringLiteral("startColumn")) || region[QStringLiteral("startColumn")].toInt() >= 1);
}

} // namespace

class TestLintVerb final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Every form, every outcome: the code is that of the outcome.
    void exitCodes_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<int>("code");
        struct Outcome {
            const char *line;
            int code;
        };
        constexpr Outcome outcomes[] = { { "good.conflist", 0 }, { "good.conflist --fail-on warning", 0 },
            { "wide.conflist --fail-on warning", 0 }, { "warned.conflist", 0 },
            { "warned.conflist --fail-on warning", 1 }, { "warned.conflist --fail-on never", 0 },
            { "broken.conflist", 1 }, { "broken.conflist --fail-on warning", 1 },
            { "broken.conflist --fail-on never", 0 }, { ".", 1 }, { ". --exclude broken*", 0 }, { "nowhere", 3 },
            { "broken.conflist nowhere", 3 }, { "good.conflist --bin-dir .", 1 },
            { "good.conflist --bin-dir . --bin-dir bin", 0 }, { "good.conflist --bin-dir nowhere", 3 },
            { "good.conflist --plugin nowhere", 3 }, { "good.conflist --plugin broken.conflist", 2 }, { "", 2 },
            { "good.conflist --fail-on info", 2 }, { "good.conflist --remove", 2 } };
        for (const QString &form : forms) {
            for (const Outcome &outcome : outcomes)
                QTest::addRow("%s, %s", qPrintable(form), outcome.line)
                    << QStringLiteral("-o %1 %2").arg(form, QLatin1String(outcome.line)) << outcome.code;
        }
        QTest::newRow("a form that is none") << QStringLiteral("good.conflist -o diff") << 2;
    }
    void exitCodes()
    {
        QFETCH(QString, line);
        NetDir net;
        net.add("good.conflist", good);
        net.add("wide.conflist", good, true);
        net.add("warned.conflist", noVersion);
        net.add("broken.conflist", "{");
        QVERIFY(QDir(net.folder.path()).mkdir(QStringLiteral("bin")));
        net.add("bin/bridge", "");
        const Ran ran = net.lint(line);
        QTEST(ran.exitCode, "code");
        QCOMPARE(ran.exitCode > 1, !ran.err.isEmpty());
        QVERIFY2(ran.exitCode != 2 || ran.out.isEmpty(), ran.out.constData());
        QVERIFY(ran.exitCode != 1 || !ran.out.isEmpty());
    }

    void thePageNamesPlaceReasonAndFix()
    {
        NetDir net;
        net.add("10-a.conflist", secret);
        net.add("20-b.conflist", good);
        const Ran ran = net.lint(QStringLiteral("10-a.conflist"));
        QVERIFY2(ran.out.startsWith("10-a.conflist\n"), ran.out.constData());
        QVERIFY2(ran.out.contains("\n  FW2037 warning 5:12 what stands under 'token' looks like a secret"),
            ran.out.constData());
        QVERIFY(ran.out.contains("\n    fix: Keep it in a file of its own"));
        QCOMPARE(net.lint(QStringLiteral("20-b.conflist")).out, QByteArray());
    }

    void theDocumentHasTheSame()
    {
        NetDir net;
        net.add("10-a.conflist", noVersion, true);
        const QJsonObject json = QJsonDocument::fromJson(net.lint(QStringLiteral(". -o json")).out)
                                     .object()[QStringLiteral("lint")]
                                     .toObject();
        QCOMPARE(json[QStringLiteral("files")].toInt(), 1);
        QVERIFY(json[QStringLiteral("built_in_plugin")].toBool());
        const QJsonArray findings = json[QStringLiteral("findings")].toArray();
        QCOMPARE(findings.size(), 2);
        const QJsonObject first = findings.at(0).toObject();
        QCOMPARE(first[QStringLiteral("code")].toString(), QStringLiteral("FW2011"));
        QCOMPARE(first[QStringLiteral("severity")].toString(), QStringLiteral("warning"));
        QCOMPARE(first[QStringLiteral("file")].toString(), QStringLiteral("./10-a.conflist"));
        QVERIFY(!first[QStringLiteral("fix")].toString().isEmpty());
    }

    void sarifHasWhatItsSchemaRequires()
    {
        const Ran ran = run({ QStringLiteral("lint"), QStringLiteral("-o"), QStringLiteral("sarif"),
            QStringLiteral(FIRSTWATCH_CAPTURES "/../synthetic"), QStringLiteral(FIRSTWATCH_CAPTURES "/../cni") });
        const QJsonObject log = QJsonDocument::fromJson(ran.out).object();
        QCOMPARE(log[QStringLiteral("version")].toString(), QStringLiteral("2.1.0"));
        QVERIFY(log[QStringLiteral("$schema")].toString().endsWith(QLatin1String("sarif-2.1.0.json")));
        QCOMPARE(log[QStringLiteral("runs")].toArray().size(), 1);
        const QJsonObject driver =
            sarifRun(ran)[QStringLiteral("tool")].toObject()[QStringLiteral("driver")].toObject();
        QCOMPARE(driver[QStringLiteral("name")].toString(), QStringLiteral("firstwatch"));
        QVERIFY(!driver[QStringLiteral("version")].toString().isEmpty());
        QStringList rules;
        for (const QJsonValue rule : driver[QStringLiteral("rules")].toArray()) {
            checkRule(rule.toObject());
            rules += rule.toObject()[QStringLiteral("id")].toString();
        }
        QVERIFY(rules.size() > 10);
        QCOMPARE(rules.removeDuplicates(), 0);
        const QJsonArray results = sarifRun(ran)[QStringLiteral("results")].toArray();
        QVERIFY(results.size() > 20);
        for (const QJsonValue result : results)
            checkResult(result.toObject(), rules);
    }

    void sarifOfNothing()
    {
        NetDir net;
        net.add("10-a.conflist", good);
        const QJsonObject run = sarifRun(net.lint(QStringLiteral("10-a.conflist -o sarif")));
        QVERIFY(run[QStringLiteral("results")].isArray());
        QCOMPARE(run[QStringLiteral("results")].toArray().size(), 0);
    }

    void sarifSaysWhatWasNotLookedAt()
    {
        NetDir net;
        const QJsonObject run = sarifRun(net.lint(QStringLiteral("nowhere -o sarif")));
        const QJsonObject invocation = run[QStringLiteral("invocations")].toArray().at(0).toObject();
        QCOMPARE(invocation[QStringLiteral("executionSuccessful")], QJsonValue(false));
        const QJsonValue first = invocation[QStringLiteral("toolExecutionNotifications")].toArray().at(0);
        QVERIFY(textOf(first.toObject()[QStringLiteral("message")]).startsWith(QLatin1String("nowhere: ")));
    }

    void sarifNamesFilesAsUris_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QString>("uri");
        QTest::newRow("plain") << QByteArray("10-a.conflist") << QStringLiteral("10-a.conflist");
        QTest::newRow("blank, percent") << QByteArray("a b%.conflist") << QStringLiteral("a%20b%25.conflist");
        QTest::newRow("no scheme") << QByteArray("c:a#?.conflist") << QStringLiteral("c%3Aa%23%3F.conflist");
        QTest::newRow("not UTF-8") << QByteArray("\xff.conflist") << QStringLiteral("%FF.conflist");
        QTest::newRow("a control character") << QByteArray("\x1b[31m.conflist") << QStringLiteral("%1B%5B31m.conflist");
    }
    void sarifNamesFilesAsUris()
    {
        QFETCH(QByteArray, name);
        QFETCH(QString, uri);
        NetDir net;
        const QByteArray path = QFile::encodeName(net.folder.path()) + '/' + name;
        FILE *file = std::fopen(path.constData(), "w"); // Qt takes no names that are not UTF-8
        QVERIFY(file != nullptr);
        std::fclose(file);
        const QJsonArray results =
            sarifRun(net.lint(QStringLiteral(". -o sarif")))[QStringLiteral("results")].toArray();
        QCOMPARE(results.size(), 2); // is empty, and its mode
        QCOMPARE(uriOf(results.at(0).toObject()), uri);
        const QJsonArray absolute =
            sarifRun(net.lint(net.folder.path() + QStringLiteral(" -o sarif")))[QStringLiteral("results")].toArray();
        QCOMPARE(uriOf(absolute.at(0).toObject()), QString(QStringLiteral("file://") + net.folder.path() + u'/' + uri));
        std::remove(path.constData()); // nor does its QTemporaryDir
    }

    void namesAreEscaped()
    {
        NetDir net;
        net.add("10-\x1b[31m\xe2\x80\xae.conflist", "{");
        for (const QString &form : forms) {
            const Ran ran = net.lint(QStringLiteral(". -o ") + form);
            QCOMPARE(ran.exitCode, 1);
            QVERIFY2(ran.out.contains("31m"), ran.out.constData());
            QVERIFY(!ran.out.contains('\x1b') && !ran.out.contains("\xe2\x80\xae"));
        }
        const QJsonValue lint =
            QJsonDocument::fromJson(net.lint(QStringLiteral(". -o json")).out)[QStringLiteral("lint")];
        QCOMPARE(lint[QStringLiteral("findings")][0][QStringLiteral("file")].toString(),
            QStringLiteral("./10-\\x1b[31m\\u{202e}.conflist"));
    }

    void p51_aSecretIsInNoForm()
    {
        NetDir net;
        net.add("10-a.conflist", secret);
        net.add("10-a.conf", secret);
        net.add("20-half.conflist", secret.chopped(20));
        for (const QString &form : forms) {
            const Ran ran = net.lint(QStringLiteral(". -o ") + form);
            QCOMPARE(ran.exitCode, 1);
            QVERIFY2(ran.out.contains("FW2037") && ran.out.contains("FW2008"), ran.out.constData());
            QVERIFY2(!ran.out.contains("CANARY") && !ran.err.contains("CANARY"), ran.out.constData());
        }
    }

    void ownTemplateIsCompared()
    {
        NetDir net;
        net.add(
            "10-a.conflist", QByteArray(good).replace("bridge\"}", "bridge\"}, {\"type\": \"tuning\", \"mtu\": 1}"));
        net.add("same", "{\"type\": \"tuning\", \"mtu\": 1}");
        net.add("other", "{\"type\": \"tuning\", \"mtu\": 2}");
        const QString line = QStringLiteral("10-a.conflist --plugin ");
        QCOMPARE(net.lint(line + QStringLiteral("same")).out, QByteArray());
        QVERIFY(net.lint(line + QStringLiteral("other")).out.contains("FW2033"));
    }
};

QTEST_GUILESS_MAIN(TestLintVerb)
#include "tst_lintverb.moc"
