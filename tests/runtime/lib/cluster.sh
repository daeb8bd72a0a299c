# SPDX-License-Identifier: Apache-2.0
# A cluster of one node as kubectl sees it: an API server in front of containerd, and the pod of firstwatchd on it.
# shellcheck shell=bash disable=SC2034,SC2154 # what is not set here comes from the sourcing script, or goes to it

node='node-17'
to_node=(--kubeconfig "$work/kubeconfig" --node "$node") # what firstwatch is told

start_cluster() {
    mkdir -p "$work/pods" "$work/home"
    export HOME=$work/home # kubectl keeps a cache there
    unset KUBECONFIG
    socket=$socket python3 "$cri_lib/apiserver.py" "$work/pods" "$work/api.port" >"$work/api.log" 2>&1 &
    api_pid=$!
    eventually test -s "$work/api.port" && write_kubeconfig >"$work/kubeconfig"
}

stop_cluster() {
    kill "$api_pid" && wait "$api_pid"
}

write_kubeconfig() {
    cat <<KUBECONFIG
{"apiVersion": "v1", "kind": "Config", "current-context": "test",
 "clusters": [{"name": "test", "cluster": {"server": "http://127.0.0.1:$(cat "$work/api.port")"}}],
 "users": [{"name": "test", "user": {}}],
 "contexts": [{"name": "test", "context": {"cluster": "test", "user": "test"}}]}
KUBECONFIG
}

# start_service_pod NAME: as the DaemonSet makes it, but in a network of its own. Sets $sandbox, $container.
start_service_pod() {
    pod_network=POD
    sandbox=$(run_pod "$1")
    container=$(start_container "$sandbox" firstwatchd) && list_pod "$1"
}

# The Pod object, with the one thing that only the kubelet would know.
list_pod() {
    jq -n --arg name "$1" --arg node "$node" --arg sandbox "$sandbox" --arg container "containerd://$container" '{
        apiVersion: "v1", kind: "Pod",
        metadata: {
            name: $name, namespace: "firstwatch", uid: $sandbox, annotations: {sandbox: $sandbox},
            labels: {"app.kubernetes.io/name": "firstwatch"}
        },
        spec: {nodeName: $node, containers: [{name: "firstwatchd"}]},
        status: {
            phase: "Running", startTime: (now | todate),
            containerStatuses: [{name: "firstwatchd", ready: true, containerID: $container}]
        }
    }' >"$work/pods/.$1" && mv "$work/pods/.$1" "$work/pods/$1"
}

# delete_service_pod NAME: the container is asked to end, then all of the pod goes.
delete_service_pod() {
    stop_container "$container"
    rm "$work/pods/$1"
    remove_pod "$sandbox"
}
