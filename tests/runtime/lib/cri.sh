# SPDX-License-Identifier: Apache-2.0
# Speaks CRI to containerd over its socket: protoc makes the message, curl carries it as gRPC over HTTP/2.
# shellcheck shell=bash disable=SC2154 # $work and $socket come from the sourcing script

cri_lib=$(dirname "${BASH_SOURCE[0]}")

# One gRPC frame: a zero byte (not compressed), four bytes of length, the message.
grpc_frame() {
    local size
    size=$(stat -c %s "$1")
    # shellcheck disable=SC2059 # the format is made of bytes on purpose
    printf "\\x00$(printf '\\x%02x\\x%02x\\x%02x\\x%02x' $((size >> 24 & 255)) $((size >> 16 & 255)) $((size >> 8 & 255)) $((size & 255)))"
    cat "$1"
}

# cri METHOD REQUEST RESPONSE < request as text; prints the response as text, fails with gRPC's message on stderr.
cri() {
    local dir code=0
    dir=$(mktemp -d "$work/cri.XXXXXX")
    protoc -I "$cri_lib" --encode="runtime.v1.$2" "$cri_lib/cri.proto" >"$dir/message"
    grpc_frame "$dir/message" >"$dir/frame"
    curl -sS --max-time 30 --http2-prior-knowledge --unix-socket "$socket" -H 'content-type: application/grpc' -H 'te: trailers' \
        --data-binary "@$dir/frame" -D "$dir/head" -o "$dir/answer" "http://localhost/runtime.v1.RuntimeService/$1" || code=1
    if [ $code -eq 0 ] && grep -qi '^grpc-status: 0' "$dir/head"; then
        tail -c +6 "$dir/answer" 2>/dev/null | protoc -I "$cri_lib" --decode="runtime.v1.$3" "$cri_lib/cri.proto"
    else
        grep -i '^grpc-message' "$dir/head" >&2
        code=1
    fi
    rm -rf "$dir"
    return $code
}

# The first string field of that name in a response.
field() {
    sed -n "s/^ *$1: \"\(.*\)\"\$/\1/p" | head -1
}

# The JSON below one key of a verbose status. protoc escapes a string as C does; but for \' that is JSON's way too.
status_info() {
    local text
    text=$(cri Status StatusRequest StatusResponse <<<'verbose: true' | grep -A1 "key: \"$1\"" | field value)
    jq -n "\"${text//\\\'/\'}\" | fromjson"
}

network_is_ready() {
    cri Status StatusRequest StatusResponse <<<'' | tr -d '\n' | grep -q '"NetworkReady" *status: true'
}

# The plugin types of the network that containerd has loaded for pods, in order, as one line. Empty when it has none.
loaded_chain() {
    status_info cniconfig |
        jq -r '[.Networks[]?.Config | select(.Name != "cni-loopback") | .Plugins[].Network.type] | join(" ")'
}

loaded_network() {
    status_info cniconfig | jq -r '.Networks[]?.Config | select(.Name != "cni-loopback") | .Name + " " + .CNIVersion'
}

# pod_config NAME [NETWORK]: NETWORK is POD, or NODE for the node's own, whose hostname the pod then has.
pod_config() {
    local network=${2:-POD} hostname=''
    [ "$network" = NODE ] || hostname="hostname: \"$1\""
    echo "metadata { name: \"$1\" uid: \"$1\" namespace: \"default\" } $hostname log_directory: \"$work/logs\"" \
        "linux { security_context { namespace_options { network: $network } } }"
}

# run_pod NAME [NETWORK]: prints the id of the new pod sandbox.
run_pod() {
    cri RunPodSandbox RunPodSandboxRequest PodSandboxId <<<"config { $(pod_config "$@") }" | field pod_sandbox_id
}

remove_pod() {
    cri StopPodSandbox PodSandboxId Empty <<<"pod_sandbox_id: \"$1\"" >/dev/null
    cri RemovePodSandbox PodSandboxId Empty <<<"pod_sandbox_id: \"$1\"" >/dev/null
}

remove_all_pods() {
    local pod
    for pod in $(cri ListPodSandbox ListPodSandboxRequest ListPodSandboxResponse <<<'' | sed -n 's/^ *id: "\(.*\)"$/\1/p'); do
        remove_pod "$pod"
    done
}
