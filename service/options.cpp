// SPDX-License-Identifier: Apache-2.0
#include "service/options.h"

#include "service/listenaddress.h"
#include "service/serverurl.h"

#include "journal/event.h"

#include <algorithm>

namespace firstwatch::service {
namespace {

using journal::shownName;

QString wrong(const QByteArray &value, const char *wayOut)
{
    return QStringLiteral("'%1' cannot be used: %2").arg(shownName(value), QLatin1String(wayOut));
}

bool hasControlCharacters(const QByteArray &value)
{
    return std::any_of(value.begin(), value.end(), [](char c) { return uchar(c) < 0x20 || c == 0x7f; });
}

template <typename Member> using Field = Member Settings::*;

// ---- paths and names ---------------------------------------------------------------------------------------------

template <Field<QByteArray> field> QString setPath(Settings &settings, const QByteArray &value)
{
    if (!value.startsWith('/') || hasControlCharacters(value))
        return wrong(value, "give an absolute path without control characters");
    QByteArray path = value;
    while (path.size() > 1 && path.endsWith('/'))
        path.chop(1);
    settings.*field = path;
    return {};
}

QString setMountPrefix(Settings &settings, const QByteArray &value)
{
    QString error = setPath<&Settings::mountPrefix>(settings, value);
    if (settings.mountPrefix == "/")
        settings.mountPrefix.clear();
    return error;
}

QString setKubeconfigName(Settings &settings, const QByteArray &value)
{
    // Room for the characters around the name of a temporary file.
    constexpr qsizetype longest = 200;
    if (value.contains('/') || value == "." || value == ".." || value.size() > longest || hasControlCharacters(value))
        return wrong(value, "give the name of a file, of at most 200 bytes and without a slash");
    if (conflist::isConfigName(value))
        return wrong(value, "a container runtime would load it as a network: give a name with another ending");
    settings.kubeconfigName = value;
    return {};
}

QString setFiles(Settings &settings, const QByteArray &value)
{
    for (const QByteArray &path : value.split(':')) {
        if (!path.startsWith('/') || hasControlCharacters(path))
            return wrong(value, "give absolute paths, separated by ':'");
    }
    settings.networkConfigFiles = value.split(':');
    return {};
}

QString setExclude(Settings &settings, const QByteArray &value)
{
    settings.exclude = value.split(':');
    settings.exclude.removeAll(QByteArray());
    return {};
}

template <Field<QByteArray> field> QString showBytes(const Settings &settings)
{
    return shownName(settings.*field);
}

template <Field<QByteArrayList> field> QString showList(const Settings &settings)
{
    return shownName((settings.*field).join(':'));
}

QString showMountPrefix(const Settings &settings)
{
    return settings.mountPrefix.isEmpty() ? QStringLiteral("/") : shownName(settings.mountPrefix);
}

QString showCaFile(const Settings &settings)
{
    return shownName(settings.kubeCaFile.isEmpty() ? settings.serviceAccountDir + "/ca.crt" : settings.kubeCaFile);
}

QString showReadyFile(const Settings &settings)
{
    return shownName(settings.readyPath());
}

QString setOnceTimeout(Settings &settings, const QByteArray &value)
{
    constexpr int aDay = 86'400;
    const bool digits = std::all_of(value.begin(), value.end(), [](char c) { return c >= '0' && c <= '9'; });
    bool fits = false;
    const int seconds = value.toInt(&fits);
    if (!digits || !fits || seconds > aDay)
        return wrong(value, "give whole seconds up to a day (86400), or 0 for no limit");
    settings.onceTimeoutS = seconds;
    return {};
}

QString showOnceTimeout(const Settings &settings)
{
    return QString::number(settings.onceTimeoutS);
}

// ---- the template ------------------------------------------------------------------------------------------------

QString setNetworkConfig(Settings &settings, const QByteArray &value)
{
    settings.networkConfig = value;
    return {};
}

QString showNetworkConfig(const Settings &settings)
{
    const QByteArray &text = settings.networkConfig;
    if (text.isEmpty())
        return {};
    conflist::PluginTemplate::Error error;
    const auto plugin = conflist::PluginTemplate::parse(text, settings.kubeconfigPath(), error);
    const QString type = plugin ? shownName(plugin->type()) : QStringLiteral("not usable");
    return QStringLiteral("%1, %2 bytes").arg(type).arg(text.size());
}

// ---- switches and words ------------------------------------------------------------------------------------------

template <Field<bool> field> QString setSwitch(Settings &settings, const QByteArray &value)
{
    const QByteArray word = value.toLower();
    const bool on = word == "true" || word == "1" || word == "yes" || word == "on";
    if (!on && word != "false" && word != "0" && word != "no" && word != "off")
        return wrong(value, "give true or false");
    settings.*field = on;
    return {};
}

template <Field<bool> field> QString showSwitch(const Settings &settings)
{
    return settings.*field ? QStringLiteral("true") : QStringLiteral("false");
}

template <typename Enum> struct Word {
    const char *name;
    Enum value;
};

constexpr Word<Scope> scopes[]{ { "all", Scope::All }, { "active", Scope::Active } };
constexpr Word<conflist::ChainPosition> positions[]{ { "last", conflist::ChainPosition::Last },
    { "keep", conflist::ChainPosition::Keep } };
constexpr Word<TokenForm> tokenForms[]{ { "inline", TokenForm::Inline }, { "file", TokenForm::File } };
constexpr Word<journal::LogLevel> logLevels[]{ { "debug", journal::LogLevel::Debug },
    { "info", journal::LogLevel::Info }, { "warning", journal::LogLevel::Warning },
    { "error", journal::LogLevel::Error } };
constexpr Word<journal::LogFormat> logFormats[]{ { "auto", journal::LogFormat::Auto },
    { "text", journal::LogFormat::Text }, { "json", journal::LogFormat::Json } };

template <auto field, const auto &words> QString setWord(Settings &settings, const QByteArray &value)
{
    QByteArrayList names;
    for (const auto &word : words) {
        if (value == word.name) {
            settings.*field = word.value;
            return {};
        }
        names.append(word.name);
    }
    return wrong(value, QByteArray("give one of " + names.join(", ")).constData());
}

template <auto field, const auto &words> QString showWord(const Settings &settings)
{
    const auto *found = std::find_if(
        std::begin(words), std::end(words), [&](const auto &word) { return word.value == settings.*field; });
    return QLatin1String(found->name);
}

// ---- stream ------------------------------------------------------------------------------------------------------

QString setNodeName(Settings &settings, const QByteArray &value)
{
    constexpr qsizetype longest = 253; // of a DNS subdomain, which the name of a Node is (RFC 1123)
    if (value.size() > longest || hasControlCharacters(value))
        return wrong(value, "give the name of a node, of at most 253 bytes");
    settings.nodeName = value;
    return {};
}

QString setStreamSocket(Settings &settings, const QByteArray &value)
{
    if (value != "none")
        return setPath<&Settings::streamSocket>(settings, value);
    settings.streamSocket = value;
    return {};
}

QString showStreamSocket(const Settings &settings)
{
    const QByteArray path = settings.streamSocketPath();
    return path.isEmpty() ? QStringLiteral("none") : shownName(path);
}

QString setStreamGroup(Settings &settings, const QByteArray &value)
{
    constexpr gid_t overflow = 65534; // nogroup, and whoever is of a group that this user namespace does not know
    const bool digits = std::all_of(value.begin(), value.end(), [](char c) { return c >= '0' && c <= '9'; });
    bool fits = false;
    const gid_t group = value.toUInt(&fits);
    if (!digits || !fits || group == overflow || group == gid_t(-1))
        return wrong(value, "give the number of a group, as getent group NAME shows it, and not 65534");
    settings.streamGroup = group;
    return {};
}

QString showStreamGroup(const Settings &settings)
{
    return settings.streamGroup ? QString::number(*settings.streamGroup) : QString();
}

template <Field<quint16> field> QString setPort(Settings &settings, const QByteArray &value)
{
    const bool digits = std::all_of(value.begin(), value.end(), [](char c) { return c >= '0' && c <= '9'; });
    bool fits = false;
    const quint16 port = value.toUShort(&fits);
    if (!digits || !fits)
        return wrong(value, "give a port from 1 to 65535, or 0 for none");
    settings.*field = port;
    return {};
}

template <Field<quint16> field> QString showPort(const Settings &settings)
{
    return QString::number(settings.*field);
}

// ---- health ------------------------------------------------------------------------------------------------------

QString setHealthAddress(Settings &settings, const QByteArray &value)
{
    const auto address = ListenAddress::parse(value);
    if (!address)
        return wrong(value, "give an IPv4 or IPv6 address, or :: for all");
    settings.healthAddress = address->text();
    return {};
}

// ---- kubeconfig --------------------------------------------------------------------------------------------------

QString setKubeconfigMode(Settings &settings, const QByteArray &value)
{
    const bool octal = std::all_of(value.begin(), value.end(), [](char c) { return c >= '0' && c <= '7'; });
    bool fits = false;
    const uint mode = value.toUInt(&fits, 8);
    if (!octal || !fits || mode > 0777)
        return wrong(value, "give an octal file mode such as 600");
    settings.kubeconfigMode = mode;
    return {};
}

QString showKubeconfigMode(const Settings &settings)
{
    return QStringLiteral("%1").arg(settings.kubeconfigMode, 3, 8, QLatin1Char('0'));
}

template <Field<QByteArray> field, QString (*check)(const QByteArray &)>
QString setChecked(Settings &settings, const QByteArray &value)
{
    QString error = check(value);
    if (error.isEmpty())
        settings.*field = value;
    return error;
}

} // namespace

const QList<Option> &allOptions()
{
    using S = Settings;
    static const QList<Option> options{
        { "Where things are", "--net-dir", "DEST_CNI_NET_DIR", "DIR", "CNI configs, host path", false,
            setPath<&S::netDir>, showBytes<&S::netDir> },
        { "Where things are", "--bin-dir", "DEST_CNI_BIN_DIR", "DIR", "CNI binaries, host path", false,
            setPath<&S::binDir>, showBytes<&S::binDir> },
        { "Where things are", "--mount-prefix", "CONTAINER_MOUNT_PREFIX", "DIR", "where the host's root is seen", false,
            setMountPrefix, showMountPrefix },
        { "Where things are", "--source-bin-dir", "CONTAINER_CNI_BIN_DIR", "DIR", "binaries to install", false,
            setPath<&S::sourceBinDir>, showBytes<&S::sourceBinDir> },
        { "Where things are", "--service-account-dir", "FIRSTWATCH_SERVICE_ACCOUNT_DIR", "DIR", "token and ca.crt",
            false, setPath<&S::serviceAccountDir>, showBytes<&S::serviceAccountDir> },
        { "Where things are", "--runtime-dir", "FIRSTWATCH_RUNTIME_DIR", "DIR", "lock, ready file, socket", false,
            setPath<&S::runtimeDir>, showBytes<&S::runtimeDir> },
        { "Where things are", "--history-dir", "FIRSTWATCH_HISTORY_DIR", "DIR", "what happened, kept over restarts",
            false, setPath<&S::historyDir>, showBytes<&S::historyDir> },
        { "Where things are", "--ready-file", "FIRSTWATCH_READY_FILE", "FILE", "there while proven and clean", false,
            setPath<&S::readyFile>, showReadyFile },
        { "What is patched, and how", "--network-config-file", "CNI_NETWORK_CONFIG_FILE", "FILE[:FILE...]",
            "plugin templates in chain order", true, setFiles, showList<&S::networkConfigFiles> },
        { "What is patched, and how", "--network-config", "CNI_NETWORK_CONFIG", "JSON", "the template itself", false,
            setNetworkConfig, showNetworkConfig },
        { "What is patched, and how", "--scope", "FIRSTWATCH_SCOPE", "all|active", "all configs, or the runtime's one",
            false, setWord<&S::scope, scopes>, showWord<&S::scope, scopes> },
        { "What is patched, and how", "--position", "FIRSTWATCH_POSITION", "last|keep", "move ours to the end, or not",
            false, setWord<&S::position, positions>, showWord<&S::position, positions> },
        { "What is patched, and how", "--exclude", "FIRSTWATCH_EXCLUDE", "GLOB", "leave these files alone; repeatable",
            true, setExclude, showList<&S::exclude> },
        { "What is patched, and how", "--once", "FIRSTWATCH_ONCE", nullptr, "one proven pass, then exit; patches stay",
            false, setSwitch<&S::once>, showSwitch<&S::once> },
        { "What is patched, and how", "--once-timeout", "FIRSTWATCH_ONCE_TIMEOUT", "SECONDS",
            "how long --once waits (60); 0: for ever", false, setOnceTimeout, showOnceTimeout },
        { "What is patched, and how", "--keep-on-exit", "FIRSTWATCH_KEEP_ON_EXIT", nullptr, "undo nothing at exit",
            false, setSwitch<&S::keepOnExit>, showSwitch<&S::keepOnExit> },
        { "What is patched, and how", "--poll", "FIRSTWATCH_POLL", nullptr, "look every 2 s instead of watching", false,
            setSwitch<&S::poll>, showSwitch<&S::poll> },
        { "Kubeconfig of the plugin", "--kubeconfig-name", "KUBECONFIG_FILE_NAME", "NAME", "its name in the net dir",
            false, setKubeconfigName, showBytes<&S::kubeconfigName> },
        { "Kubeconfig of the plugin", "--kubeconfig-mode", "KUBECONFIG_MODE", "OCTAL", "its file mode", false,
            setKubeconfigMode, showKubeconfigMode },
        { "Kubeconfig of the plugin", "--kubeconfig-token", "FIRSTWATCH_KUBECONFIG_TOKEN", "inline|file",
            "token inside, or in a file beside it", false, setWord<&S::kubeconfigToken, tokenForms>,
            showWord<&S::kubeconfigToken, tokenForms> },
        { "Kubeconfig of the plugin", "--kube-ca-file", "KUBE_CA_FILE", "FILE", "CA, else ca.crt beside the token",
            false, setPath<&S::kubeCaFile>, showCaFile },
        { "Kubeconfig of the plugin", "--skip-tls-verify", "SKIP_TLS_VERIFY", nullptr,
            "trust any server: for tests only", false, setSwitch<&S::skipTlsVerify>, showSwitch<&S::skipTlsVerify> },
        { "Kubeconfig of the plugin", "--service-protocol", "KUBERNETES_SERVICE_PROTOCOL", "NAME", "https or http",
            false, setChecked<&S::serviceProtocol, protocolError>, showBytes<&S::serviceProtocol> },
        { "Kubeconfig of the plugin", "--service-host", "KUBERNETES_SERVICE_HOST", "HOST",
            "API server, name or address", false, setChecked<&S::serviceHost, hostError>, showBytes<&S::serviceHost> },
        { "Kubeconfig of the plugin", "--service-port", "KUBERNETES_SERVICE_PORT", "PORT", "its port", false,
            setChecked<&S::servicePort, portError>, showBytes<&S::servicePort> },
        { "Stream (what happens, for tools)", "--node-name", "FIRSTWATCH_NODE_NAME", "NAME",
            "the cluster's name for this node (the host name)", false, setNodeName, showBytes<&S::nodeName> },
        { "Stream (what happens, for tools)", "--stream-socket", "FIRSTWATCH_STREAM_SOCKET", "FILE|none",
            "UNIX socket, for root only", false, setStreamSocket, showStreamSocket },
        { "Stream (what happens, for tools)", "--stream-group", "FIRSTWATCH_STREAM_GROUP", "GID",
            "and for whoever is in this group", false, setStreamGroup, showStreamGroup },
        { "Stream (what happens, for tools)", "--stream-port", "FIRSTWATCH_STREAM_PORT", "PORT",
            "TCP on 127.0.0.1 and ::1, 0: none", false, setPort<&S::streamPort>, showPort<&S::streamPort> },
        { "Stream (what happens, for tools)", "--stream-key-file", "FIRSTWATCH_STREAM_KEY_FILE", "FILE",
            "who connects there has to know this key", false, setPath<&S::streamKeyFile>,
            showBytes<&S::streamKeyFile> },
        { "Health (for probes and Prometheus)", "--health-port", "FIRSTWATCH_HEALTH_PORT", "PORT",
            "/livez, /readyz, /metrics; 0: none", false, setPort<&S::healthPort>, showPort<&S::healthPort> },
        { "Health (for probes and Prometheus)", "--health-address", "FIRSTWATCH_HEALTH_ADDRESS", "ADDRESS",
            "where it listens; :: is everywhere", false, setHealthAddress, showBytes<&S::healthAddress> },
        { "Log (on stderr)", "--log-level", "FIRSTWATCH_LOG_LEVEL", "LEVEL", "debug, info, warning or error", false,
            setWord<&S::logLevel, logLevels>, showWord<&S::logLevel, logLevels> },
        { "Log (on stderr)", "--log-format", "FIRSTWATCH_LOG_FORMAT", "FORMAT", "auto, text or json", false,
            setWord<&S::logFormat, logFormats>, showWord<&S::logFormat, logFormats> },
    };
    return options;
}

} // namespace firstwatch::service
