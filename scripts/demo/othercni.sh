# SPDX-License-Identifier: Apache-2.0
# The other CNI of ./demo: writes configs in the ways that real ones do, and notes each write as a JSON line, so that
# it can be laid beside the service's own events.
# shellcheck shell=bash disable=SC2154 # $net_dir and note() come from node.sh

# noted FILE TEXT: to be called right before the write, so that a shown delay is never shorter than the real one.
noted() { note other "\"file\":\"$1\",\"text\":\"$2\","; }

calico() {
    cat <<CONFIG
{
  "name": "k8s-pod-network",
  "cniVersion": "0.3.1",
  "plugins": [
    {
      "type": "calico",
      "log_level": "info",
      "datastore_type": "kubernetes",
      "mtu": $1,
      "ipam": { "type": "calico-ipam" },
      "policy": { "type": "k8s" }
    },
    { "type": "portmap", "snat": true, "capabilities": { "portMappings": true } }
  ]
}
CONFIG
}

# Minified, with number texts that a round trip through a JSON library would change.
ptp() { printf '{"cniVersion":"1.0.0","name":"edge","plugins":[{"type":"ptp","mtu":%s,"rate":1.0,"burst":1e3}]}' "$1"; }

single() {
    printf '{\n\t"cniVersion": "0.4.0",\n\t"name": "lab",\n\t"type": "bridge",\n\t"bridge": "lab0",\n\t"mtu": %s\n}\n' "$1"
}

# write_in_place FILE TEXT
write_in_place() {
    noted "$1" "writes it in place"
    printf '%s\n' "$2" >"$net_dir/$1"
}

# write_by_rename FILE TEXT
write_by_rename() {
    printf '%s\n' "$2" >"$net_dir/.$1.tmp"
    noted "$1" "replaces it by rename"
    mv "$net_dir/.$1.tmp" "$net_dir/$1"
}

# write_in_halves FILE TEXT: the file stays open, and is not JSON, for 300 ms.
write_in_halves() {
    local middle=$((${#2} / 2))
    {
        noted "$1" "writes half of it, and stops for 300 ms"
        printf '%s' "${2:0:middle}"
        sleep 0.3
        noted "$1" "writes the other half"
        printf '%s\n' "${2:middle}"
    } >"$net_dir/$1"
}
