// SPDX-License-Identifier: Apache-2.0
#include "journal/codetables.h"
#include "journal/findingcodes.h"

namespace firstwatch::journal {

QList<CodeEntry> watchCodes()
{
    return {
        { code::watchNotProven, Severity::Error, Effect::Degraded, "the watch could not be proven in time",
            "A changed config is found by polling, up to 2 s late; pods that start in between may miss the plugin.",
            "Polls the directory, runs its passes all the same, and tries to prove a watch again and again.",
            "See which file system it is: findmnt -T /etc/cni/net.d" },
        { code::inotifyInstances, Severity::Error, Effect::Degraded, "no inotify instance left",
            "A changed config is found by polling, up to 2 s late; pods that start in between may miss the plugin.",
            "Polls the directory and asks for an instance again with growing pauses; recovers without a restart.",
            "On the node: sysctl -w fs.inotify.max_user_instances=8192" },
        { code::inotifyWatches, Severity::Error, Effect::Degraded, "no inotify watch left",
            "A changed config is found by polling, up to 2 s late; pods that start in between may miss the plugin.",
            "Polls the directory and asks for a watch again with growing pauses; recovers without a restart.",
            "On the node: sysctl -w fs.inotify.max_user_watches=524288" },
        { code::queueOverflow, Severity::Warning, Effect::None, "the event queue overflowed",
            "None, unless a pod started in the milliseconds before the directory was looked at again.",
            "Looked at the whole directory at once, so nothing stays unpatched.",
            "Find who writes so much into the directory: inotifywatch -t 10 /etc/cni/net.d" },
        { code::directoryReplaced, Severity::Warning, Effect::Degraded, "the net dir was replaced or is gone",
            "Pods that start before the new directory is patched may miss the plugin; with no directory no pod starts.",
            "Watches the parent, and as soon as the directory is there: arms, proves, and runs a pass.",
            "Find who removed it: ls -ld /etc/cni/net.d; see what the CNI of the cluster logs" },
        { code::backendsDisagree, Severity::Warning, Effect::Degraded, "the second watch is late or silent",
            "None: the native watch decides, and it is proven.",
            "Goes on with the native watch alone and asks the second one again at each proof.",
            "See how many inotify instances are in use: ls -l /proc/*/fd 2>/dev/null | grep -c inotify" },
        { code::noEvents, Severity::Error, Effect::Degraded, "the file system gives no events",
            "A changed config is found by polling, up to 2 s late; pods that start in between may miss the plugin.",
            "Polls the directory, since this file system takes a watch and then stays silent.",
            "Put the net dir on a local file system: findmnt -T /etc/cni/net.d" },
        { code::staleMount, Severity::Error, Effect::Degraded, "the host replaced the net dir under our mount",
            "Configs that the host writes now are not seen from this pod: new pods may start without the plugin.",
            "Goes on with the old directory, which is all that it can reach, and says so.",
            "Restart the pod on that node: kubectl delete pod; to prevent it, mount the parent of the net dir" },
        { code::directoryMissing, Severity::Warning, Effect::Degraded, "the net dir does not exist yet",
            "No pod can start on this node before a CNI has created it.",
            "Watches the nearest parent that exists, and begins as soon as the directory appears.",
            "Usual on a fresh node; else compare with the runtime: containerd config dump | grep conf_dir" },
        { code::directoryUnreadable, Severity::Error, Effect::Degraded, "the net dir cannot be read",
            "A config that is new may not be seen: pods that start with it start without the plugin.",
            "Is not ready, asks again every 2 s, and runs a pass as soon as it can; recovers without a restart.",
            "See its mode, owner and label: ls -ldZ /etc/cni/net.d; see the disk's errors: dmesg | tail" },
    };
}

} // namespace firstwatch::journal
