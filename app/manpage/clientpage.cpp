// SPDX-License-Identifier: Apache-2.0
#include "app/manpage/pages.h"

#include "app/firstwatch/help.h"
#include "app/firstwatch/settings.h"
#include "app/manpage/roff.h"

namespace firstwatch::manpage {
namespace {

using cli::allOptions;
using cli::allVerbs;
using cli::Option;
using cli::Verb;

QString formsOf(const Verb &verb)
{
    QStringList forms;
    for (const char *form : verb.forms)
        forms += bold(QString::fromLatin1(form));
    return forms.join(QStringLiteral(", "));
}

void addVerb(Page &page, const Verb &verb)
{
    const QString call = QStringLiteral("%1 %2").arg(QLatin1String(verb.name), QString::fromUtf8(verb.arguments));
    QString meaning = sentence(QString::fromUtf8(verb.purpose));
    if (verb.forms.size() > 1)
        meaning += QLatin1String("\nForms of its output: ") + formsOf(verb) + u'.';
    page.entry(typed(call.trimmed()), meaning);
}

// The verbs that take options of these groups.
QString takersOf(unsigned groups)
{
    QStringList takers;
    for (const Verb &verb : allVerbs()) {
        if ((verb.groups & groups) != 0)
            takers += QLatin1String(verb.name);
    }
    return takers.size() == allVerbs().size() ? QStringLiteral("every verb") : takers.join(QStringLiteral(", "));
}

// Empty: they have none but the names of the verbs.
QString titleOf(unsigned groups)
{
    if ((groups & cli::General) != 0)
        return QStringLiteral("General");
    if ((groups & cli::FromNodes) != 0)
        return QStringLiteral("Which nodes, and how they are reached");
    if ((groups & cli::OfRun) != 0)
        return QStringLiteral("Which run of the service");
    if ((groups & (cli::Filtering | cli::OfEvents)) != 0)
        return (groups & cli::Filtering) != 0 ? QStringLiteral("How much of what happened")
                                              : QStringLiteral("Which events");
    if ((groups & cli::Judging) != 0)
        return QStringLiteral("What the exit status is about");
    return {};
}

void addOption(Page &page, const Option &option)
{
    QString call = QString::fromLatin1(option.names).replace(u',', QLatin1String(", "));
    if (option.argument != nullptr)
        call += (option.isOptional ? QString() : QStringLiteral(" ")) + QString::fromLatin1(option.argument);
    page.entry(typed(call), sentence(QString::fromUtf8(option.help)));
}

// Options that the same verbs take are together, below what they have in common.
void addOptions(Page &page)
{
    page.section("OPTIONS");
    QList<unsigned> done;
    QStringList titles;
    for (const Option &first : allOptions()) {
        if (done.contains(first.groups))
            continue;
        done.append(first.groups);
        const QString title = titleOf(first.groups);
        const bool isTitled = !title.isEmpty() && !titles.contains(title);
        titles.append(title);
        page.subsection(isTitled ? title : QStringLiteral("Of ") + takersOf(first.groups));
        if (isTitled)
            page.paragraph(QLatin1String("Of ") + plain(takersOf(first.groups)) + u'.');
        for (const Option &option : allOptions()) {
            if (option.groups == first.groups)
                addOption(page, option);
        }
    }
}

void addEnvironment(Page &page)
{
    page.section("ENVIRONMENT");
    const auto entry = [&page](const char *names, const char *meaning) {
        page.entry(
            typed(QString::fromLatin1(names)).replace(QLatin1String("\\fI"), QLatin1String("\\fB")), plain(meaning));
    };
    entry("FIRSTWATCH_CONTEXT, FIRSTWATCH_NAMESPACE",
        "The cluster and the namespace, where --context and --namespace are missing.");
    entry("XDG_CONFIG_HOME, HOME", "Where the file of settings is; see FILES. Without both there is none.");
    entry("KUBECONFIG", "As kubectl(1) takes it, which is what reaches the nodes of a cluster.");
    entry("NO_COLOR, CLICOLOR_FORCE", "No colour, and colour where no terminal is; --color goes before both.");
    entry("COLUMNS, LC_ALL", "How wide the screen is, and whether it has more than ASCII.");
}

void addFiles(Page &page)
{
    QStringList names;
    for (const cli::Setting &setting : cli::allSettings())
        names += bold(QString::fromLatin1(setting.name));
    page.section("FILES");
    page.entry(typed(QStringLiteral("$XDG_CONFIG_HOME/firstwatch/config.json")),
        plain("What need not be typed each time: one JSON object of strings. The members have the names of options: ")
            + names.join(QStringLiteral(", ")) + u'.'
            + plain(" An option goes before a variable, a variable before the file. Without XDG_CONFIG_HOME it is "
                    "looked for in ~/.config. In a file that is wrong nothing counts: verbs that reach nodes then end "
                    "with 2 and say the line and the column, the others say so and go on. firstwatch doctor shows "
                    "each value with its origin."));
    page.example({ QStringLiteral("{\"context\": \"prod-eu\", \"via\": \"exec\", \"timeout\": \"1m\"}") });
}

void addExamples(Page &page)
{
    page.section("EXAMPLES");
    for (const Verb &verb : allVerbs()) {
        page.paragraph(sentence(QString::fromUtf8(verb.purpose)));
        QStringList lines;
        for (const char *example : verb.examples)
            lines += QLatin1String("firstwatch ") + QString::fromUtf8(example);
        page.example(lines);
    }
}

} // namespace

QString clientPage()
{
    const cli::ProgramHelp &help = cli::programHelp();
    Page page(QStringLiteral("firstwatch"), 1, plain("shows what Firstwatch does on the nodes of a cluster"));
    page.section("SYNOPSIS");
    page.paragraph(typed(QStringLiteral("firstwatch VERB")) + QLatin1String(" [\\fIoptions\\fR]"));
    page.paragraph(typed(QStringLiteral("kubectl firstwatch VERB")) + QLatin1String(" [\\fIoptions\\fR]"));
    page.section("DESCRIPTION");
    page.paragraph(plain(help.purpose));
    page.paragraph(plain(help.withoutSource) + plain("As a plugin of kubectl(1): all nodes of the current context."));
    page.paragraph(
        plain("What is asked for goes to the standard output, and nothing else does. The exit status is the same "
              "for every form of output."));
    page.section("VERBS");
    for (const Verb &verb : allVerbs())
        addVerb(page, verb);
    addOptions(page);
    page.section("EXIT STATUS");
    for (const cli::ProgramHelp::ExitCode &each : help.exitCodes)
        page.entry(bold(QString::number(each.code)), sentence(QString::fromUtf8(each.meaning)));
    addEnvironment(page);
    addFiles(page);
    addExamples(page);
    page.seeAlso(
        { QStringLiteral("firstwatchd(8)"), QStringLiteral("firstwatch-protocol(7)"), QStringLiteral("kubectl(1)") });
    return page.text();
}

} // namespace firstwatch::manpage
