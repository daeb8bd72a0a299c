// SPDX-License-Identifier: Apache-2.0
// Completion, in the shells themselves.
#include "program.h"

#include "eventually.h"

#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace firstwatch::test;

namespace {

QByteArray said(const QString &program, const QStringList &arguments)
{
    const QTemporaryDir folder; // with no file in it that could be meant
    QProcess shell;
    prepare(shell, arguments, { { QStringLiteral("HOME=") + folder.path() }, {}, folder.path() });
    shell.setProgram(program);
    shell.setProcessChannelMode(QProcess::MergedChannels);
    shell.start();
    if (!shell.waitForFinished(3 * patienceMs))
        shell.kill();
    return shell.readAllStandardOutput();
}

QString programFolder()
{
    return QStringLiteral(FIRSTWATCH).section(u'/', 0, -2);
}

QByteArray bashCompletes(const QString &line)
{
    const QString script = QStringLiteral("PATH=%1:$PATH; source <(firstwatch completion bash); COMP_WORDS=(%2); "
                                          "COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _firstwatch; echo ${COMPREPLY[*]}");
    return said(QStringLiteral("bash"), { QStringLiteral("-c"), script.arg(programFolder(), line) });
}

QByteArray fishCompletes(const QString &line)
{
    const QString script = QStringLiteral("set PATH %1 $PATH; firstwatch completion fish | source; complete -C '%2'");
    return said(QStringLiteral("fish"),
        { QStringLiteral("--no-config"), QStringLiteral("-c"), script.arg(programFolder(), line) });
}

QByteArray zshCompletes(const QString &line, const QString &expected)
{
    return said(QStringLiteral("zsh"),
        { QStringLiteral("-f"), QStringLiteral(FIRSTWATCH_COMPLETE_ZSH), QStringLiteral(FIRSTWATCH), line, expected });
}

} // namespace

class TestShells final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aShellCompletes_data()
    {
        QTest::addColumn<QString>("shell");
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("expected");
        struct Line {
            const char *typed;
            const char *expected;
        };
        constexpr Line lines[] = {
            { "firstwatch ti", "timeline" },
            { "firstwatch events --ty", "--type" },
            { "firstwatch events -o r", "raw" },
            { "firstwatch status --color al", "always" },
            { "firstwatch check --fail-on w", "warning" },
            { "firstwatch help ti", "timeline" },
            { "firstwatch completion f", "fish" },
            { "firstwatch demo r", "race" },
        };
        for (const char *shell : { "bash", "zsh", "fish" }) {
            for (const Line &line : lines)
                QTest::addRow("%s: %s", shell, line.typed)
                    << QString::fromLatin1(shell) << QString::fromLatin1(line.typed)
                    << QString::fromLatin1(line.expected);
        }
    }
    void aShellCompletes()
    {
        QFETCH(const QString, shell);
        QFETCH(const QString, typed);
        QFETCH(const QString, expected);
        if (QStandardPaths::findExecutable(shell).isEmpty())
            QSKIP("this shell is not installed (scripts/setup test installs it)");
        const QByteArray output = shell == QLatin1String("bash") ? bashCompletes(typed)
            : shell == QLatin1String("zsh")                      ? zshCompletes(typed, expected)
                                                                 : fishCompletes(typed);
        QVERIFY2(output.contains(expected.toUtf8()), output.constData());
        QVERIFY2(!output.contains("not found"), output.constData());
    }
};

QTEST_GUILESS_MAIN(TestShells)
#include "tst_shells.moc"
