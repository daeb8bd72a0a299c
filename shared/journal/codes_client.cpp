// SPDX-License-Identifier: Apache-2.0
#include "journal/codetables.h"
#include "journal/findingcodes.h"

namespace firstwatch::journal {

QList<CodeEntry> clientCodes()
{
    return {
        { code::noKubectl, Severity::Error, Effect::None, "kubectl was not found",
            "None: the nodes go on as they are; they are only not seen from here.",
            "Works without it on files, captures and the socket of this machine.",
            "Install kubectl, or say where it is: --kubectl PATH" },
        { code::noKubeconfig, Severity::Error, Effect::None, "no cluster is configured here",
            "None: the nodes go on as they are; they are only not seen from here.",
            "Works without a cluster on files, captures and the socket of this machine.",
            "Set KUBECONFIG, or choose: kubectl config get-contexts, then --context NAME" },
        { code::noPods, Severity::Warning, Effect::None, "no Firstwatch pod was found",
            "Without Firstwatch nothing keeps the plugin in the configs of these nodes.",
            "Looks in one namespace only, the one that was given.",
            "See where it runs: kubectl get pods -A -l app.kubernetes.io/name=firstwatch" },
        { code::unreachable, Severity::Error, Effect::None, "the node's service could not be reached",
            "Unknown: this says nothing about the node, only about the way to it.",
            "Tries again with growing pauses while it follows; keeps what was known, with its age.",
            "Is it running? On the node: firstwatchd probe live; else: kubectl get pods -A -o wide | grep firstwatch" },
        { code::incompatible, Severity::Error, Effect::None, "the node's service speaks another protocol",
            "None: the node works; this program cannot read what it says.",
            "Does not try again, and names both versions.", "Update the older of the two: firstwatch version" },
        { code::badCapture, Severity::Error, Effect::None, "a capture or history file could not be read", "None.",
            "Shows what could be read of it, and counts the lines that could not.",
            "Take it anew: firstwatch bundle -o NODE.fwz" },
        { code::keyRefused, Severity::Error, Effect::None, "the key of the node's stream is missing or wrong",
            "None: the node works; it tells this program nothing.",
            "Does not try again: guessing is what the key is against.",
            "Give the file with the key of the node's secret: --key-file FILE" },
        { code::captureNotWritten, Severity::Error, Effect::None, "a capture could not be written", "None.",
            "Leaves nothing half-written behind, and never replaces a file.",
            "Give a name that is free, in a folder with room: firstwatch bundle -o /tmp/NODE.fwz" },
        { code::forbidden, Severity::Error, Effect::None, "the cluster does not allow it to you",
            "None: the nodes go on as they are; they are only not seen from here.",
            "Asks for nothing more than to list pods and to forward a port.",
            "Ask for the right, or take another way (--via exec): kubectl auth can-i create pods/portforward -n "
            "firstwatch" },
        { code::kubectlFailed, Severity::Error, Effect::None, "kubectl failed",
            "Unknown: this says nothing about the nodes, only about the way to them.",
            "Shows kubectl's own words, and tries again with growing pauses while it follows.",
            "Try by hand: kubectl get pods -l app.kubernetes.io/name=firstwatch" },
        { code::credentialPlugin, Severity::Error, Effect::None, "kubectl's credential plugin was not found",
            "None: the nodes go on as they are; they are only not seen from here.", "Shows kubectl's own words.",
            "Give its full path in the kubeconfig, or start from a shell whose PATH has it" },
        { code::requestRefused, Severity::Warning, Effect::None, "the node's service refused a request",
            "None: the node works; one question has no answer.", "Shows the service's own words.",
            "Compare the versions, an older service lacks newer answers: firstwatch version, firstwatch status -o "
            "wide" },
        { code::startedAnew, Severity::Info, Effect::None, "the node's service has just been started",
            "None by itself; findings of the new run say more.",
            "Takes a new look at the node, and goes on from there.",
            "See why, where it is not meant: kubectl get pods -A -o wide | grep firstwatch" },
    };
}

} // namespace firstwatch::journal
