// SPDX-License-Identifier: Apache-2.0
#include "journal/cnikeys.h"

#include <QByteArray>

#include <algorithm>
#include <iterator>
#include <set>
#include <string>

namespace firstwatch::journal {
namespace {

// In small letters, and as each source writes them.
constexpr const char *keys[] = {
    // CNI SPEC.md 1.1.0 and CONVENTIONS.md
    "cniversion", "cniversions", "name", "type", "plugins", "disablecheck", "disablegc", "loadonlyinlinedplugins",
    "args", "cni", "capabilities", "prevresult", "runtimeconfig", "ipmasq", "ipam", "dns", "nameservers", "domain",
    "search", "options", "portmappings", "bandwidth", "ipranges", "ips", "mac", "infinibandguid", "deviceid", "aliases",
    "cgrouppath",
    // github.com/containernetworking/plugins: main, ipam and meta
    "bridge", "isgateway", "isdefaultgateway", "forceaddress", "hairpinmode", "promiscmode", "vlan", "vlantrunk",
    "preservedefaultvlan", "macspoofchk", "mtu", "enabledad", "disablecontainerinterface", "portisolation", "subnet",
    "subnets", "ranges", "rangestart", "rangeend", "gateway", "routes", "dst", "gw", "addresses", "address", "datadir",
    "resolvconf", "daemonsocketpath", "snat", "conditionsv4", "conditionsv6", "masqall", "markmasqbit",
    "externalsetmarkchain", "backend", "ingressrate", "ingressburst", "egressrate", "egressburst", "unshapedsubnets",
    "iptablesadminchainname", "firewalldzone", "ingresspolicy", "sysctl", "promisc", "allmulti", "master", "mode",
    "linkincontainer", "vrfname", "table", "vlanid", "device", "hwaddr", "pcibusid", "kernelpath", "bcastqueuelen",
    "subnetfile", "delegate", "adddescription", "suppressprefixlength", "group", "owner", "multiqueue",
    // Windows (HNS)
    "policies", "settings", "exceptionlist", "exceptions", "destinationprefix", "needencap", "remoteaddresses",
    "endpointmacprefix", "adaptername", "apiversion", "loopbackdsr",
    // Calico
    "log_level", "log_file_path", "log_file_max_size", "log_file_max_age", "log_file_max_count", "datastore_type",
    "nodename", "nodename_file_optional", "etcd_endpoints", "etcd_discovery_srv", "etcd_key_file", "etcd_cert_file",
    "etcd_ca_cert_file", "kubernetes", "kubeconfig", "k8s_api_root", "policy", "container_settings",
    "allow_ip_forwarding", "feature_control", "ip_addrs_no_ipam", "floating_ips", "assign_ipv4", "assign_ipv6",
    "ipv4_pools", "ipv6_pools", "windows_use_single_network", "endpoint_status_dir",
    // Cilium, AWS, Azure, kube-ovn, Multus
    "enable-debug", "log-file", "chaining-mode", "eniconfig", "vethprefix", "podsgenforcingmode", "pluginlogfile",
    "pluginloglevel", "enabled", "nodeip", "randomizesnat", "server_socket", "provider", "bindir", "confdir",
    "clusternetwork", "defaultnetworks", "globalnamespaces", "namespaceisolation", "readinessindicatorfile", "logfile",
    "loglevel", "socket", "delegates",
    // linkerd-cni and istio-cni
    "linkerd", "proxy-init", "incoming-proxy-port", "outgoing-proxy-port", "proxy-uid", "proxy-gid",
    "ports-to-redirect", "inbound-ports-to-ignore", "outbound-ports-to-ignore", "simulate", "use-wait-flag",
    "iptables-mode", "ipv6", "exclude_namespaces", "cni_bin_dir", "intercept_type", "log_uds_address",
    "cni_event_address", "cni_agent_run_dir", "pod_namespace", "ambient_enabled", "enable_ambient"
};

bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}
bool isHexDigit(char c)
{
    return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool isWord(QByteArrayView text)
{
    constexpr qsizetype longest = 16;
    qsizetype letters = text.size();
    while (letters > 0 && text.size() - letters < 2 && isDigit(text[letters - 1]))
        --letters;
    return text.size() <= longest && letters > 0 && std::all_of(text.begin(), text.begin() + letters, [](char c) {
        return isLetter(c) || c == '-' || c == '_';
    });
}

// Names of files are words, too, with dots and digits between: what is as long as a key may be one.
bool isPath(QByteArrayView text)
{
    constexpr qsizetype longestName = 32;
    if (text.size() < 2 || text.front() != '/')
        return false;
    qsizetype name = 0;
    for (const char c : text.sliced(1)) {
        name = c == '/' ? 0 : name + 1;
        if (name > longestName || !(isLetter(c) || isDigit(c) || c == '/' || c == '.' || c == '-' || c == '_'))
            return false;
    }
    return true;
}

bool isAddress(QByteArrayView text)
{
    constexpr qsizetype longest = 43; // of IPv6 with its prefix
    constexpr qsizetype longestPart = 4;
    qsizetype part = 0;
    for (const char c : text) {
        part = isHexDigit(c) ? part + 1 : 0;
        if (part > longestPart || !(isHexDigit(c) || c == '.' || c == ':' || c == '/'))
            return false;
    }
    return text.size() <= longest && (text.contains('.') || text.contains(':'));
}

} // namespace

bool isCniKey(QByteArrayView name)
{
    static const std::set<std::string> all(std::begin(keys), std::end(keys));
    return all.count(name.toByteArray().toLower().toStdString()) > 0;
}

bool isPlainValue(QByteArrayView text)
{
    return text.isEmpty() || isWord(text) || isPath(text) || isAddress(text);
}

} // namespace firstwatch::journal
