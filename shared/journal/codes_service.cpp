// SPDX-License-Identifier: Apache-2.0
#include "journal/codetables.h"
#include "journal/findingcodes.h"

namespace firstwatch::journal {

QList<CodeEntry> serviceCodes()
{
    return {
        { code::tokenUnreadable, Severity::Error, Effect::Degraded, "the service account token is unreadable or empty",
            "The plugin goes on with the old token; once that has expired, pods fail to start.",
            "Keeps the old kubeconfig and writes a new one as soon as there is a token.",
            "See the volume of the pod: kubectl exec POD -- firstwatchd config; kubectl describe pod POD" },
        { code::tokenExpired, Severity::Error, Effect::Degraded, "the token has expired or was not refreshed in time",
            "The plugin is refused by the API server, now or soon: pods then fail to start.",
            "Keeps the old kubeconfig and writes a new one as soon as the kubelet renews the token.",
            "On the node: journalctl -u kubelet | grep -i token; restarting the pod mounts a new one" },
        { code::kubeconfigMode, Severity::Warning, Effect::None, "the kubeconfig may be read by others than root",
            "None. Whoever can read that file on the node can use the token in it.",
            "Uses the mode as set, and never widens it afterwards.",
            "Set KUBECONFIG_MODE=600, unless a plugin that does not run as root must read it" },
        { code::noServiceAccount, Severity::Warning, Effect::None, "no service account, so no kubeconfig is written",
            "A plugin that needs the API server fails, and pods with it; others work.",
            "Patches the configs all the same, and writes a kubeconfig when the directory appears.",
            "In a pod: automountServiceAccountToken: true; elsewhere: --service-account-dir DIR" },
        { code::noApiServer, Severity::Error, Effect::Degraded, "the address of the API server is missing or bad",
            "A plugin that needs the API server fails or goes on with an old kubeconfig.",
            "Writes no kubeconfig and keeps the one that is there.",
            "Set KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT; see: firstwatchd config" },
        { code::twoTemplates, Severity::Warning, Effect::None,
            "CNI_NETWORK_CONFIG and CNI_NETWORK_CONFIG_FILE are both set",
            "The plugin runs with what the file says; the other text has no effect.",
            "Uses the file if it exists, else the text.",
            "Unset one of the two; see which is used: firstwatchd config" },
        { code::lockHeld, Severity::Warning, Effect::Degraded, "another instance works on this net dir",
            "None: the other one patches, and this one takes over when it ends.",
            "Waits for the lock and shows who holds it; patches and un-patches nothing until then.",
            "Usual during a roll-out; else stop one: kubectl get pods -A -o wide | grep firstwatch" },
        { code::historyOff, Severity::Warning, Effect::Degraded, "no history is written",
            "None. After a restart nothing tells what happened before.",
            "Goes on without; the last 4 096 events stay in memory.",
            "Make --history-dir writable and see the room there: df -h /var/lib/firstwatch" },
        { code::runtimeDirectory, Severity::Warning, Effect::Degraded, "the runtime directory cannot be written",
            "None. Tools on the node cannot connect, and a second instance would not be noticed.",
            "Goes on without socket, lock and readiness file.",
            "Make --runtime-dir writable: ls -ld /run/firstwatch; in a pod: an emptyDir or a hostPath" },
        { code::badSetting, Severity::Error, Effect::None, "a setting cannot be used",
            "No config is patched by this instance: pods start without the plugin until it is set right.",
            "Ends with exit code 2, or goes on with the default where the text says so.",
            "See each value and where it came from: firstwatchd config" },
        { code::streamSocket, Severity::Warning, Effect::Degraded, "the stream's socket cannot be opened",
            "None. Tools on the node and `kubectl exec` cannot see what happens here; the log still tells it.",
            "Goes on without the socket until the next start.",
            "See what stands in its place: ls -la /run/firstwatch; or name another: --stream-socket FILE" },
        { code::streamPort, Severity::Warning, Effect::None, "the stream's port cannot be opened",
            "None. `kubectl port-forward` reaches nothing here; `kubectl exec POD -- firstwatchd relay` does.",
            "Goes on without the port until the next start.",
            "With hostNetwork: true a key is needed: --stream-key-file FILE; see: firstwatchd config" },
        { code::healthPort, Severity::Warning, Effect::Degraded, "the health port cannot be opened",
            "None at first. A kubelet that probes this port restarts the pod again and again.",
            "Goes on without the port and tries again every 5 s.",
            "See who has it: ss -ltnp; or set another: --health-port PORT, --health-address ADDRESS" },
    };
}

QList<CodeEntry> binaryCodes()
{
    return {
        { code::noBinaries, Severity::Warning, Effect::None, "no plugin binary to install",
            "If the binary is not on the node either, pods fail to start as soon as a config is patched.",
            "Installs nothing and uses what is in the bin dir.",
            "See CONTAINER_CNI_BIN_DIR, and what is on the node: ls -l /opt/cni/bin" },
        { code::binaryNotInstalled, Severity::Error, Effect::Degraded, "a plugin binary could not be installed",
            "Pods use the old binary; if there is none, they fail to start once a config is patched.",
            "Leaves the old one whole and tries again with growing pauses.",
            "See room and rights: df -h /opt/cni/bin; ls -ld /opt/cni/bin" },
        { code::binaryDeleted, Severity::Warning, Effect::None, "a plugin binary was deleted",
            "Pods that started in between failed, and were tried again by the kubelet.", "Puts it back at once.",
            "Find who empties the directory: often an upgrade of the node's CNI package" },
        { code::binaryReadOnly, Severity::Error, Effect::Degraded, "the bin dir is read-only and has another binary",
            "Pods run with a plugin of another version than this one brings.",
            "Leaves it, as it cannot be replaced, and goes on.",
            "Mount the bin dir writable, or install the binary with the node image" },
    };
}

} // namespace firstwatch::journal
