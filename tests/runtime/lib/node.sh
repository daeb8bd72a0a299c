# SPDX-License-Identifier: Apache-2.0
# The node below $host as firstwatchd meets it: a service account, a chained plugin to install, its template, and CNI
# owners who write configs.
# shellcheck shell=bash disable=SC2154 # $work comes from the sourcing script

host=$work/host
net_dir=$host/etc/cni/net.d
plugin_log=$work/plugin.log

prepare_node() {
    mkdir -p "$net_dir" "$work/serviceaccount" "$work/plugins" "$work/run" "$work/history"
    echo not-a-real-token >"$work/serviceaccount/token"
    printf -- '-----BEGIN CERTIFICATE-----\nbm90IGEgcmVhbCBvbmU=\n-----END CERTIFICATE-----\n' >"$work/serviceaccount/ca.crt"
    write_plugin >"$work/plugins/proof-plugin"
    chmod 755 "$work/plugins/proof-plugin"
    : >"$plugin_log"
}

# A chained plugin that writes down how it was called and passes on what it was given.
write_plugin() {
    cat <<PLUGIN
#!/bin/sh
config=\$(cat)
if [ "\$CNI_COMMAND" = VERSION ]; then
    echo '{"cniVersion": "0.4.0", "supportedVersions": ["0.3.0", "0.3.1", "0.4.0", "1.0.0"]}'
    exit
fi
printf '%s' "\$config" | jq -c --arg command "\$CNI_COMMAND" \\
    '{command: \$command, name, chained: (.prevResult != null), kubeconfig: .kubernetes.kubeconfig}' >>"$plugin_log"
[ "\$CNI_COMMAND" != ADD ] || printf '%s' "\$config" | jq .prevResult
PLUGIN
}

plugin_template() {
    echo '{"type": "proof-plugin", "kubernetes": {"kubeconfig": "__KUBECONFIG_FILEPATH__"}}'
}

# The environment that the DaemonSet gives, with every place moved below $work. FIRSTWATCHD names the program.
start_service() {
    rm -f "$work/run/ready"
    env CONTAINER_MOUNT_PREFIX="$host" CONTAINER_CNI_BIN_DIR="$work/plugins" CNI_NETWORK_CONFIG="$(plugin_template)" \
        KUBERNETES_SERVICE_HOST=10.96.0.1 KUBERNETES_SERVICE_PORT=443 \
        FIRSTWATCH_SERVICE_ACCOUNT_DIR="$work/serviceaccount" FIRSTWATCH_RUNTIME_DIR="$work/run" \
        FIRSTWATCH_HISTORY_DIR="$work/history" "$FIRSTWATCHD" "$@" >>"$work/service.log" 2>&1 &
    service_pid=$!
}

# stop_service SIGNAL: prints nothing, returns the exit code of the service.
stop_service() {
    kill "-$1" "$service_pid" && wait "$service_pid"
}

# What a primary CNI plugin writes: bridge NETWORK SUBNET prints a list, single_bridge one plugin.
bridge() {
    cat <<CONFLIST
{
  "cniVersion": "0.4.0",
  "name": "$1",
  "plugins": [
    {"type": "bridge", "bridge": "br-$1", "isGateway": true, "ipam": {"type": "host-local", "subnet": "$2"}}
  ]
}
CONFLIST
}

single_bridge() {
    cat <<CONF
{
  "cniVersion": "0.3.1",
  "name": "$1",
  "type": "bridge",
  "bridge": "br-$1",
  "isGateway": true,
  "ipam": {"type": "host-local", "subnet": "$2"}
}
CONF
}

# drop NAME < text: the whole file at once by rename, as a careful CNI installs it.
drop() {
    cat >"$net_dir/.$1.tmp"
    mv "$net_dir/.$1.tmp" "$net_dir/$1"
}

# eventually COMMAND…: until it succeeds, for ten seconds, or as many as $patience says.
eventually() {
    local end=$((SECONDS + ${patience:-10}))
    until "$@"; do
        [ $SECONDS -lt $end ] || return 1
        sleep 0.05
    done
}
