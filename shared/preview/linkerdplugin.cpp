// SPDX-License-Identifier: Apache-2.0
#include "preview/linkerdplugin.h"

namespace firstwatch::preview {

QByteArray linkerdTemplate()
{
    return R"({
  "name": "linkerd-cni",
  "type": "linkerd-cni",
  "log_level": "info",
  "kubernetes": {
    "kubeconfig": "__KUBECONFIG_FILEPATH__"
  },
  "linkerd": {
    "incoming-proxy-port": 4143,
    "outgoing-proxy-port": 4140,
    "proxy-uid": 2102,
    "ports-to-redirect": [],
    "inbound-ports-to-ignore": ["4191", "4190"],
    "simulate": false,
    "use-wait-flag": false,
    "iptables-mode": "nft",
    "ipv6": false
  }
}
)";
}

QByteArray defaultKubeconfigPath()
{
    return "/etc/cni/net.d/ZZZ-linkerd-cni-kubeconfig";
}

} // namespace firstwatch::preview
