#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_policy.py KUSTOMIZE_FOLDER: every rule of policy.py is broken once, and must say so."""
import copy
import sys
import unittest

import policy

MAIN = "DaemonSet.spec.template.spec.containers.0"
INIT = "DaemonSet.spec.template.spec.initContainers.0"
POD = "DaemonSet.spec.template.spec"
# The place in the documents, the value put there (None takes it away), and the rule that must be named.
BREAKS = [
    (f"{MAIN}.securityContext.privileged", True, "no container is privileged"),
    (f"{INIT}.securityContext.allowPrivilegeEscalation", None, "no container may gain privileges"),
    (f"{MAIN}.securityContext.capabilities.add", ["NET_ADMIN"], "every capability is dropped and none added"),
    (f"{INIT}.securityContext.capabilities", None, "every capability is dropped and none added"),
    (f"{MAIN}.securityContext.readOnlyRootFilesystem", False, "every root file system is read-only"),
    (f"{INIT}.securityContext.runAsUser", 0, "only the service is root"),
    (f"{POD}.securityContext.seccompProfile.type", "Unconfined", "seccomp is RuntimeDefault"),
    (f"{MAIN}.securityContext.seccompProfile", {"type": "Unconfined"}, "seccomp is RuntimeDefault"),
    (f"{POD}.hostPID", True, "the node's processes and IPC are not shared"),
    (f"{POD}.volumes.0.hostPath.path", "/etc", "exactly two folders of the node are mounted"),
    (f"{MAIN}.volumeMounts.0.mountPath", "/host/etc/cni/net.d", "exactly two folders of the node are mounted"),
    (f"{INIT}.volumeMounts.0.name", "cni-bin", "other containers get no folder of the node"),
    (f"{POD}.volumes.3", {"name": "run", "nfs": {}}, "other volumes are harmless"),
    (f"{INIT}.volumeMounts.0.mountPath", policy.ACCOUNT_DIR, "the token is mounted only where it is copied"),
    (f"{POD}.automountServiceAccountToken", None, "the token is mounted only where it is copied"),
    ("ClusterRole.rules.0.verbs.0", "delete", "the account has the plugin's rights and no more"),
    ("ClusterRoleBinding.subjects.0.name", "default", "the role is bound to the pod's account only"),
    (f"{POD}.tolerations", None, "it runs on every node"),
    (f"{POD}.priorityClassName", None, "it is critical for the node"),
    ("DaemonSet.spec.updateStrategy.rollingUpdate.maxUnavailable", "50%", "one node at a time is updated"),
    (f"{MAIN}.env.5.value", "false", "a roll-out does not un-patch"),
    (f"{POD}.hostNetwork", None, "a pod that leaves its patches can start again without the pod network"),
    (f"{POD}.terminationGracePeriodSeconds", 30, "the exit has twice its time"),
    (f"{MAIN}.readinessProbe", None, "readiness is asked of the program"),
    (f"{MAIN}.livenessProbe.exec.command", ["true"], "start and life are asked of the program"),
    (f"{MAIN}.command", ["/bin/sh", "-c", "firstwatchd"], "the service is started without a shell"),
    (f"{MAIN}.ports", [{"containerPort": 80}], "no port is opened"),
    (f"{INIT}.resources.requests.cpu", None, "resources are set"),
    (f"{MAIN}.resources.limits.cpu", "100m", "no CPU limit slows the first pass"),
    (f"{MAIN}.volumeMounts.4.readOnly", True, "what it writes for itself is a volume"),
    (f"{MAIN}.env.2.valueFrom.configMapKeyRef.key", "other", "the contract's settings come from the ConfigMap"),
    ("ConfigMap.data.cni_network_config", '{"type": "x", "linkerd": {}}', "the template is linkerd's"),
    ("DaemonSet.spec.selector.matchLabels", {"app": "other"}, "the selector finds the pods"),
]


def put(documents, path, value):
    kind, *keys = [int(key) if key.isdigit() else key for key in path.split(".")]
    place = policy.of_kind(documents, kind)
    for key in keys[:-1]:
        place = place[key]
    if value is None:
        del place[keys[-1]]
    else:
        place[keys[-1]] = value


class Policy(unittest.TestCase):
    documents = policy.load(sys.argv.pop())

    def test_shipped_manifests_break_no_rule(self):
        self.assertEqual(policy.broken_rules(self.documents), [])

    def test_each_break_is_named(self):
        for path, value, rule in BREAKS:
            with self.subTest(path=path):
                documents = copy.deepcopy(self.documents)
                put(documents, path, value)
                self.assertIn(rule, policy.broken_rules(documents))

    def test_every_rule_has_a_break(self):
        self.assertEqual({rule for _, _, rule in BREAKS}, {text for text, _ in policy.RULES})


if __name__ == "__main__":
    unittest.main()
