# SPDX-License-Identifier: Apache-2.0
# Runs a test apart from the machine: its own network, mounts and processes, so that nothing of it outlives it and no
# runtime of the machine is touched.
# shellcheck shell=bash

# ctest's SKIP_RETURN_CODE for these tests.
skip_all() {
    echo "skipped: $*"
    exit 77
}

require_commands() {
    local command
    [ "$(id -u)" -eq 0 ] || skip_all "needs root, to start containerd and network namespaces"
    for command in "$@"; do
        command -v "$command" >/dev/null || skip_all "$command is not installed (scripts/setup runtime installs it)"
    done
    [ -x /usr/lib/cni/bridge ] || skip_all "no CNI plugins in /usr/lib/cni (scripts/setup runtime installs them)"
}

# Starts the calling script again in its own namespaces with a fresh folder in $work, and exits with its code.
isolate() {
    [ -z "${FIRSTWATCH_ISOLATED:-}" ] || { prepare_isolated; return; }
    unshare --mount --net true 2>/dev/null || skip_all "this machine gives no mount and network namespaces"
    local code=0
    work=$(mktemp -d "${TMPDIR:-/tmp}/firstwatch-runtime.XXXXXX")
    FIRSTWATCH_ISOLATED=1 work=$work unshare --mount --net --pid --fork --kill-child --mount-proc "$0" "$@" || code=$?
    rm -rf --one-file-system "$work"
    exit "$code"
}

# CNI plugins and containerd keep state at fixed places of the machine; here these are empty and private.
prepare_isolated() {
    local place
    for place in /run/netns /run/containerd /var/lib/cni; do
        mkdir -p "$place"
        mount -t tmpfs none "$place"
    done
    ip link set lo up
}
