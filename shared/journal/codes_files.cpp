// SPDX-License-Identifier: Apache-2.0
#include "journal/codetables.h"
#include "journal/findingcodes.h"

namespace firstwatch::journal {

QList<CodeEntry> fileCodes()
{
    return {
        { code::drift, Severity::Error, Effect::None, "a config lacks the plugin",
            "Pods that start with this config start without the plugin.",
            "Tries to patch it at each event and at each pass; what stops it is a finding of its own.",
            "Look for a FW12xx finding about the same file: firstwatch findings" },
        { code::contested, Severity::Error, Effect::None, "another writer rewrites a config again and again",
            "Some pods start with the plugin and some without, depending on the moment.",
            "Answers with growing pauses, at most once a minute, and never gives up.",
            "Find the other writer: a second installer, or an owner that does not allow chained plugins" },
        { code::incomplete, Severity::Warning, Effect::Degraded, "a config has been incomplete for 5 s",
            "The runtime cannot load it: with no other config, no pod starts on this node.",
            "Leaves it alone, reads it again on every change, and patches it as soon as it parses.",
            "Look at it: python3 -m json.tool FILE; restart its owner if that died while writing" },
        { code::symlinkOutside, Severity::Warning, Effect::None, "a symbolic link leaves the net dir or dangles",
            "If the runtime can follow it, pods that use it start without the plugin.",
            "Leaves link and target alone: only files inside the net dir are written.",
            "Replace it by a file: cp --remove-destination \"$(readlink -f FILE)\" FILE" },
        { code::notRegular, Severity::Warning, Effect::None, "a config name that is no regular file",
            "Runtimes cannot load it either; a FIFO makes them wait for ever.",
            "Leaves it alone and never opens it for reading.", "See what it is and remove it: ls -l FILE" },
        { code::tooLarge, Severity::Warning, Effect::None, "a config is larger than 1 MiB",
            "Pods that start with this config start without the plugin.",
            "Leaves it alone; a real config is a few KiB.",
            "Look at it: head -c 300 FILE; move it away if it is not a config" },
        { code::unreadable, Severity::Error, Effect::Degraded, "a config cannot be read",
            "If the runtime can read it, pods that start with it may start without the plugin.",
            "Tries again with growing pauses; the other files are not affected.",
            "See its mode, owner and label: ls -lZ FILE; see the disk's errors: dmesg | tail" },
        { code::missedByWatch, Severity::Warning, Effect::None, "a periodic pass found what the watch had missed",
            "Pods that started between the change and the pass, up to 30 s, may miss the plugin.",
            "Patched it; proves the watch again, and goes on with a pass every 30 s.",
            "Report it with the history of the node: this should not happen on a local file system" },
        { code::displaced, Severity::Warning, Effect::None, "an exclusive owner withdrew a config",
            "Pods use the owner's own config from now on; that one is patched like any other.",
            "Does not put the withdrawn file back, and patches what the owner writes.",
            "With Cilium: set cni.exclusive=false, so that it leaves the other configs alone" },
    };
}

QList<CodeEntry> writeCodes()
{
    return {
        { code::readOnly, Severity::Error, Effect::None, "the net dir is read-only",
            "Configs stay without the plugin, and so do the pods that start with them.",
            "Tries again with growing pauses, and at once when the mount changes.",
            "Mount it writable: the hostPath volume without readOnly; see findmnt -T /etc/cni/net.d" },
        { code::noSpace, Severity::Error, Effect::None, "no space or no quota left",
            "The config stays whole as it was, without the plugin, and so do the pods that start with it.",
            "Wrote nothing over the old file; tries again with growing pauses.",
            "Make room on the node: df -h /etc/cni/net.d; df -i /etc/cni/net.d" },
        { code::renameFailed, Severity::Error, Effect::None, "the new config could not be put in place",
            "The config stays whole as it was, without the plugin, and so do the pods that start with it.",
            "Removed its temporary file; tries again with growing pauses.",
            "See whether the file is immutable or mounted over: lsattr FILE; findmnt FILE" },
        { code::foreignLeftover, Severity::Info, Effect::None, "a temporary file that is not ours to remove",
            "None: no runtime loads a file of that name.",
            "Leaves it, as it has another owner or another process has it open.",
            "If no installer runs any more: rm NETDIR/.*.firstwatch-*" },
        { code::permissionDenied, Severity::Error, Effect::None, "writing is not permitted",
            "Configs stay without the plugin, and so do the pods that start with them.",
            "Tries again with growing pauses; the old file is untouched.",
            "Run as root; with SELinux see: ausearch -m avc -ts recent, and the label: ls -dZ /etc/cni/net.d" },
        { code::attributesLost, Severity::Warning, Effect::None, "attributes of a config could not be kept",
            "None in most cases; with SELinux the runtime may be refused a file with another label.",
            "Patched the file with the mode and owner it had, and without those attributes.",
            "Restore the label: restorecon -v FILE; list the others: getfattr -d -m - FILE" },
        { code::ioError, Severity::Error, Effect::None, "the disk reported an error",
            "The config stays as it was; the node may soon not start any pod.",
            "Tries again with growing pauses; the other files are not affected.",
            "See the disk's errors: dmesg | tail -50; drain the node: kubectl drain NODE" },
    };
}

} // namespace firstwatch::journal
