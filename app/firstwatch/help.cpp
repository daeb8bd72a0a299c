// SPDX-License-Identifier: Apache-2.0
#include "app/firstwatch/help.h"

#include <QList>

#include <algorithm>

namespace firstwatch::cli {
namespace {

constexpr int verbColumn = 14;
constexpr int optionColumn = 26;
constexpr int shortColumn = 25; // behind the longest option, so that each takes one line
constexpr int columns = 80;

QString exitCodesHelp()
{
    QStringList all;
    for (const ProgramHelp::ExitCode &each : programHelp().exitCodes)
        all += QStringLiteral("%1 %2").arg(each.code).arg(QLatin1String(each.meaning));
    const QString text = QStringLiteral("Exit codes: %1.").arg(all.join(QStringLiteral("; ")));
    return u'\n' + ui::wrapped(text, columns - 1).join(u'\n') + u'\n';
}

QString row(const QString &left, const QString &right, int column)
{
    QString text = QStringLiteral("  ") + left;
    if (text.size() + 2 > column)
        text += u'\n';
    const qsizetype begin = text.lastIndexOf(u'\n') + 1;
    text += QString(column - (text.size() - begin), u' ');
    return text + ui::wrapped(right, columns - column).join(u'\n' + QString(column, u' ')) + u'\n';
}

QString optionRow(const Option &option, const Verb &verb, bool isShort)
{
    QString left = QString::fromLatin1(option.names).replace(QLatin1String(","), QLatin1String(", "));
    QString help = QString::fromLatin1(option.help);
    if (option.argument != nullptr)
        left += (option.argument[0] == '[' ? QString() : QStringLiteral(" ")) + QString::fromLatin1(option.argument);
    if (left.contains(QLatin1String("--output"))) {
        if (verb.forms.isEmpty())
            return {};
        QStringList forms;
        for (const char *form : verb.forms)
            forms += QString::fromLatin1(form);
        if (forms == QStringList{ QStringLiteral("FILE") }) {
            left.replace(QLatin1String("FORM"), QLatin1String("FILE"));
            help = QStringLiteral("the file to make; - is the standard output");
        } else {
            help = isShort ? forms.join(u'|')
                           : QString(forms.join(QStringLiteral(", ")) + QStringLiteral(" (%1)").arg(forms.first()));
        }
    }
    return row(left, help, isShort ? shortColumn : optionColumn);
}

// What it is for, and how it is called.
QString headOf(const Verb &verb, const QString &program)
{
    const QString call = program + u' ' + QString::fromLatin1(verb.name);
    return QStringLiteral("%1: %2\n").arg(call, QString::fromUtf8(verb.purpose))
        + QStringLiteral("Usage: %1 [options] %2").arg(call, QString::fromUtf8(verb.arguments)).trimmed() + u'\n';
}

QString optionsOf(const Verb &verb, bool isShort)
{
    QString text = QStringLiteral("\nOptions:\n");
    for (const Option &option : allOptions()) {
        if ((option.groups & verb.groups) != 0)
            text += optionRow(option, verb, isShort);
    }
    return text;
}

// Levenshtein's distance.
int distance(const QString &left, const QString &right)
{
    QList<int> row(right.size() + 1);
    for (qsizetype i = 0; i < row.size(); ++i)
        row[i] = int(i);
    for (qsizetype i = 1; i <= left.size(); ++i) {
        int corner = row[0];
        row[0] = int(i);
        for (qsizetype j = 1; j <= right.size(); ++j) {
            const int change = corner + (left[i - 1] == right[j - 1] ? 0 : 1);
            corner = row[j];
            row[j] = std::min({ row[j] + 1, row[j - 1] + 1, change });
        }
    }
    return row.last();
}

} // namespace

const ProgramHelp &programHelp()
{
    static const ProgramHelp help{
        "Shows what Firstwatch does on a node: a live one, or a recording of one.\n"
        "Only reads, and changes nothing; but for preview --write, which changes files.\n",
        "Without --socket, --endpoint or --from: the node that this runs on.\n",
        { { exitcode::nothing, "nothing to report" },
            { exitcode::found, "findings at or above --fail-on, or changes with --exit-code" },
            { exitcode::usage, "wrong use" },
            { exitcode::notCollected, "nothing could be collected, or a file is refused" },
            { exitcode::partial, "some nodes were not reached" }, { exitcode::interrupted, "interrupted" } },
    };
    return help;
}

QString overview(const QString &program)
{
    const ProgramHelp &help = programHelp();
    QString text =
        QStringLiteral("Usage: %1 VERB [options]\n\n").arg(program) + QLatin1String(help.purpose) + QLatin1Char('\n');
    for (const Verb &verb : allVerbs())
        text += row(QString::fromLatin1(verb.name), QString::fromUtf8(verb.purpose), verbColumn);
    return text + QLatin1Char('\n') + QLatin1String(help.withoutSource)
        + QStringLiteral("Options: %1 VERB -h; with examples: %1 VERB --help\n").arg(program) + exitCodesHelp();
}

QString shortHelp(const Verb &verb, const QString &program)
{
    return headOf(verb, program) + optionsOf(verb, true)
        + QStringLiteral("\nFor more: %1 %2 --help\n").arg(program, QLatin1String(verb.name));
}

QString verbHelp(const Verb &verb, const QString &program)
{
    QString text = headOf(verb, program) + QStringLiteral("\nExamples:\n");
    for (const char *example : verb.examples)
        text += QStringLiteral("  %1 %2\n").arg(program, QString::fromUtf8(example));
    return text + optionsOf(verb, false) + exitCodesHelp()
        + QStringLiteral("\nSee also: %1 help, %1 explain, firstwatchd --help\n").arg(program);
}

QString nearestOf(const QString &typed, const QStringList &words)
{
    QString nearest;
    int least = int(std::max<qsizetype>(typed.size() / 2, 1)) + 1;
    for (const QString &word : words) {
        const int far = word.startsWith(typed) ? 0 : distance(typed.left(32), word);
        if (far < least) {
            least = far;
            nearest = word;
        }
    }
    return nearest;
}

QString nearestVerb(const QString &typed)
{
    QStringList names;
    for (const Verb &verb : allVerbs())
        names += QString::fromLatin1(verb.name);
    return nearestOf(typed, names);
}

} // namespace firstwatch::cli
