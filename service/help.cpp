// SPDX-License-Identifier: Apache-2.0
#include "service/help.h"

#include "service/options.h"

namespace firstwatch::service {
namespace {

constexpr qsizetype commandColumn = 11;
constexpr qsizetype helpColumn = 30;

QByteArray row(const QByteArray &left, const char *text, qsizetype column)
{
    QByteArray start = "  " + left;
    if (start.size() + 2 > column)
        start += '\n' + QByteArray(column, ' ');
    return start.leftJustified(column) + text + '\n';
}

QByteArray usage()
{
    QByteArrayList calls;
    for (const HelpRow &command : programHelp().commands)
        calls.append(command.call);
    return "Usage: firstwatchd [" + calls.join('|') + "] [options]\n\n";
}

QByteArray commandsHelp()
{
    QByteArray text;
    for (const HelpRow &command : programHelp().commands)
        text += row(QByteArray(command.call).split(' ').first(), command.text, commandColumn);
    return text;
}

QByteArray optionsHelp()
{
    QByteArray text;
    QByteArrayView group;
    for (const Option &option : allOptions()) {
        if (group != option.group)
            text += '\n' + QByteArray(option.group) + ":\n";
        group = option.group;
        text += row(option.flag + QByteArray(option.argument ? " " : "") + option.argument, option.help, helpColumn);
    }
    return text;
}

} // namespace

const ProgramHelp &programHelp()
{
    static const ProgramHelp help{
        "Installs a chained CNI plugin on this node: proves its watch on the CNI config\n"
        "directory, patches every config there, and patches again when another CNI\n"
        "rewrites one.\n",
        { { "run", "install, watch and patch until SIGTERM, then undo (the default)" },
            { "cleanup", "undo only: configs, then kubeconfig, then binaries" },
            { "config", "show the effective settings and where each comes from" },
            { "probe live|ready|started", "ask the running service, for the probes of a pod: exit code 0 or 1" },
            { "relay", "carry its stream over stdin and stdout: kubectl exec -i POD -- ..." } },
        { { "-h, --help", "this text" }, { "--version", "the version" } },
        "Each option is also a variable, whose name `firstwatchd config` shows. A flag\n"
        "goes before a variable; an empty variable counts as unset. A switch takes\n"
        "=false as well.\n",
        { "firstwatchd --network-config-file /etc/firstwatch/plugin.json",
            R"(firstwatchd --once --mount-prefix / --network-config '{"type":"my-plugin"}')",
            "firstwatchd cleanup --net-dir /etc/cni/net.d", "firstwatchd probe ready" },
        { { "0", "done, and all undone that had to be" },
            { "1", "something failed or was left behind, the log says what" },
            { "2", "wrong options or settings, nothing touched" },
            { "3", "--once: what it waited for did not come in time, nothing patched" } },
    };
    return help;
}

QByteArray helpText()
{
    const ProgramHelp &help = programHelp();
    QByteArray text = usage() + help.purpose + '\n' + commandsHelp() + optionsHelp() + '\n';
    for (const HelpRow &option : help.switches)
        text += row(option.call, option.text, helpColumn);
    text += QByteArray("\n") + help.notes + "\nExamples:\n";
    for (const char *example : help.examples)
        text += QByteArray("  ") + example + '\n';
    text += "\nExit codes:\n";
    for (const HelpRow &code : help.exitCodes)
        text += row(code.call, code.text, 5);
    return text;
}

} // namespace firstwatch::service
