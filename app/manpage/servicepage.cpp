// SPDX-License-Identifier: Apache-2.0
#include "app/manpage/pages.h"

#include "app/manpage/roff.h"
#include "service/help.h"
#include "service/options.h"

namespace firstwatch::manpage {
namespace {

using service::allOptions;
using service::HelpRow;
using service::Option;
using service::Settings;

void addCommands(Page &page)
{
    page.section("COMMANDS");
    for (const HelpRow &command : service::programHelp().commands)
        page.entry(typed(QString::fromLatin1(command.call)), sentence(QString::fromUtf8(command.text)));
}

QString termOf(const Option &option)
{
    QString call = QString::fromLatin1(option.flag);
    if (option.argument != nullptr)
        call += u' ' + QString::fromLatin1(option.argument);
    return typed(call);
}

// What it does, its variable, and what holds without it.
QString meaningOf(const Option &option)
{
    QString meaning = sentence(QString::fromUtf8(option.help)) + QLatin1String("\nVariable ")
        + bold(QString::fromLatin1(option.variable));
    const QString usual = option.shown(Settings{});
    if (option.argument != nullptr && !usual.isEmpty())
        meaning += QLatin1String("; without it ") + bold(usual);
    return meaning + u'.';
}

void addOptions(Page &page)
{
    page.section("OPTIONS");
    page.paragraph(plain(service::programHelp().notes));
    QByteArrayView group;
    for (const Option &option : allOptions()) {
        if (group != option.group)
            page.subsection(QString::fromLatin1(option.group));
        group = option.group;
        page.entry(termOf(option), meaningOf(option));
    }
    page.subsection(QStringLiteral("About the program"));
    for (const HelpRow &row : service::programHelp().switches)
        page.entry(typed(QString::fromLatin1(row.call)), sentence(QString::fromUtf8(row.text)));
}

void addFiles(Page &page)
{
    const Settings usual;
    const auto entry = [&page](const QByteArray &path, const char *meaning) {
        page.entry(bold(QString::fromUtf8(path)), plain(meaning));
    };
    page.section("FILES");
    entry(usual.netDir, "The configs that are patched, and beside them the kubeconfig of the plugin.");
    entry(usual.binDir, "Where the plugin's binary goes.");
    entry(usual.streamSocketPath(), "The stream: what happens here, for firstwatch(1). For root only.");
    entry(usual.readyPath(), "There while the watch is proven and every config is as it has to be.");
    entry(usual.historyDir, "The history of the last runs, in files that are rotated.");
}

void addSignals(Page &page)
{
    page.section("SIGNALS");
    page.entry(bold(QStringLiteral("SIGTERM")) + QLatin1String(", ") + bold(QStringLiteral("SIGINT")),
        plain(
            "Undoes what it did, configs first, and ends. With --keep-on-exit, or when another one waits to take over, "
            "nothing is undone."));
}

} // namespace

QString servicePage()
{
    const service::ProgramHelp &help = service::programHelp();
    Page page(QStringLiteral("firstwatchd"), 8, plain("keeps a chained CNI plugin in the configs of a node"));
    page.section("SYNOPSIS");
    for (const HelpRow &command : help.commands) {
        const QString call = typed(QString::fromLatin1(command.call));
        const bool isUsual = &command == &help.commands.first();
        page.paragraph(bold(QStringLiteral("firstwatchd")) + (isUsual ? QStringLiteral(" [") : QStringLiteral(" "))
            + call + (isUsual ? QStringLiteral("]") : QString()) + QLatin1String(" [\\fIoptions\\fR]"));
    }
    page.section("DESCRIPTION");
    page.paragraph(plain(help.purpose));
    page.paragraph(plain("What happens is said on the standard error, kept in a small history, and told to whoever may "
                         "connect to its stream; ")
        + bold(QStringLiteral("firstwatch"))
        + plain("(1) shows all three. What is wrong has a code: firstwatch explain "
                "FW1002 says what it means and what can be done."));
    addCommands(page);
    addOptions(page);
    page.section("EXIT STATUS");
    for (const HelpRow &code : help.exitCodes)
        page.entry(bold(QString::fromLatin1(code.call)), sentence(QString::fromUtf8(code.text)));
    addFiles(page);
    addSignals(page);
    page.section("EXAMPLES");
    for (const char *example : help.examples)
        page.example({ QString::fromLatin1(example) });
    page.seeAlso(
        { QStringLiteral("firstwatch(1)"), QStringLiteral("firstwatch-protocol(7)"), QStringLiteral("inotify(7)") });
    return page.text();
}

} // namespace firstwatch::manpage
