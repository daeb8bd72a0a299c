#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""policy.py KUSTOMIZE_FOLDER: what the manifests may and must say. Prints one line a broken rule."""
import json
import pathlib
import re
import shutil
import subprocess
import sys

try:
    import yaml
except ImportError:
    print("skipped: python3-yaml is not installed (scripts/setup test installs it)")
    sys.exit(77)

PROGRAM = "/usr/local/bin/firstwatchd"
ACCOUNT_DIR = "/var/run/secrets/kubernetes.io/serviceaccount"
# Pod Security level "restricted" allows these kinds; hostPath is the one deviation.
HARMLESS_VOLUMES = {"emptyDir", "projected", "configMap", "secret"}
NODE_FOLDERS = {"/etc/cni": "/host/etc/cni", "/opt/cni/bin": "/host/opt/cni/bin"}
# linkerd's documentation of linkerd-cni.
PLUGIN_RIGHTS = [{"apiGroups": [""], "resources": ["namespaces", "nodes", "pods", "services"], "verbs": ["get", "list", "watch"]}]
TEMPLATE_KEYS = {"name", "type", "log_level", "kubernetes", "linkerd"}
LINKERD_KEYS = {
    "incoming-proxy-port", "outgoing-proxy-port", "proxy-uid", "ports-to-redirect", "inbound-ports-to-ignore",
    "simulate", "use-wait-flag", "iptables-mode", "ipv6",
}


def load(folder):
    """The rendered documents where kubectl is there, else the files that the kustomization lists."""
    if shutil.which("kubectl"):
        text = subprocess.run(["kubectl", "kustomize", folder], check=True, capture_output=True, text=True).stdout
        return list(yaml.safe_load_all(text))
    base = pathlib.Path(folder)
    kustomization = yaml.safe_load((base / "kustomization.yaml").read_text())
    if "bases" in kustomization:
        print("skipped: only kubectl can render an overlay, and it is not installed")
        sys.exit(77)
    names = kustomization["resources"]
    return [document for name in names for document in yaml.safe_load_all((base / name).read_text())]


def of_kind(documents, kind):
    """The one document of that kind."""
    (found,) = [document for document in documents if document["kind"] == kind]
    return found


class Node:
    """The parts of the manifests that rules speak of."""

    def __init__(self, documents):
        self.documents = documents
        self.set = of_kind(documents, "DaemonSet")["spec"]
        self.pod = self.set["template"]["spec"]
        self.service = next(c for c in self.pod["containers"] if c["name"] == "firstwatchd")
        self.all_containers = self.pod["containers"] + self.pod.get("initContainers", [])
        self.environment = {e["name"]: e.get("value", e.get("valueFrom")) for e in self.service["env"]}
        self.config = of_kind(documents, "ConfigMap")
        self.template = json.loads(self.config["data"]["cni_network_config"])

    def every(self, rule):
        return all(rule(container, container.get("securityContext", {})) for container in self.all_containers)

    def mounts(self, container):
        return {mount["name"]: mount for mount in container.get("volumeMounts", [])}

    def host_paths(self):
        return {v["name"]: v["hostPath"]["path"] for v in self.pod["volumes"] if "hostPath" in v}

    def probe(self, name):
        return self.service.get(name, {}).get("exec", {}).get("command")

    def from_config(self, variable):
        reference = self.environment.get(variable, {}).get("configMapKeyRef", {})
        return reference.get("name") == self.config["metadata"]["name"] and reference.get("key") in self.config["data"]


def node_folders_only(node):
    paths = node.host_paths()
    mounted = node.mounts(node.service)
    places = {path: mounted[name]["mountPath"] for name, path in paths.items() if name in mounted}
    return len(paths) == len(NODE_FOLDERS) and places == NODE_FOLDERS


def node_folders_in_service_only(node):
    names = set(node.host_paths())
    return all(not names & set(node.mounts(c)) for c in node.all_containers if c is not node.service)


def token_in_service_only(node):
    holders = [c["name"] for c in node.all_containers for m in c.get("volumeMounts", []) if m["mountPath"] == ACCOUNT_DIR]
    return holders == ["firstwatchd"] and node.pod.get("automountServiceAccountToken") is False


def rights(node):
    rules = of_kind(node.documents, "ClusterRole")["rules"]
    return [{key: sorted(value) for key, value in rule.items()} for rule in rules]


def bound_account(node):
    binding = of_kind(node.documents, "ClusterRoleBinding")
    account = of_kind(node.documents, "ServiceAccount")["metadata"]["name"]
    return [s["name"] for s in binding["subjects"]] == [account] and node.pod.get("serviceAccountName") == account


