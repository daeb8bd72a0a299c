// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conflist/finding.h"
#include "conflist/plan.h"
#include "journal/log.h"

#include <QByteArrayList>
#include <QHash>

#include <optional>
#include <sys/types.h>
#include <variant>

namespace firstwatch::service {

enum class Command { Run, Cleanup, Config, Probe, Relay };
enum class ProbeTarget { Live, Ready }; // what `firstwatchd probe` is asked about
enum class Origin { Default, Environment, Flag };
[[nodiscard]] QString originName(Origin origin); // "default", "environment", "flag"
enum class Scope { All, Active }; // every eligible file, or the one the runtime would use
enum class TokenForm { Inline, File }; // the token in the kubeconfig, or "tokenFile" beside it

// Everything that can be set, with the defaults. Paths are absolute bytes without a slash at the end. Host paths are
// as the node sees them: the directory worked on is mountPrefix + host path.
struct Settings {
    Command command = Command::Run;
    ProbeTarget probeTarget = ProbeTarget::Live;

    QByteArray netDir = "/etc/cni/net.d"; // host path
    QByteArray binDir = "/opt/cni/bin"; // host path
    QByteArray mountPrefix = "/host"; // empty: the host's root is ours
    QByteArray sourceBinDir = "/opt/cni/bin";

    QByteArray networkConfig; // the template itself
    QByteArrayList networkConfigFiles;

    QByteArray kubeconfigName = "ZZZ-linkerd-cni-kubeconfig"; // a name in netDir
    mode_t kubeconfigMode = 0600;
    TokenForm kubeconfigToken = TokenForm::Inline;
    QByteArray kubeCaFile; // empty: ca.crt beside the token
    bool skipTlsVerify = false;
    QByteArray serviceProtocol = "https";
    QByteArray serviceHost; // checked when set; needed once there is a token to write
    QByteArray servicePort;
    QByteArray serviceAccountDir = "/var/run/secrets/kubernetes.io/serviceaccount";

    bool once = false;
    int onceTimeoutS = 60; // 0: none
    bool keepOnExit = false;
    bool poll = false;
    Scope scope = Scope::All;
    conflist::ChainPosition position = conflist::ChainPosition::Last;
    QByteArrayList exclude; // globs on file names

    QByteArray runtimeDir = "/run/firstwatch";
    QByteArray historyDir = "/var/lib/firstwatch";
    QByteArray readyFile; // empty: "ready" in runtimeDir
    QByteArray streamSocket; // empty: "stream.sock" in runtimeDir; "none": no socket
    std::optional<gid_t> streamGroup; // who may use it besides root and our own user
    QByteArray nodeName; // as its cluster calls it; empty: the machine's host name
    quint16 streamPort = 0; // on the loopback; 0: none
    QByteArray streamKeyFile; // empty: no challenge on that port
    quint16 healthPort = 0; // 0: none
    QByteArray healthAddress = "127.0.0.1"; // as ListenAddress takes it
    journal::LogLevel logLevel = journal::LogLevel::Info;
    journal::LogFormat logFormat = journal::LogFormat::Auto;

    QHash<QByteArray, Origin> origins; // by flag; what is not in it has its default
    QList<Finding> findings; // allowed, but not wise

    [[nodiscard]] QByteArray kubeconfigPath() const { return netDir + '/' + kubeconfigName; } // host path
    // Empty: no socket.
    [[nodiscard]] QByteArray streamSocketPath() const
    {
        return streamSocket.isEmpty() ? runtimeDir + "/stream.sock"
            : streamSocket == "none"  ? QByteArray()
                                      : streamSocket;
    }
    [[nodiscard]] QString shownNodeName() const;
    [[nodiscard]] QByteArray readyPath() const { return readyFile.isEmpty() ? runtimeDir + "/ready" : readyFile; }
};

using Environment = QHash<QByteArray, QByteArray>;
// The environment of this process, as bytes.
[[nodiscard]] Environment processEnvironment();

// What to print instead of running: help or version (exit code 0, for stdout), or what is wrong (2, for stderr).
struct Printed {
    QByteArray text;
    int exitCode = 0;
};

// Flag before environment before default; an empty variable counts as unset. `arguments` without the program's name.
// Pure: reads and touches nothing else.
[[nodiscard]] std::variant<Settings, Printed> parseSettings(
    const QByteArrayList &arguments, const Environment &environment);

// The effective settings, one row each in the order of the help, for the `config` command. No value of the template is
// in it: it is shown as its type and length.
struct SettingRow {
    QByteArray flag; // "--net-dir"
    QByteArray variable; // "DEST_CNI_NET_DIR"
    QString value; // escaped for a terminal
    Origin origin = Origin::Default;
};
[[nodiscard]] QList<SettingRow> settingRows(const Settings &settings);
// The rows as an aligned table.
[[nodiscard]] QString settingsTable(const Settings &settings);

} // namespace firstwatch::service
