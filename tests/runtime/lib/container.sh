# SPDX-License-Identifier: Apache-2.0
# The image of firstwatchd as a pod of containerd, with the mounts and the rights of deploy/kustomize/base.
# shellcheck shell=bash disable=SC2154 # $work and $host come from the sourcing script

image=localhost/firstwatch:test
# What a test may set otherwise than the base does.
pod_network=NODE
more_environment=''
more_mounts=''

build_image() {
    "$1/make-rootfs" "$FIRSTWATCHD" "$work/rootfs"
    import_image "$image" "$work/rootfs" '["/usr/local/bin/firstwatchd"]'
}

env_of() { printf 'envs { key: "%s" value: "%s" } ' "$1" "${2//\"/\\\"}"; }
mount_of() { printf 'mounts { host_path: "%s" container_path: "%s" readonly: %s } ' "$@"; }

container_environment() {
    env_of CNI_NETWORK_CONFIG "$(plugin_template)"
    env_of CONTAINER_CNI_BIN_DIR /plugins
    env_of FIRSTWATCH_KEEP_ON_EXIT true
    env_of KUBERNETES_SERVICE_HOST 10.96.0.1
    env_of KUBERNETES_SERVICE_PORT 443
    echo "$more_environment"
}

container_mounts() {
    mount_of "$host/etc/cni" /host/etc/cni false
    mount_of "$host/opt/cni/bin" /host/opt/cni/bin false
    mount_of "$work/plugins" /plugins true
    mount_of "$work/serviceaccount" /var/run/secrets/kubernetes.io/serviceaccount true
    mount_of "$work/run" /run/firstwatch false
    mount_of "$work/history" /var/lib/firstwatch false
    echo "$more_mounts"
}

container_rights() {
    echo 'capabilities { drop_capabilities: "ALL" } run_as_user { value: 0 } readonly_rootfs: true no_new_privs: true' \
        "seccomp { profile_type: RuntimeDefault } namespace_options { network: $pod_network }"
}

# start_container POD NAME [ARGUMENT…]: prints the id of the running container of the pod with the name "firstwatch".
start_container() {
    local pod=$1 name=$2 arguments='' id
    shift 2
    [ $# -eq 0 ] || arguments=$(printf 'args: "%s" ' "$@")
    id=$(cri CreateContainer CreateContainerRequest ContainerId <<REQUEST | field container_id
pod_sandbox_id: "$pod"
sandbox_config { $(pod_config firstwatch "$pod_network") }
config {
  metadata { name: "$name" }
  image { image: "$image" }
  log_path: "$name.log"
  $arguments
  $(container_environment)
  $(container_mounts)
  linux { security_context { $(container_rights) } }
}
REQUEST
    )
    cri StartContainer ContainerId Empty <<<"container_id: \"$id\"" >/dev/null && echo "$id"
}

# exec_code CONTAINER COMMAND…: prints the exit code of the command, nothing when it could not be started.
exec_code() {
    local id=$1 answer
    shift
    answer=$(cri ExecSync ExecSyncRequest ExecSyncResponse 2>/dev/null \
        <<<"container_id: \"$id\" timeout: 5 $(printf 'cmd: "%s" ' "$@")") || return 1
    sed -n 's/^exit_code: //p' <<<"${answer:-exit_code: 0}" | grep . || echo 0
}

container_state() {
    cri ContainerStatus ContainerId ContainerStatusResponse <<<"container_id: \"$1\"" | tr -s ' \n' '  '
}

has_exited_with() {
    local state
    state=$(container_state "$1")
    # protoc leaves out fields that are zero.
    case $state in
    *"state: CONTAINER_EXITED"*"exit_code: "*) [[ $state == *"exit_code: $2 "* ]] ;;
    *"state: CONTAINER_EXITED"*) [ "$2" -eq 0 ] ;;
    *) return 1 ;;
    esac
}

stop_container() {
    cri StopContainer StopContainerRequest Empty <<<"container_id: \"$1\" timeout: 10" >/dev/null
}
