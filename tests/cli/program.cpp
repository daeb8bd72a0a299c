// SPDX-License-Identifier: Apache-2.0
#include "program.h"

#include "eventually.h"

namespace firstwatch::test {

void prepare(QProcess &process, const QStringList &arguments, const Surroundings &around)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char *name :
        { "NO_COLOR", "CLICOLOR_FORCE", "COLUMNS", "PAGER", "LANG", "KUBECONFIG", "HOME", "XDG_CONFIG_HOME" })
        environment.remove(QString::fromLatin1(name));
    environment.insert(QStringLiteral("LC_ALL"), QStringLiteral("C.UTF-8"));
    for (const QString &variable : around.environment)
        environment.insert(variable.section(u'=', 0, 0), variable.section(u'=', 1));
    process.setProcessEnvironment(environment);
    process.setWorkingDirectory(around.directory);
    process.setProgram(QStringLiteral(FIRSTWATCH));
    process.setArguments(arguments);
}

Ran run(const QStringList &arguments, const Surroundings &around)
{
    QProcess process;
    prepare(process, arguments, around);
    process.start();
    process.write(around.input);
    process.closeWriteChannel();
    if (!process.waitForFinished(patienceMs))
        process.kill();
    const bool isGood = process.exitStatus() == QProcess::NormalExit && process.state() == QProcess::NotRunning;
    return { isGood ? process.exitCode() : -1, process.readAllStandardOutput(), process.readAllStandardError() };
}

QString capture(const char *name)
{
    return QStringLiteral(FIRSTWATCH_CAPTURES "/") + QString::fromLatin1(name);
}

QList<Form> allForms()
{
    struct Verb {
        const char *name;
        const char *forms;
        bool judges;
    };
    constexpr Verb verbs[] = {
        { "status", "table wide short json yaml name", true },
        { "node", "table json yaml", true },
        { "check", "table short json yaml", true },
        { "findings", "table wide json yaml name", true },
        { "events", "compact json yaml raw", false },
        { "timeline", "ascii json yaml svg", false },
        { "history", "table wide json yaml name", false },
    };
    QList<Form> all;
    for (const Verb &verb : verbs) {
        for (const QString &form : QString::fromLatin1(verb.forms).split(u' '))
            all.append({ QString::fromLatin1(verb.name), form, verb.judges });
    }
    return all;
}

} // namespace firstwatch::test
