# SPDX-License-Identifier: Apache-2.0
# A containerd of our own below $work, with the node's CNI folders below $host. Sets $socket.
# shellcheck shell=bash disable=SC2034,SC2154 # $work and $host come from the sourcing script, it uses $socket

socket=$work/containerd.sock

# restrict_oom_score_adj: inside a container or a sandbox a process may not lower its own score.
containerd_config() {
    cat <<CONFIG
version = 2
root = "$work/containerd/root"
state = "$work/containerd/state"
[grpc]
  address = "$socket"
[plugins."io.containerd.internal.v1.opt"]
  path = "$work/containerd/opt"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "localhost/pause:1"
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "$host/opt/cni/bin"
    conf_dir = "$host/etc/cni/net.d"
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
      Root = "$work/containerd/runc"
CONFIG
}

start_containerd() {
    mkdir -p "$work/containerd" "$work/logs" "$host/etc/cni/net.d" "$host/opt/cni/bin"
    cp /usr/lib/cni/* "$host/opt/cni/bin/"
    containerd_config >"$work/containerd/config.toml"
    containerd -c "$work/containerd/config.toml" >"$work/containerd/log" 2>&1 &
    containerd_pid=$!
    eventually network_is_answered || { tail -5 "$work/containerd/log"; return 1; }
    import_pause_image
}

network_is_answered() {
    cri Status StatusRequest StatusResponse <<<'' >/dev/null 2>&1
}

# Cgroups outlive namespaces, so pods are removed in order and not just killed.
stop_containerd() {
    remove_all_pods 2>/dev/null
    kill "$containerd_pid" 2>/dev/null
    wait "$containerd_pid" 2>/dev/null
    rm -rf "$host/opt/cni/bin"
}

# What every pod sandbox runs: one static program that waits.
import_pause_image() {
    mkdir -p "$work/pause/bin"
    cp /bin/busybox "$work/pause/bin/"
    import_image localhost/pause:1 "$work/pause" '["/bin/busybox", "sleep", "86400"]'
}

# import_image NAME ROOT ENTRYPOINT: makes an image of one layer from a folder and gives it to containerd, in the form
# that "docker save" writes.
import_image() {
    local name=$1 root=$2 entrypoint=$3 dir digest
    dir=$(mktemp -d "$work/image.XXXXXX")
    tar --sort=name --owner=0 --group=0 --numeric-owner -C "$root" -cf "$dir/layer.tar" .
    digest=$(sha256sum "$dir/layer.tar" | cut -d' ' -f1)
    jq -n --argjson entrypoint "$entrypoint" --arg digest "sha256:$digest" --arg machine "$(go_architecture)" \
        '{architecture: $machine, os: "linux", config: {Entrypoint: $entrypoint}, rootfs: {type: "layers", diff_ids: [$digest]}}' \
        >"$dir/config.json"
    jq -n --arg name "$name" '[{Config: "config.json", RepoTags: [$name], Layers: ["layer.tar"]}]' >"$dir/manifest.json"
    tar -C "$dir" -cf "$dir.tar" manifest.json config.json layer.tar
    ctr -a "$socket" -n k8s.io images import "$dir.tar" >/dev/null
    rm -rf "$dir" "$dir.tar"
}

go_architecture() {
    case $(uname -m) in
    x86_64) echo amd64 ;;
    aarch64) echo arm64 ;;
    *) uname -m ;;
    esac
}
