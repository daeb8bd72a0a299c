// SPDX-License-Identifier: Apache-2.0
// `-o yaml` is the same value as `-o json`, as PyYAML reads it, which takes YAML 1.1's many words for other things.
#include "program.h"

#include "ui/text/json.h"
#include "ui/text/yaml.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryFile>
#include <QTest>

using namespace firstwatch;
using namespace firstwatch::test;

namespace {

// Empty when Python finds both to be the same; else what it says.
QByteArray difference(const QByteArray &json, const QByteArray &yaml)
{
    QTemporaryFile jsonFile;
    QTemporaryFile yamlFile;
    if (!jsonFile.open() || !yamlFile.open() || jsonFile.write(json) != json.size() || !jsonFile.flush()
        || yamlFile.write(yaml) != yaml.size() || !yamlFile.flush())
        return "not written";
    QProcess python;
    python.start(QStringLiteral("python3"),
        { QStringLiteral("-c"),
            QStringLiteral("import json, sys, yaml\n"
                           "j = json.load(open(sys.argv[1], encoding='utf-8'))\n"
                           "y = yaml.safe_load(open(sys.argv[2], encoding='utf-8'))\n"
                           "assert j == y and repr(j) == repr(y), (j, y)\n"),
            jsonFile.fileName(), yamlFile.fileName() });
    if (!python.waitForFinished())
        return "no end";
    return python.exitCode() == 0 ? QByteArray() : python.readAllStandardError();
}

} // namespace

class TestYaml final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyVerbTellsTheSame_data()
    {
        QTest::addColumn<QString>("line");
        for (const char *recording : { "usual.fwz", "drift.jsonl", "blind.jsonl", "texts.jsonl" }) {
            for (const char *verb : { "status", "node", "check", "findings", "events", "timeline",
                     "timeline --between 3,8", "history", "history --diff" })
                QTest::addRow("%s of %s", verb, recording)
                    << QStringLiteral("%1 --from %2").arg(QLatin1String(verb), capture(recording));
        }
        QTest::newRow("open") << QStringLiteral("open ") + capture("drift.jsonl");
        QTest::newRow("doctor") << QStringLiteral("doctor --from ") + capture("usual.fwz");
        QTest::newRow("explain") << QStringLiteral("explain");
        QTest::newRow("version") << QStringLiteral("version");
        QTest::newRow("nothing") << QStringLiteral("status --from /dev/null");
    }
    void everyVerbTellsTheSame()
    {
        QFETCH(const QString, line);
        const QStringList words = line.split(u' ');
        for (const char *locale : { "LC_ALL=C.UTF-8", "LC_ALL=C" }) {
            const Surroundings around{ { QString::fromLatin1(locale) }, {}, {} };
            const Ran json = run(words + QStringList{ QStringLiteral("-o"), QStringLiteral("json") }, around);
            const Ran yaml = run(words + QStringList{ QStringLiteral("-o"), QStringLiteral("yaml") }, around);
            QVERIFY(!yaml.out.isEmpty() && !yaml.out.startsWith('{'));
            const QByteArray why = difference(json.out, yaml.out);
            QVERIFY2(why.isEmpty(), why.constData());
        }
    }

    void oddValuesStayWhatTheyAre()
    {
        QJsonArray all;
        for (const char *text : { "", " ", "yes", "No", "on", "OFF", "y", "n", "null", "Null", "~", "true", "TRUE", "1",
                 "-1", "1.5", "1e3", "1E3", "0x1f", "0o17", "017", "1_000", "12:30:45", "2026-11-30",
                 "2026-11-30T18:49:06Z", "=", "<<", ".inf", ".nan", "-", "- a", "a: b", "a #b", "#a", "&a", "*a", "!a",
                 "%a", "@a", "`a", "|", ">", "?", "{", "[", "'", "\"", "\\", "a\\nb", "a b", "a ", "\t", "a\tb", "a\n",
                 "\n", "\na", "a\n\n", "a\nb", "a\n b\n", " a\nb\n", "a\r\nb\r\n", "a\n\tb\n", "a\n  \nb\n", "---",
                 "...", "a\n---\nb\n", "\x7f", "\x1b[31m", "\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xae", "\xef\xbb\xbf",
                 "\xc3\xa9", "\xf0\x9d\x84\x9e", "\xf0\x9d\x84\x9e\n1\n" })
            all.append(QString::fromUtf8(text));
        for (const double number : { 0.0, -1.0, 0.5, 1e-7, 1.5e-7, 1e20, 1e300 })
            all.append(number);
        all += QJsonArray{ QJsonValue(), true, false, qint64(9007199254740993), QJsonArray(), QJsonObject(),
            QJsonArray{ QJsonArray{ 1, QJsonArray() } }, QJsonObject{ { QStringLiteral("a"), QJsonArray{ 1 } } } };
        QJsonObject keys;
        for (const QJsonValue &text : std::as_const(all)) {
            if (text.isString())
                keys.insert(text.toString(), text);
        }
        const QJsonObject document{ { QStringLiteral("list"), all }, { QStringLiteral("keys"), keys },
            { QStringLiteral("nested"), QJsonArray{ keys, QJsonObject{ { QStringLiteral("x"), keys } } } } };
        for (const bool hasUnicode : { true, false }) {
            const QByteArray yaml = ui::yamlText(document, hasUnicode);
            const QByteArray why = difference(QJsonDocument(document).toJson(), yaml);
            QVERIFY2(why.isEmpty(), why.constData());
            QVERIFY(!yaml.contains('\x1b') && !yaml.contains('\x7f') && !yaml.contains("\xe2\x80\xae"));
        }
    }

    void aDiffIsReadable()
    {
        const Ran ran = run({ QStringLiteral("history"), QStringLiteral("--diff"), QStringLiteral("-o"),
            QStringLiteral("yaml"), QStringLiteral("--from"), capture("texts.jsonl") });
        QVERIFY2(ran.out.contains("      ours: |2\n        --- a/10-calico.conflist\n"), ran.out.constData());
    }

    void aStreamIsDocuments()
    {
        const Ran raw = run({ QStringLiteral("events"), QStringLiteral("-o"), QStringLiteral("raw"),
            QStringLiteral("--from"), capture("usual.fwz") });
        const Ran ran = run({ QStringLiteral("events"), QStringLiteral("-f"), QStringLiteral("-o"),
                                QStringLiteral("yaml"), QStringLiteral("--from"), QStringLiteral("-") },
            { {}, raw.out, {} });
        QCOMPARE(ran.out.count("---\n"), raw.out.count('\n'));
        QVERIFY(ran.out.startsWith("---\nboot: "));
    }
};

QTEST_GUILESS_MAIN(TestYaml)
#include "tst_yaml.moc"
