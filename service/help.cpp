// SPDX-License-Identifier: Apache-2.0
#include "service/help.h"

#include "service/options.h"

namespace firstwatch::service {
namespace {

constexpr QByteArrayView helpHead = R"(Usage: firstwatchd [run|cleanup|config|probe live|ready|started|relay] [options]

Installs a chained CNI plugin on this node: proves its watch on the CNI config
directory, patches every config there, and patches again when another CNI
rewrites one.

  run      install, watch and patch until SIGTERM, then undo (the default)
  cleanup  undo only: configs, then kubeconfig, then binaries
  config   show the effective settings and where each comes from
  probe    ask the running service, for the probes of a pod: exit code 0 or 1
  relay    carry its stream over stdin and stdout: kubectl exec -i POD -- ...
)";

constexpr QByteArrayView helpTail = R"(
  -h, --help                  this text
  --version                   the version

Each option is also a variable, whose name `firstwatchd config` shows. A flag
goes before a variable; an empty variable counts as unset. A switch takes
=false as well.

Examples:
  firstwatchd --network-config-file /etc/firstwatch/plugin.json
  firstwatchd --once --mount-prefix / --network-config '{"type":"my-plugin"}'
  firstwatchd cleanup --net-dir /etc/cni/net.d
  firstwatchd probe ready

Exit codes: 0 done, and all undone that had to be; 1 something failed or was
left behind, the log says what; 2 wrong options or settings, nothing touched.
)";

constexpr qsizetype helpColumn = 30;

QByteArray optionHelp(const Option &option)
{
    QByteArray left = "  " + QByteArray(option.flag);
    if (option.argument)
        left += ' ' + QByteArray(option.argument);
    if (left.size() + 2 > helpColumn)
        left += '\n' + QByteArray(helpColumn, ' ');
    return left.leftJustified(helpColumn) + option.help + '\n';
}

} // namespace

QByteArray helpText()
{
    QByteArray text = helpHead.toByteArray();
    QByteArrayView group;
    for (const Option &option : allOptions()) {
        if (group != option.group)
            text += '\n' + QByteArray(option.group) + ":\n";
        group = option.group;
        text += optionHelp(option);
    }
    return text + helpTail;
}

} // namespace firstwatch::service
