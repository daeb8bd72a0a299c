# SPDX-License-Identifier: Apache-2.0
# What the tests ask of the node, the runtime and the chained plugin; each is a command that succeeds when it holds.
# shellcheck shell=bash disable=SC2154 # $net_dir and $plugin_log come from the sourcing script

loads() { [ "$(loaded_chain)" = "$1" ]; }
is_patched() { grep -q proof-plugin "$net_dir/$1" 2>/dev/null; }
kubeconfig_is_written() { [ -s "$net_dir/ZZZ-linkerd-cni-kubeconfig" ]; }
same_bytes() { cmp -s "$1" "$net_dir/$2"; }

# How often the plugin was asked to join a pod of that network with the result of the plugin before it and with our
# kubeconfig, and how often to leave.
joined() {
    grep -c "^{\"command\":\"ADD\",\"name\":\"$1\",\"chained\":true,\"kubeconfig\":\"/etc/cni/net.d/ZZZ-linkerd-cni-kubeconfig\"}" "$plugin_log"
}
left() { grep -c "^{\"command\":\"DEL\",\"name\":\"$1\"" "$plugin_log"; }

# pod_is_chained POD NETWORK
pod_is_chained() {
    local pod
    : >"$plugin_log"
    pod=$(run_pod "$1")
    [ -n "$pod" ] && [ "$(joined "$2")" -eq 1 ] && remove_pod "$pod" && [ "$(left "$2")" -gt 0 ]
}

pod_is_not_chained() {
    : >"$plugin_log"
    [ -n "$(run_pod "$1")" ] && [ ! -s "$plugin_log" ]
}
