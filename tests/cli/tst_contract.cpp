// SPDX-License-Identifier: Apache-2.0
// What scripts rely on: exit codes, data on the standard output and nothing else, colour, forms, wording of wrong use.
#include "program.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace firstwatch::test;

namespace {

QStringList words(const char *text)
{
    return QString::fromUtf8(text).split(u' ', Qt::SkipEmptyParts);
}

bool isJson(const QString &form)
{
    return form == QLatin1String("json");
}

bool isAscii(const QByteArray &text)
{
    return std::all_of(text.begin(), text.end(), [](char c) { return uchar(c) < 0x80; });
}

bool areInOrder(const QByteArray &text, const QByteArrayList &words)
{
    qsizetype at = -1;
    return std::all_of(words.begin(), words.end(), [&](const QByteArray &word) {
        at = text.indexOf(word, at + 1);
        return at >= 0;
    });
}

// As the overview names them.
QStringList verbs()
{
    QStringList all;
    for (const QByteArray &line : run({ QStringLiteral("help") }).out.split('\n')) {
        if (line.startsWith("  ") && !line.startsWith("   "))
            all += QString::fromUtf8(line.trimmed()).section(u' ', 0, 0);
    }
    return all;
}

} // namespace

class TestContract final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Every verb, every form, every outcome: the code is that of the outcome, whatever the form.
    void exitCodes_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<bool>("isJsonForm");
        QTest::addColumn<int>("code");
        struct Outcome {
            const char *name;
            QStringList options;
            int judging;
            int showing;
        };
        const QList<Outcome> outcomes{
            { "good", { QStringLiteral("--from"), capture("usual.jsonl") }, 0, 0 },
            { "packed", { QStringLiteral("--from"), capture("usual.fwz") }, 0, 0 },
            { "error", { QStringLiteral("--from"), capture("drift.jsonl") }, 1, 0 },
            { "blind", { QStringLiteral("--from"), capture("blind.jsonl") }, 1, 0 },
            { "missing", { QStringLiteral("--from"), QStringLiteral("/nowhere/x.fwz") }, 3, 3 },
            { "no capture", { QStringLiteral("--from"), QStringLiteral(FIRSTWATCH_CAPTURES "/../cni/calico.conflist") },
                3, 3 },
            { "no service", { QStringLiteral("--socket"), QStringLiteral("/nowhere/x.sock") }, 3, 3 },
        };
        for (const Form &form : allForms()) {
            for (const Outcome &outcome : outcomes)
                QTest::addRow("%s -o %s, %s", qPrintable(form.verb), qPrintable(form.form), outcome.name)
                    << QStringList{ form.verb, QStringLiteral("-o"), form.form } + outcome.options << isJson(form.form)
                    << (form.judges ? outcome.judging : outcome.showing);
        }
    }
    void exitCodes()
    {
        QFETCH(QStringList, arguments);
        QFETCH(bool, isJsonForm);
        const Ran ran = run(arguments);
        QTEST(ran.exitCode, "code");
        QVERIFY2((ran.exitCode == 3) == ran.err.contains("FW900"), ran.err.constData());
        if (isJsonForm && !ran.out.isEmpty()) {
            const QJsonObject json = QJsonDocument::fromJson(ran.out).object();
            QCOMPARE(json[QStringLiteral("schema")].toString(), QStringLiteral("firstwatch/v1"));
        }
        QVERIFY(!ran.out.contains('\x1b') && !ran.err.contains('\x1b'));
    }

    void otherCodes_data()
    {
        QTest::addColumn<QString>("line"); // %1: the captures
        QTest::addColumn<int>("code");
        QTest::newRow("partial") << "status --from %1/usual.fwz --from /nowhere" << 4;
        QTest::newRow("a finding is worse than partial") << "status --from %1/drift.jsonl --from /nowhere" << 1;
        QTest::newRow("warnings count when asked for") << "check --fail-on warning --from %1/usual.fwz" << 1;
        QTest::newRow("nothing counts") << "check --fail-on never --from %1/blind.jsonl" << 0;
        QTest::newRow("quiet too") << "check -q --from %1/blind.jsonl" << 1;
        QTest::newRow("enough nodes") << "status --require 2 --from %1/usual.fwz --from %1/usual.jsonl" << 0;
        QTest::newRow("too few nodes") << "status --require 2 --from %1/usual.fwz" << 1;
        QTest::newRow("no node, none required") << "status --from /dev/null" << 0;
        QTest::newRow("no node, one required") << "status --require 1 --from /dev/null" << 1;
        QTest::newRow("as waited for") << "status --wait --from %1/usual.fwz" << 0;
        QTest::newRow("as waited for, a state") << "node --wait=drift --fail-on never --from %1/drift.jsonl" << 0;
        QTest::newRow("not as waited for") << "check --wait=OK --fail-on never --from %1/drift.jsonl" << 1;
        QTest::newRow("a history directory without history") << "events --from %1" << 0;
        QTest::newRow("a run") << "node --from %1/stopped.jsonl --boot 6310" << 0;
        QTest::newRow("no such run") << "node --from %1/stopped.jsonl --boot ffff" << 3;
        QTest::newRow("open") << "open %1/usual.fwz" << 0;
        QTest::newRow("open what is bad") << "open %1/blind.jsonl -o json" << 1;
        QTest::newRow("open nothing") << "open /nowhere" << 3;
        QTest::newRow("doctor without a service") << "doctor --socket /nowhere" << 3;
        QTest::newRow("doctor of a file that is no socket") << "doctor --socket %1/usual.fwz -o json" << 3;
        QTest::newRow("doctor of a recording") << "doctor --from %1/usual.fwz" << 0;
        QTest::newRow("explain") << "explain FW1002 1101 fw2001" << 0;
        QTest::newRow("explain nothing known") << "explain FW1" << 2;
        QTest::newRow("version") << "--version" << 0;
        QTest::newRow("help") << "-h" << 0;
        QTest::newRow("nothing") << "" << 2;
        QTest::newRow("unknown verb") << "statsu" << 2;
        QTest::newRow("unknown option") << "status --bogus" << 2;
        QTest::newRow("unknown form") << "status -o toml" << 2;
        QTest::newRow("unknown level") << "status --fail-on sometimes" << 2;
        QTest::newRow("unknown state") << "status --wait=FINE" << 2;
        QTest::newRow("bad span") << "events --since yesterday" << 2;
        QTest::newRow("a filter") << "status --from %1/drift.jsonl --filter state:OK" << 0;
        QTest::newRow("a filter that takes it") << "status --from %1/drift.jsonl --filter state:drift" << 1;
        QTest::newRow("a finding is filtered out") << "findings --from %1/drift.jsonl --filter code:FW20*" << 0;
        QTest::newRow("and in") << "findings --from %1/drift.jsonl --filter code:1202" << 1;
        QTest::newRow("a filter of nobody there") << "findings --from /nowhere --filter code:1202" << 3;
        QTest::newRow("a bad filter") << "events --filter pod:x" << 2;
        QTest::newRow("a filter for another verb") << "status --filter code:1101" << 2;
        QTest::newRow("a filter where there is none") << "node --filter state:OK" << 2;
        QTest::newRow("bad number") << "events --last -1" << 2;
        QTest::newRow("bad endpoint") << "status --endpoint nowhere" << 2;
        QTest::newRow("an option of another verb") << "timeline --last 3" << 2;
        QTest::newRow("two sources for one node") << "node --from a --from b" << 2;
        QTest::newRow("two events, the other way round") << "timeline --from %1/usual.fwz --between 14,3" << 0;
        QTest::newRow("an event that is not there") << "timeline --from %1/usual.fwz --between 1,999" << 2;
        QTest::newRow("two recordings") << "timeline %1/usual.fwz %1/blind.jsonl" << 0;
        QTest::newRow("two recordings, the other way")
            << "timeline --from %1/usual.fwz --from %1/drift.jsonl -o svg" << 0;
        QTest::newRow("two runs of one recording") << "timeline --from %1/stopped.jsonl --boot 6310 --boot 6310" << 0;
        QTest::newRow("a run that is not there") << "timeline --from %1/stopped.jsonl --boot 6310 --boot ffff" << 3;
        QTest::newRow("a recording that is not there") << "timeline %1/usual.fwz /nowhere/x.fwz" << 3;
        QTest::newRow("three recordings") << "timeline %1/usual.fwz %1/usual.fwz --from %1/usual.fwz" << 2;
        QTest::newRow("three runs") << "timeline --from %1/usual.fwz --boot a --boot b --boot c" << 2;
        QTest::newRow("two runs of the input") << "timeline --from - --boot a --boot b" << 2;
        QTest::newRow("two recordings between events") << "timeline %1/usual.fwz %1/drift.jsonl --between 1,2" << 2;
        QTest::newRow("one event") << "timeline --between 14" << 2;
        QTest::newRow("a node and a file too much") << "history a b c" << 2;
        QTest::newRow("too much") << "status node-17" << 2;
        QTest::newRow("too little") << "open" << 2;
        QTest::newRow("an option without its value") << "status --from" << 2;
        QTest::newRow("a bundle without a name") << "bundle --from %1/usual.fwz" << 2;
        QTest::newRow("a bundle over a file") << "bundle -o %1/usual.fwz --from %1/usual.jsonl" << 3;
        QTest::newRow("following a recording") << "events -f --from %1/usual.fwz" << 2;
        QTest::newRow("another demo") << "demo day" << 2;
        QTest::newRow("another shell") << "completion tcsh" << 2;
        QTest::newRow("a form where there is none") << "demo race -o json" << 2;
    }
    void otherCodes()
    {
        QFETCH(QString, line);
        const Ran ran = run(
            line.replace(QStringLiteral("%1"), QStringLiteral(FIRSTWATCH_CAPTURES)).split(u' ', Qt::SkipEmptyParts));
        QTEST(ran.exitCode, "code");
        if (ran.exitCode == 2) {
            QVERIFY2(ran.out.isEmpty(), ran.out.constData());
            QVERIFY2(ran.err.startsWith("firstwatch: "), ran.err.constData());
        }
    }

    // All options that filter are one filter.
    void theFilterIsPrinted()
    {
        const Ran ran = run({ QStringLiteral("events"), QStringLiteral("--print-filter"), QStringLiteral("--type"),
            QStringLiteral("watch"), QStringLiteral("--since"), QStringLiteral("90m"), QStringLiteral("--not"),
            QStringLiteral("file.state,note"), QStringLiteral("--filter"), QStringLiteral("kind:patch \"two words\""),
            QStringLiteral("--file"), QStringLiteral("a b") });
        QCOMPARE(
            ran.out, QByteArray("kind:watch,patch -kind:file.state,note file:\"a b\" since:1h30m \"two words\"\n"));
        QCOMPARE(ran.exitCode, 0);
        const Ran bad =
            run({ QStringLiteral("events"), QStringLiteral("--filter"), QStringLiteral("kind:patch pod:x") });
        QVERIFY2(bad.err.contains("column 12: 'pod' is no key"), bad.err.constData());
    }

    void theFilterOfEvents()
    {
        const QStringList events{ QStringLiteral("events"), QStringLiteral("--from"), capture("usual.jsonl") };
        const auto shown = [&](const QStringList &more) { return run(events + more).out; };
        QCOMPARE(shown({ QStringLiteral("--filter"), QStringLiteral("kind:patch file:10-*") }),
            shown({ QStringLiteral("--type"), QStringLiteral("patch"), QStringLiteral("--file"),
                QStringLiteral("10-*") }));
        QCOMPARE(shown({ QStringLiteral("--filter"), QStringLiteral("repatch -file:15-*") }).count('\n'), 1);
        QCOMPARE(shown({ QStringLiteral("--filter"), QStringLiteral("since:1s") }), QByteArray()); // it is long ago
    }

    void theNearestVerbIsNamed_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QByteArray>("nearest");
        QTest::newRow("swapped") << "statsu" << QByteArray("'status'");
        QTest::newRow("short") << "ev" << QByteArray("'events'");
        QTest::newRow("a letter more") << "checks" << QByteArray("'check'");
        QTest::newRow("far") << "frobnicate" << QByteArray();
    }
    void theNearestVerbIsNamed()
    {
        QFETCH(QString, typed);
        QFETCH(QByteArray, nearest);
        const Ran ran = run({ typed });
        QCOMPARE(ran.err.contains("Did you mean"), !nearest.isEmpty());
        QVERIFY(ran.err.contains(nearest));
    }

    void quietSaysNothing()
    {
        for (const Form &form : allForms()) {
            const Ran ran = run({ form.verb, QStringLiteral("-o"), form.form, QStringLiteral("--quiet"),
                QStringLiteral("--from"), capture("blind.jsonl") });
            QVERIFY(ran.out.isEmpty() && ran.err.isEmpty());
        }
    }

    // What goes into a pipe or a program's hands is data alone; the sentences for people come on a terminal only.
    void recordingsAreSilentOnStderr()
    {
        for (const Form &form : allForms())
            QCOMPARE(
                run({ form.verb, QStringLiteral("-o"), form.form, QStringLiteral("--from"), capture("usual.jsonl") })
                    .err,
                QByteArray());
    }

    void twoRecordingsAreComparedInTheirOrder()
    {
        const QStringList files{ capture("drift.jsonl"), capture("usual.fwz") };
        const QJsonObject json = QJsonDocument::fromJson(
            run({ QStringLiteral("timeline"), files[0], files[1], QStringLiteral("-o"), QStringLiteral("json") }).out)
                                     .object();
        const QJsonArray runs = json[QStringLiteral("comparison")][QStringLiteral("runs")].toArray();
        QCOMPARE(runs.size(), 2);
        QCOMPARE(runs[0][QStringLiteral("node")].toString(), QStringLiteral("node-08"));
        QCOMPARE(runs[1][QStringLiteral("node")].toString(), QStringLiteral("node-17"));
        QVERIFY(runs[1][QStringLiteral("proof_ns")].toInteger() > 0);
        const QByteArray text = run({ QStringLiteral("timeline"), files[0], files[1] }).out;
        QVERIFY2(text.indexOf("node-08") < text.indexOf("node-17") && text.contains("0 is the proof of each"),
            text.constData());
    }

    void rawEventsAreARecordingAgain()
    {
        const Ran raw = run({ QStringLiteral("events"), QStringLiteral("-o"), QStringLiteral("raw"),
            QStringLiteral("--from"), capture("usual.fwz") });
        QFile file(capture("usual.jsonl"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(raw.out, file.readAll());
        const Ran again = run({ QStringLiteral("status"), QStringLiteral("-o"), QStringLiteral("short"),
                                  QStringLiteral("--from"), QStringLiteral("-") },
            { {}, raw.out, {} });
        QCOMPARE(again.out, QByteArray("node-17 OK +21.1 ms 2/2\n"));
    }

    void aBundleIsARecordingAgain()
    {
        const QTemporaryDir folder;
        const Ran bundled = run({ QStringLiteral("bundle"), QStringLiteral("-o"), QStringLiteral("node.fwz"),
                                    QStringLiteral("--from"), capture("stopped.jsonl") },
            { {}, {}, folder.path() });
        QCOMPARE(bundled.exitCode, 0);
        QCOMPARE(QFile::permissions(folder.filePath(QStringLiteral("node.fwz"))) & QFile::Permissions(0x0077),
            QFile::Permissions());
        const QStringList whole = { QStringLiteral("events"), QStringLiteral("-o"), QStringLiteral("raw"),
            QStringLiteral("--from") };
        QCOMPARE(run(whole + QStringList{ folder.filePath(QStringLiteral("node.fwz")) }).out,
            run(whole + QStringList{ capture("stopped.jsonl") }).out);
        const Ran piped = run({ QStringLiteral("bundle"), QStringLiteral("-o"), QStringLiteral("-"),
            QStringLiteral("--from"), capture("stopped.jsonl") });
        QCOMPARE(run({ QStringLiteral("status"), QStringLiteral("-o"), QStringLiteral("name"), QStringLiteral("--from"),
                         QStringLiteral("-") },
                     { {}, piped.out, {} })
                     .out,
            QByteArray("node-17\n"));
    }

    void containerLogsAreRead()
    {
        const Ran ran = run({ QStringLiteral("timeline"), QStringLiteral("--from"), capture("container.log") });
        QVERIFY2(ran.out.contains("Ready margin +21.1 ms"), ran.out.constData());
    }

    void colour_data()
    {
        QTest::addColumn<QStringList>("environment");
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<bool>("isColoured");
        QTest::newRow("a pipe") << QStringList() << QStringList() << false;
        QTest::newRow("always") << QStringList() << words("--color always") << true;
        QTest::newRow("never") << words("CLICOLOR_FORCE=1") << words("--color never") << false;
        QTest::newRow("forced") << words("CLICOLOR_FORCE=1") << QStringList() << true;
        QTest::newRow("not forced") << words("CLICOLOR_FORCE=0") << QStringList() << false;
        QTest::newRow("refused") << words("CLICOLOR_FORCE=1 NO_COLOR=1") << QStringList() << false;
        QTest::newRow("refused, but asked for") << words("NO_COLOR=1") << words("--color always") << true;
        QTest::newRow("an empty refusal is none") << words("CLICOLOR_FORCE=1 NO_COLOR=") << QStringList() << true;
    }
    void colour()
    {
        QFETCH(QStringList, environment);
        QFETCH(QStringList, options);
        const Ran ran =
            run(QStringList{ QStringLiteral("status"), QStringLiteral("--from"), capture("blind.jsonl") } + options,
                { environment, {}, {} });
        QTEST(ran.out.contains("\x1b["), "isColoured");
        const Ran json = run(QStringList{ QStringLiteral("status"), QStringLiteral("-o"), QStringLiteral("json"),
                                 QStringLiteral("--from"), capture("blind.jsonl") }
                + options,
            { environment, {}, {} });
        QVERIFY(!json.out.contains('\x1b')); // data is never coloured
    }

    void aLocaleWithoutUnicodeGetsAscii()
    {
        for (const Form &form : allForms()) {
            if (form.form == QLatin1String("svg"))
                continue; // names its own encoding
            const Ran ran =
                run({ form.verb, QStringLiteral("-o"), form.form, QStringLiteral("--from"), capture("drift.jsonl") },
                    { { QStringLiteral("LC_ALL=C") }, {}, {} });
            QVERIFY2(
                !ran.out.isEmpty() && isAscii(ran.out) && isAscii(ran.err), QByteArray(ran.out + ran.err).constData());
        }
        const Ran demo =
            run({ QStringLiteral("demo"), QStringLiteral("race") }, { { QStringLiteral("LC_ALL=C") }, {}, {} });
        QVERIFY(demo.exitCode == 0 && isAscii(demo.out) && demo.out.contains("NOT PROVEN") && demo.err.isEmpty());
    }

    // First use: no home, no cluster, no node.
    void theDemoNeedsNothing()
    {
        const Ran ran = run({ QStringLiteral("demo"), QStringLiteral("race") },
            { { QStringLiteral("PATH="), QStringLiteral("TMPDIR=/nowhere") }, {}, QStringLiteral("/") });
        QCOMPARE(ran.exitCode, 0);
        QVERIFY(ran.out.contains("-211 ms  ✘ NOT PROVEN") && ran.out.contains("+16.8 ms  ✔ PROVEN"));
        QVERIFY(ran.out.contains("1 NEVER SEEN") && ran.out.contains("1 change inside, covered by pass 1"));
    }

    void aFullDiskIsNoSuccess()
    {
        QProcess process;
        prepare(process, { QStringLiteral("status"), QStringLiteral("--from"), capture("usual.fwz") });
        process.setStandardOutputFile(QStringLiteral("/dev/full"));
        process.start();
        QVERIFY(process.waitForFinished());
        QCOMPARE(process.exitCode(), 3);
        QVERIFY(process.readAllStandardError().contains("could not be written"));
    }

    void kubectlFindsItself()
    {
        QProcess process;
        prepare(process, words("help"));
        process.setProgram(QStringLiteral(FIRSTWATCH).section(u'/', 0, -2) + QStringLiteral("/kubectl-firstwatch"));
        process.start();
        QVERIFY(process.waitForFinished());
        QVERIFY(process.readAllStandardOutput().startsWith("Usage: kubectl firstwatch "));
    }

    void helpFitsTheScreen()
    {
        for (const QString &verb : verbs()) {
            const QByteArray help = run({ verb, QStringLiteral("--help") }).out;
            QCOMPARE(help, run({ QStringLiteral("help"), verb }).out);
            QVERIFY2(
                areInOrder(help, { "Usage:", "Examples:", "Options:", "Exit codes:", "See also:" }), help.constData());
            QCOMPARE(help.mid(help.indexOf("Examples:")).left(help.indexOf("Options:")).count("\n  firstwatch "), 3);
            for (const QString &row : QString::fromUtf8(help).split(u'\n'))
                QVERIFY2(row.size() <= 80, qPrintable(row));
        }
    }

    // The purpose, the usage, each option on a line of its own, and where there is more.
    void shortHelpIsShort()
    {
        for (const QString &verb : verbs()) {
            const QString help = QString::fromUtf8(run({ verb, QStringLiteral("-h") }).out);
            const QStringList rows = help.split(u'\n');
            QVERIFY2(rows.value(0).startsWith(QStringLiteral("firstwatch %1: ").arg(verb)), qPrintable(help));
            QVERIFY2(
                rows.value(1).startsWith(QStringLiteral("Usage: firstwatch %1 [options]").arg(verb)), qPrintable(help));
            QVERIFY2(help.endsWith(QStringLiteral("\nFor more: firstwatch %1 --help\n").arg(verb)), qPrintable(help));
            QVERIFY(!help.contains(QLatin1String("Examples:")) && !help.contains(QLatin1String("Exit codes:")));
            const QStringList options = rows.filter(QRegularExpression(QStringLiteral("^ ")));
            for (const QString &option : options)
                QVERIFY2(option.startsWith(QLatin1String("  -")) && option.size() <= 80, qPrintable(option));
            QCOMPARE(rows.size(), 4 + options.size() + 3); // nothing else is there
            QCOMPARE(run({ verb, QStringLiteral("-h"), QStringLiteral("--help") }).out,
                run({ verb, QStringLiteral("--help") }).out);
        }
    }

    void completionsAreScripts_data()
    {
        QTest::addColumn<QString>("shell");
        for (const char *shell : { "bash", "zsh", "fish" })
            QTest::newRow(shell) << QString::fromLatin1(shell);
    }
    void completionsAreScripts()
    {
        QFETCH(QString, shell);
        const Ran script = run({ QStringLiteral("completion"), shell });
        QVERIFY(script.out.contains("timeline") && script.out.contains("fail-on"));
        if (shell != QLatin1String("bash"))
            return; // the others are not on every machine
        QProcess bash;
        const QString asked =
            QStringLiteral("COMP_WORDS=(firstwatch events -o r); COMP_CWORD=3; _firstwatch; echo ${COMPREPLY[*]}");
        bash.start(QStringLiteral("bash"), { QStringLiteral("-c"), QString::fromUtf8(script.out) + asked });
        QVERIFY(bash.waitForFinished());
        QCOMPARE(bash.readAllStandardOutput().trimmed(), QByteArray("raw"));
        QCOMPARE(bash.readAllStandardError(), QByteArray());
    }
};

QTEST_GUILESS_MAIN(TestContract)
#include "tst_contract.moc"
