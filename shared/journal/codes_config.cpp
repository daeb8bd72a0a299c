// SPDX-License-Identifier: Apache-2.0
#include "conflist/findingcodes.h"
#include "journal/codetables.h"

namespace firstwatch::journal {
namespace {

namespace code = conflist::code;

// 2001 to 2014: what its text holds.
QList<CodeEntry> textCodes()
{
    return {
        { code::notParsed, Severity::Error, Effect::None, "a config does not parse",
            "No runtime loads it; containerd loads nothing at all when it comes first.",
            "Leaves it alone and reads it again on every change.",
            "Go to the line and column named: python3 -m json.tool FILE" },
        { code::emptyFile, Severity::Error, Effect::None, "a config is empty",
            "No runtime loads it; containerd loads nothing at all when it comes first.",
            "Leaves it alone and reads it again on every change.",
            "Restart its owner, so that it writes the file again; else move the file away" },
        { code::nulBytes, Severity::Error, Effect::None, "a config holds NUL bytes",
            "No runtime loads it: it was cut by a power loss or by a full disk.",
            "Leaves it alone and reads it again on every change.",
            "Restart its owner, so that it writes the file again; see the disk: dmesg | tail" },
        { code::ownRepeated, Severity::Warning, Effect::None, "the plugin is in the chain more than once",
            "It runs twice for each pod, which doubles its rules or fails.", "Keeps one and takes the others out.",
            "Find who adds it too: a second installer with the same plugin type" },
        { code::byteOrderMark, Severity::Error, Effect::None, "a config starts with a byte order mark",
            "No runtime loads it.", "Leaves it alone: a file that no runtime loads is not made to load.",
            "Take it out: sed -i '1s/^\\xEF\\xBB\\xBF//' FILE; of UTF-16: iconv -f UTF-16 -t UTF-8 FILE >NEW; mv NEW "
            "FILE" },
        { code::corruptibleNumber, Severity::Info, Effect::None, "a number that other tools would change",
            "None as long as its text stays; as a double it would lose digits.",
            "Keeps the number's text byte for byte.",
            "Nothing to do; do not send this file through jq or a script that rewrites it" },
        { code::duplicateKey, Severity::Warning, Effect::None, "a key stands twice in one object",
            "Runtimes use the last one, people read the first one.", "Keeps both, byte for byte.",
            "Take out the one that is not meant, at the line and column named" },
        { code::invalidUtf8, Severity::Warning, Effect::None, "a config holds bytes that are not UTF-8",
            "Runtimes read other characters in their place.", "Keeps the bytes as they are.",
            "Write the text in UTF-8: iconv -f latin1 -t utf-8 FILE" },
        { code::fileMode, Severity::Info, Effect::None, "a config may be read by more than its owner",
            "None. CIS benchmark 1.1.9 asks for mode 0600.", "Keeps the mode that its owner gave it.",
            "If nobody else needs it: chmod 600 FILE; better where its owner sets the mode" },
        { code::missingCniVersion, Severity::Warning, Effect::None, "a config names no cniVersion",
            "Runtimes take it for version 0.1.0, or 0.2.0, and many plugins refuse that.",
            "Patches it and adds no version of its own.",
            "Add the version its plugins speak, such as \"cniVersion\": \"1.0.0\"" },
        { code::missingName, Severity::Error, Effect::None, "a config names no network", "No runtime loads it.",
            "Leaves it alone: a file that no runtime loads is not made to load.", "Add a \"name\" to the list" },
        { code::unusableName, Severity::Error, Effect::None, "the network's name is not allowed",
            "The runtime refuses to start pods with it.",
            "Leaves it alone: a file that no runtime uses is not made to work.",
            "Use letters, digits, '.', '_' and '-', and start with a letter or a digit" },
        { code::rejectedField, Severity::Error, Effect::None, "a field has a type that runtimes reject",
            "No runtime loads the file.", "Leaves it alone: a file that no runtime loads is not made to load.",
            "Correct the field at the line and column named" },
    };
}

// 2015 to 2025: what it is, and whether it is one for us.
QList<CodeEntry> shapeCodes()
{
    return {
        { code::listInConf, Severity::Error, Effect::None, "a list of plugins in a file for a single one",
            "Runtimes refuse it, as .conf and .json hold one plugin.",
            "Leaves it alone: under a name that loads it would become active.",
            "If it is meant: mv FILE.conf FILE.conflist" },
        { code::singleInConflist, Severity::Error, Effect::None, "a single plugin in a file for a list",
            "Runtimes refuse it, as .conflist holds a list.",
            "Leaves it alone: under a name that loads it would become active.",
            "If it is meant: mv FILE.conflist FILE.conf" },
        { code::emptyList, Severity::Error, Effect::None, "the list of plugins is empty", "No runtime loads it.",
            "Leaves it alone: with our plugin alone it would load and give pods no network.",
            "Add the main plugin, or move the file away" },
        { code::pluginsNotAList, Severity::Error, Effect::None, "\"plugins\" is missing or is not a list",
            "No runtime loads it.", "Leaves it alone: a file that no runtime loads is not made to load.",
            "Write \"plugins\": [ … ] with one object for each plugin" },
        { code::dropInOnly, Severity::Warning, Effect::None, "the plugins come from a drop-in directory alone",
            "Only runtimes with CNI 1.1 or newer load it; the others see an empty list.", "Leaves it alone.",
            "Put the plugins into the list, or add the plugin to the drop-in directory by hand" },
        { code::typeAndPlugins, Severity::Warning, Effect::None, "both \"type\" and \"plugins\" at the top",
            "What a runtime takes it for depends on the file's name.", "Takes it for what its name says.",
            "Take out the one that is not meant" },
        { code::loopbackOnly, Severity::Info, Effect::None, "a config for the loopback device alone",
            "None: runtimes set up loopback beside the pod's network.", "Leaves it alone.", "Nothing to do" },
        { code::onlyOurs, Severity::Error, Effect::None, "only our own plugin is in the chain",
            "Pods that start with it get no network.",
            "Leaves it alone: taken out, an empty list would stay behind that no runtime loads.",
            "Restart the owner of the file, so that it writes it again" },
        { code::oursInDelegate, Severity::Warning, Effect::None, "the plugin stands inside another plugin's delegate",
            "It may run twice for each pod: once there and once in the chain.",
            "Looks at the chain alone and leaves the delegate as it is.",
            "Take it out of the delegate, where the meta-plugin is configured" },
        { code::fileTooLarge, Severity::Warning, Effect::None, "a config is larger than 1 MiB",
            "Pods that start with it start without the plugin.", "Leaves it alone; a real config is a few KiB.",
            "Look at it: head -c 300 FILE; move it away if it is not a config" },
        { code::tooManyParts, Severity::Warning, Effect::None, "a config is nested too deeply or has too many parts",
            "Pods that start with it start without the plugin, if a runtime loads it.",
            "Leaves it alone; no real config comes near the limit.",
            "Look at it: head -c 300 FILE; move it away if it is not a config" },
    };
}

// 2026 to 2031: why it cannot be patched, or is patched by a list.
QList<CodeEntry> patchingCodes()
{
    return {
        { code::conversionBlocked, Severity::Error, Effect::None,
            "a .conf cannot become a .conflist, as that name is taken",
            "Pods that start with the .conf start without the plugin.",
            "Leaves both files alone and overwrites nothing.",
            "Compare the two and move one away: diff FILE.conf FILE.conflist" },
        { code::conversionReferenced, Severity::Warning, Effect::None,
            "a .conf that another config refers to by its name",
            "If it were renamed, the one that refers to it would fail, and pods with it.", "Leaves it alone.",
            "Make its owner write a .conflist, and let the other config refer to that" },
        { code::versionRaised, Severity::Warning, Effect::None, "cniVersion raised for the list",
            "Lists need 0.3.0 or newer; a plugin that speaks only older versions would refuse it.",
            "Wrote 0.3.0 into the new list and kept the original aside.",
            "Set the version that its plugin speaks, where its owner writes it" },
        { code::conversionReorders, Severity::Error, Effect::None, "as a .conflist it would sort elsewhere",
            "If it were renamed, the runtime would use another network than before.",
            "Leaves it alone: pods that start with it start without the plugin.",
            "Rename it so that it sorts first under both names: 10-NAME.conf" },
        { code::patchWouldNotLoad, Severity::Error, Effect::None, "with the plugin in it, the config would not load",
            "Pods that start with it start without the plugin, and keep starting.",
            "Leaves it alone: a chain without the plugin is better than none.",
            "Compare the template with the file; each setting: firstwatchd config" },
        { code::patchChangesMore, Severity::Error, Effect::None, "the patch would change more than the plugin",
            "Pods that start with it start without the plugin, and keep starting.",
            "Leaves it alone: what others wrote stays byte for byte.",
            "Report the file, it is a fault of Firstwatch, with the template: firstwatchd config" },
    };
}

// 2032 to 2038: what only a look at files without a node says, as a node corrects it or leaves it to the runtime.
QList<CodeEntry> lintCodes()
{
    return {
        { code::ownNotLast, Severity::Warning, Effect::None, "the plugin is in the chain, but not last",
            "What comes after it may change what it has set up, so traffic may pass it by.",
            "Moves it to the end, unless it was told to keep the place.",
            "See the chain as it would become: firstwatch preview FILE" },
        { code::ownDrifted, Severity::Warning, Effect::None, "the plugin in the chain differs from its template",
            "Pods that start with it run with other settings than the template's.",
            "Writes the template's element in its place.",
            "See what differs: firstwatch preview FILE --plugin TEMPLATE" },
        { code::confShadowsList, Severity::Warning, Effect::None, "a .conf hides the .conflist of the same name",
            "Runtimes read the .conf first, so the list, and every plugin that it chains, is not used.",
            "Leaves both as they are and does not turn the .conf into a list.",
            "Compare the two and move one away: diff FILE.conf FILE.conflist" },
        { code::unknownCniVersion, Severity::Error, Effect::None, "a cniVersion that was never released",
            "Runtimes load the file, but plugins refuse the version, and pods fail to start.",
            "Patches it and leaves the version as it is.",
            "Use a version that each of its plugins speaks, such as \"cniVersion\": \"1.0.0\"" },
        { code::networkTwice, Severity::Warning, Effect::None, "two files name the same network",
            "A runtime uses the first; what asks for a network by its name may get the other.", "Patches both.",
            "Move the one that is not meant out of the directory, or give its network another name" },
        { code::clearSecret, Severity::Warning, Effect::None, "a config holds a secret in clear text",
            "None. Who can read the file or a copy of it, such as a bundle for support, has the secret.",
            "Keeps it, and cuts it out of all that it shows or records.",
            "Keep it in a file of its own that the config names, chmod 600; then replace the secret" },
        { code::binaryMissing, Severity::Error, Effect::None, "the binary of a plugin is not there",
            "Pods that start with this config fail.", "Patches the config; it installs its own plugin only.",
            "Install it into the bin dir, or take it out of the config: ls -l /opt/cni/bin" },
    };
}

} // namespace

QList<CodeEntry> configCodes()
{
    return textCodes() + shapeCodes() + patchingCodes() + lintCodes();
}

} // namespace firstwatch::journal
