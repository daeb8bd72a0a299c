# SPDX-License-Identifier: Apache-2.0
# The make-believe nodes of ./demo, and the service on them.
# shellcheck shell=bash disable=SC2034,SC2154 # $work comes from ./demo, which uses what is set here

# open_node FOLDER: where everything of a node lies.
open_node() {
    node=$1
    net_dir=$node/host/etc/cni/net.d
    notes=$node/othercni.log
    events=$node/firstwatchd.log
    [ ! -s "$node/service" ] || service=$(<"$node/service")
}

# new_node NAME: an empty node with a service account and the binary of a plugin.
new_node() {
    open_node "$work/$1"
    mkdir -p "$net_dir" "$node"/host/opt/cni/bin "$node"/{serviceaccount,plugins,run,history,owner}
    printf 'not-a-real-token' >"$node/serviceaccount/token"
    printf -- '-----BEGIN CERTIFICATE-----\nbm90IGEgcmVhbCBvbmU=\n-----END CERTIFICATE-----\n' >"$node/serviceaccount/ca.crt"
    printf '#!/bin/sh\n# stands for the binary of a mesh plugin\n' >"$node/plugins/demo-mesh"
    : >"$notes"
}

# note KIND FIELDS: one JSON line of ours, in the form of the service's own events. FIELDS is empty or ends in a comma.
note() {
    local now=$EPOCHREALTIME
    TZ=UTC printf '{"kind":"%s",%s"wall":"%(%FT%T)T.%sZ"}\n' "$1" "$2" "${now%.*}" "${now#*.}" >>"$notes"
}

start_service() {
    note exec ''
    env "$@" CONTAINER_MOUNT_PREFIX="$node/host" CONTAINER_CNI_BIN_DIR="$node/plugins" \
        CNI_NETWORK_CONFIG='{"type":"demo-mesh","kubernetes":{"kubeconfig":"__KUBECONFIG_FILEPATH__"}}' \
        KUBERNETES_SERVICE_HOST=10.96.0.1 KUBERNETES_SERVICE_PORT=443 \
        FIRSTWATCH_SERVICE_ACCOUNT_DIR="$node/serviceaccount" FIRSTWATCH_RUNTIME_DIR="$node/run" \
        FIRSTWATCH_HISTORY_DIR="$node/history" build/release/bin/firstwatchd --log-format json </dev/null >/dev/null 2>"$events" &
    service=$!
    echo $service >"$node/service"
}

stop_service() {
    kill "$service" 2>/dev/null && wait "$service"
    exit_codes+=" $?"
    rm "$node/service"
}

kill_services() {
    local file
    for file in "$work"/*/service; do
        [ ! -e "$file" ] || kill "$(<"$file")" 2>/dev/null
    done
    wait
}

# eventually COMMAND…: until it succeeds, for five seconds.
eventually() {
    local end=$((SECONDS + 5))
    until "$@"; do
        [ $SECONDS -lt $end ] || return 1
        sleep 0.01
    done
}

is_patched() { [ "$(grep -o '"demo-mesh"' "$net_dir/$1" 2>/dev/null | wc -l)" -eq 1 ]; }
is_ready() { [ -e "$node/run/ready" ]; }
