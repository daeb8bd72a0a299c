// SPDX-License-Identifier: Apache-2.0
// Completion scripts, made from the tables of verbs and options.
#include "app/firstwatch/verb.h"

namespace firstwatch::cli {
namespace {

QStringList optionNames(const Verb &verb)
{
    QStringList names;
    for (const Option &option : allOptions()) {
        if ((option.groups & verb.groups) != 0)
            names += QString::fromLatin1(option.names).split(u',');
    }
    return names;
}

QStringList verbNames()
{
    QStringList names;
    for (const Verb &verb : allVerbs())
        names += QString::fromLatin1(verb.name);
    return names;
}

QStringList forms(const Verb &verb)
{
    QStringList all;
    for (const char *form : verb.forms)
        all += QString::fromLatin1(form);
    all.removeAll(QStringLiteral("FILE"));
    return all;
}

// The words that an option's value, or what stands after a verb, is one of; empty when it may be anything.
QStringList valuesOf(const Option &option)
{
    const auto isIt = [&option](const char *name) { return QLatin1String(option.names).contains(QLatin1String(name)); };
    if (isIt("--color"))
        return { QStringLiteral("auto"), QStringLiteral("always"), QStringLiteral("never") };
    if (isIt("--fail-on"))
        return { QStringLiteral("error"), QStringLiteral("warning"), QStringLiteral("never") };
    if (isIt("--via"))
        return { QStringLiteral("port-forward"), QStringLiteral("exec") };
    return {};
}

QStringList argumentsOf(const Verb &verb)
{
    const QLatin1String name(verb.name);
    if (name == QLatin1String("completion"))
        return { QStringLiteral("bash"), QStringLiteral("zsh"), QStringLiteral("fish") };
    if (name == QLatin1String("demo"))
        return { QStringLiteral("race") };
    return name == QLatin1String("help") ? verbNames() : QStringList();
}

QString bashCases(QStringList (*words)(const Verb &))
{
    QString cases;
    for (const Verb &verb : allVerbs()) {
        if (const QStringList all = words(verb); !all.isEmpty())
            cases += QStringLiteral("        %1) words='%2' ;;\n").arg(QLatin1String(verb.name), all.join(u' '));
    }
    return cases;
}

QString bashValues()
{
    QString cases;
    for (const Option &option : allOptions()) {
        if (const QStringList all = valuesOf(option); !all.isEmpty())
            cases += QStringLiteral("    %1) words='%2' ;;\n")
                         .arg(QString::fromLatin1(option.names).replace(u',', QLatin1String(" | ")), all.join(u' '));
    }
    return cases;
}

// What bash has and zsh has not (mapfile, for one) is not in it: zsh runs it, too. Where it finds no word, the shell
// completes file names itself.
constexpr char bashScript[] = R"(# bash completion for firstwatch: source <(firstwatch completion bash)
_firstwatch() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} verb=${COMP_WORDS[1]} words=
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W '%1' -- "$word"))
        return
    fi
    case $before in
    -o | --output)
        case $verb in
%2        esac
        ;;
%3    *)
        case $verb in
%4        esac
        if [[ $word == -* || ( -z $words && $before == -* ) ]]; then
            case $verb in
%5            esac
        fi
        ;;
    esac
    [ -z "$words" ] || COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _firstwatch firstwatch kubectl-firstwatch
)";

QString bash()
{
    return QString::fromLatin1(bashScript)
        .arg(verbNames().join(u' '), bashCases(forms), bashValues(), bashCases(argumentsOf), bashCases(optionNames));
}

// zsh understands bash's completion, so that there is one to keep right.
QString zsh()
{
    return QStringLiteral("#compdef firstwatch kubectl-firstwatch\n"
                          "# zsh completion for firstwatch: source <(firstwatch completion zsh)\n"
                          "autoload -Uz bashcompinit && bashcompinit\n")
        + bash();
}

QString quoted(const char *text)
{
    return u'\'' + QString::fromUtf8(text).replace(u'\'', QLatin1String("\\'")) + u'\'';
}

QString fishOption(const Verb &verb, const Option &option)
{
    QString line =
        QStringLiteral("complete -c firstwatch -n '__fish_seen_subcommand_from %1'").arg(QLatin1String(verb.name));
    for (const QString &name : QString::fromLatin1(option.names).split(u','))
        line += name.startsWith(QLatin1String("--")) ? QStringLiteral(" -l ") + name.mid(2)
                                                     : QStringLiteral(" -s ") + name.mid(1);
    if (option.argument != nullptr && !option.isOptional)
        line += QStringLiteral(" -r");
    const bool isForm = QLatin1String(option.names).contains(QLatin1String("--output"));
    if (const QStringList values = isForm ? forms(verb) : valuesOf(option); !values.isEmpty())
        line += QStringLiteral(" -f -a '%1'").arg(values.join(u' '));
    return line + QStringLiteral(" -d ") + quoted(option.help) + u'\n';
}

QString fish()
{
    QString script = QStringLiteral("# fish completion for firstwatch: firstwatch completion fish | source\n");
    for (const Verb &verb : allVerbs()) {
        script += QStringLiteral("complete -c firstwatch -f -n __fish_use_subcommand -a %1 -d %2\n")
                      .arg(QLatin1String(verb.name), quoted(verb.purpose));
        if (const QStringList all = argumentsOf(verb); !all.isEmpty())
            script += QStringLiteral("complete -c firstwatch -f -n '__fish_seen_subcommand_from %1' -a '%2'\n")
                          .arg(QLatin1String(verb.name), all.join(u' '));
        for (const Option &option : allOptions()) {
            if ((option.groups & verb.groups) != 0)
                script += fishOption(verb, option);
        }
    }
    return script;
}

} // namespace

int runCompletion(Call &call)
{
    const QString &shell = call.options.arguments.first();
    if (shell == QLatin1String("bash"))
        call.out.lines(bash());
    else if (shell == QLatin1String("zsh"))
        call.out.lines(zsh());
    else if (shell == QLatin1String("fish"))
        call.out.lines(fish());
    else {
        call.out.error(QStringLiteral("there is no completion for '%1': bash, zsh and fish").arg(shell));
        return exitcode::usage;
    }
    return exitcode::nothing;
}

} // namespace firstwatch::cli