def keeps_and_can_come_back(node):
    return node.environment.get("FIRSTWATCH_KEEP_ON_EXIT") != "true" or node.pod.get("hostNetwork") is True


def writable_folders_are_volumes(node):
    mounts = node.mounts(node.service).values()
    writable = {mount["mountPath"] for mount in mounts if not mount.get("readOnly")}
    return {"/run/firstwatch", "/var/lib/firstwatch"} <= writable


def no_shell(node):
    return not re.search(r'"(/bin/)?(ba)?sh"', json.dumps(node.service))


# Each rule: what it says, and whether it holds.
RULES = [
    ("no container is privileged", lambda n: n.every(lambda c, s: s.get("privileged") is False)),
    ("no container may gain privileges", lambda n: n.every(lambda c, s: s.get("allowPrivilegeEscalation") is False)),
    ("every capability is dropped and none added",
     lambda n: n.every(lambda c, s: s.get("capabilities") == {"drop": ["ALL"]})),
    ("every root file system is read-only", lambda n: n.every(lambda c, s: s.get("readOnlyRootFilesystem") is True)),
    ("only the service is root", lambda n: n.every(lambda c, s: (s.get("runAsUser") == 0) == (c is n.service))),
    ("seccomp is RuntimeDefault",
     lambda n: n.pod.get("securityContext", {}).get("seccompProfile") == {"type": "RuntimeDefault"}
     and n.every(lambda c, s: "seccompProfile" not in s)),
    ("the node's processes and IPC are not shared", lambda n: not n.pod.get("hostPID") and not n.pod.get("hostIPC")),
    ("exactly two folders of the node are mounted", node_folders_only),
    ("other containers get no folder of the node", node_folders_in_service_only),
    ("other volumes are harmless",
     lambda n: all(set(v) - {"name", "hostPath"} <= HARMLESS_VOLUMES for v in n.pod["volumes"])),
    ("the token is mounted only where it is copied", token_in_service_only),
    ("the account has the plugin's rights and no more", lambda n: rights(n) == PLUGIN_RIGHTS),
    ("the role is bound to the pod's account only", bound_account),
    ("it runs on every node", lambda n: n.pod.get("tolerations") == [{"operator": "Exists"}]),
    ("it is critical for the node", lambda n: n.pod.get("priorityClassName") == "system-node-critical"),
    ("one node at a time is updated",
     lambda n: n.set.get("updateStrategy") == {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": 1}}),
    ("a roll-out does not un-patch", lambda n: n.environment.get("FIRSTWATCH_KEEP_ON_EXIT") == "true"),
    ("a pod that leaves its patches can start again without the pod network", keeps_and_can_come_back),
    ("the exit has twice its time", lambda n: n.pod.get("terminationGracePeriodSeconds") == 10),
    ("readiness is asked of the program", lambda n: n.probe("readinessProbe") == [PROGRAM, "probe", "ready"]),
    ("start and life are asked of the program",
     lambda n: n.probe("startupProbe") == n.probe("livenessProbe") == [PROGRAM, "probe", "live"]),
    ("the service is started without a shell", no_shell),
    ("no port is opened", lambda n: n.every(lambda c, s: not c.get("ports"))),
    ("resources are set",
     lambda n: n.every(lambda c, s: c.get("resources", {}).get("limits", {}).get("memory")
                       and {"cpu", "memory"} <= set(c["resources"].get("requests", {})))),
    ("no CPU limit slows the first pass", lambda n: n.every(lambda c, s: "cpu" not in c["resources"]["limits"])),
    ("what it writes for itself is a volume", writable_folders_are_volumes),
    ("the contract's settings come from the ConfigMap",
     lambda n: all(map(n.from_config, ["DEST_CNI_NET_DIR", "DEST_CNI_BIN_DIR", "CNI_NETWORK_CONFIG"]))),
    ("the template is linkerd's",
     lambda n: set(n.template) == TEMPLATE_KEYS and set(n.template["linkerd"]) == LINKERD_KEYS
     and n.template["kubernetes"] == {"kubeconfig": "__KUBECONFIG_FILEPATH__"}),
    ("the selector finds the pods",
     lambda n: n.set["selector"]["matchLabels"].items() <= n.set["template"]["metadata"]["labels"].items()),
]


def broken_rules(documents):
    node = Node(documents)
    return [text for text, holds in RULES if not holds(node)]


def main():
    broken = broken_rules(load(sys.argv[1]))
    for text, _ in RULES:
        print(f"{'FAIL' if text in broken else 'ok  '}  {text}")
    print(f"{len(RULES) - len(broken)} passed, {len(broken)} failed")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
