// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace firstwatch::bench {

// One node as an installer sees it: host directories, a source of binaries, a service account. Removed with the object.
class World {
public:
    explicit World(const std::filesystem::path &base);
    ~World();
    World(const World &) = delete;
    World &operator=(const World &) = delete;

    [[nodiscard]] std::filesystem::path netDir() const { return m_root / "host/etc/cni/net.d"; }
    [[nodiscard]] std::filesystem::path streamSocket() const { return m_root / "run/stream.sock"; }
    void setEnvironment() const; // of the calling process: for use between fork and exec

    void writeByRename(const std::string &name, int sequence) const;
    // Its two steps: only the second one is a change for whoever watches.
    void prepare(const std::string &name, int sequence) const;
    void rename(const std::string &name) const;
    void writeInPlace(const std::string &name, int sequence) const;
    // True when the file holds our plugin and this number: the patched form of what was written.
    [[nodiscard]] bool isPatched(const std::string &name, int sequence) const;

private:
    std::filesystem::path m_root;
};

} // namespace firstwatch::bench
