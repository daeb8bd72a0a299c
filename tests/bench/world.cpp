// SPDX-License-Identifier: Apache-2.0
#include "world.h"

#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <unistd.h>

namespace firstwatch::bench {

namespace fs = std::filesystem;

namespace {

// What a primary CNI writes, with a number that tells one version from another.
std::string config(int sequence)
{
    return "{\n  \"name\": \"k8s-pod-network\",\n  \"cniVersion\": \"0.3.1\",\n  \"benchSequence\": "
        + std::to_string(sequence)
        + ",\n  \"plugins\": [\n    {\n      \"type\": \"calico\",\n      \"mtu\": 1440,\n      \"ipam\": {\"type\": "
          "\"calico-ipam\"}\n"
          "    },\n    {\n      \"type\": \"portmap\",\n      \"snat\": true\n    }\n  ]\n}\n";
}

void writeWhole(const fs::path &path, const std::string &text)
{
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0 || ::write(fd, text.data(), text.size()) != ssize_t(text.size()))
        std::abort(); // a full or unwritable --dir: no figure would mean anything
    ::close(fd);
}

} // namespace

World::World(const fs::path &base)
{
    std::string pattern = (base / "firstwatch-bench.XXXXXX").string();
    m_root = ::mkdtemp(pattern.data());
    for (const char *folder : { "host/etc/cni/net.d", "host/opt/cni/bin", "source", "account/..1", "run", "history" })
        fs::create_directories(m_root / folder);
    writeWhole(m_root / "source/bench-cni", "#!/bin/false\n");
    fs::permissions(m_root / "source/bench-cni", fs::perms::owner_all);
    writeWhole(m_root / "account/..1/token", "bench");
    writeWhole(m_root / "account/..1/ca.crt", "-----BEGIN CERTIFICATE-----\nYmVuY2g=\n-----END CERTIFICATE-----\n");
    fs::create_symlink("..1", m_root / "account/..data");
    fs::create_symlink("..data/token", m_root / "account/token");
    fs::create_symlink("..data/ca.crt", m_root / "account/ca.crt");
}

World::~World()
{
    std::error_code ignored;
    fs::remove_all(m_root, ignored);
}

void World::setEnvironment() const
{
    const auto set = [](const char *name, const std::string &value) { ::setenv(name, value.c_str(), 1); };
    set("CONTAINER_MOUNT_PREFIX", m_root / "host");
    set("DEST_CNI_NET_DIR", "/etc/cni/net.d");
    set("DEST_CNI_BIN_DIR", "/opt/cni/bin");
    set("CONTAINER_CNI_BIN_DIR", m_root / "source");
    set("KUBERNETES_SERVICE_HOST", "10.0.0.1");
    set("KUBERNETES_SERVICE_PORT", "443");
    set("CNI_NETWORK_CONFIG",
        R"({"name":"bench-cni","type":"bench-cni","kubernetes":{"kubeconfig":"__KUBECONFIG_FILEPATH__"}})");
    set("FIRSTWATCH_SERVICE_ACCOUNT_DIR", m_root / "account");
    set("FIRSTWATCH_RUNTIME_DIR", m_root / "run");
    set("FIRSTWATCH_HISTORY_DIR", m_root / "history");
}

void World::writeByRename(const std::string &name, int sequence) const
{
    prepare(name, sequence);
    rename(name);
}

void World::prepare(const std::string &name, int sequence) const
{
    writeWhole(netDir() / ("." + name + ".owner"), config(sequence));
}

void World::rename(const std::string &name) const
{
    fs::rename(netDir() / ("." + name + ".owner"), netDir() / name);
}

void World::writeInPlace(const std::string &name, int sequence) const
{
    writeWhole(netDir() / name, config(sequence));
}

bool World::isPatched(const std::string &name, int sequence) const
{
    std::array<char, 8192> buffer{};
    const int fd = ::open((netDir() / name).c_str(), O_RDONLY | O_CLOEXEC);
    const ssize_t size = fd < 0 ? 0 : ::read(fd, buffer.data(), buffer.size());
    if (fd >= 0)
        ::close(fd);
    const std::string_view text(buffer.data(), size_t(size > 0 ? size : 0));
    return text.find("\"bench-cni\"") != std::string_view::npos
        && text.find("\"benchSequence\": " + std::to_string(sequence) + ",") != std::string_view::npos;
}

} // namespace firstwatch::bench
