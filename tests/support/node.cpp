// SPDX-License-Identifier: Apache-2.0
#include "node.h"

#include "conflist/plan.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>

#include <algorithm>

namespace firstwatch::test {

using journal::Event;
using journal::Kind;

namespace {

constexpr char pluginTemplate[] = R"({"name":"linkerd-cni","type":"linkerd-cni","log_level":"info",)"
                                  R"("kubernetes":{"kubeconfig":"__KUBECONFIG_FILEPATH__"}})";

QByteArray made(const QByteArray &directory)
{
    if (!QDir().mkpath(QFile::decodeName(directory)))
        qFatal("%s cannot be made", directory.constData());
    return directory;
}

QByteArray contentOf(const QByteArray &path)
{
    QFile file(QFile::decodeName(path));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

bool hasFields(const Event &event, const QJsonObject &fields)
{
    const QStringList names = fields.keys();
    return std::all_of(
        names.begin(), names.end(), [&](const QString &name) { return event.fields[name] == fields[name]; });
}

} // namespace

std::optional<QByteArray> ownersText(const QByteArray &name, const QByteArray &text, const QByteArray &type)
{
    const QJsonArray plugins = QJsonDocument::fromJson(text)[QStringLiteral("plugins")].toArray();
    const auto isOurs = [&](const QJsonValue &plugin) {
        return plugin[QStringLiteral("type")].toString() == QString::fromUtf8(type);
    };
    if (plugins.isEmpty() || !isOurs(plugins.last()) || std::count_if(plugins.begin(), plugins.end(), isOurs) != 1)
        return {};
    const conflist::Plan plan = conflist::unplan(name, text, { type });
    return plan.action == conflist::Action::Patch ? std::optional(plan.text) : std::nullopt;
}

Node::Node()
    : net(made(path("host/etc/cni/net.d")))
    , bin(made(path("host/opt/cni/bin")))
    , source(made(path("source")))
    , m_environment({ { "PATH", qgetenv("PATH") }, { "LC_ALL", "C.UTF-8" }, { "CONTAINER_MOUNT_PREFIX", path("host") },
          { "CONTAINER_CNI_BIN_DIR", source.path() }, { "FIRSTWATCH_SERVICE_ACCOUNT_DIR", account.path() },
          { "FIRSTWATCH_RUNTIME_DIR", made(path("run")) }, { "FIRSTWATCH_HISTORY_DIR", made(path("history")) },
          { "FIRSTWATCH_LOG_LEVEL", "debug" }, { "FIRSTWATCH_LOG_FORMAT", "json" },
          { "KUBERNETES_SERVICE_HOST", "10.0.0.1" }, { "KUBERNETES_SERVICE_PORT", "443" },
          { "CNI_NETWORK_CONFIG", pluginTemplate } })
{
    source.writeInPlace(pluginType, "#!/bin/false\n");
    ::chmod(source.path(pluginType).constData(), 0755);
    account.rotate("token-of-the-test");
    for (const char *name : { "ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS" }) // a sanitized service has them as well
        set(name, qgetenv(name));
}

QByteArray Node::path(const QByteArray &below) const
{
    return QFile::encodeName(m_root.path()) + '/' + below;
}

void Node::set(const QByteArray &variable, const QByteArray &value)
{
    if (value.isEmpty())
        m_environment.remove(variable);
    else
        m_environment.insert(variable, value);
}

void Node::setFaults(const QByteArray &rules)
{
    set("FIRSTWATCH_FAULTS", rules);
}

void Node::start(const QByteArrayList &arguments)
{
    ::unlink(readyFile().constData()); // a killed run leaves it, and a test waits for that of this run
    ++m_run;
    m_events.clear();
    m_parsed = 0;
    QByteArrayList environment;
    for (auto variable = m_environment.cbegin(); variable != m_environment.cend(); ++variable)
        environment.append(variable.key() + '=' + variable.value());
    const char *program = m_environment.contains("FIRSTWATCH_FAULTS") ? FIRSTWATCHD_FAULTS : FIRSTWATCHD;
    const QByteArray number = QByteArray::number(m_run);
    process.start(m_wrapper + QByteArrayList{ program } + arguments, environment, path("stdout-" + number),
        m_stderr.isEmpty() ? path("stderr-" + number) : m_stderr);
}

bool Node::startReady(const QByteArray &name, const QByteArray &text, const QByteArrayList &arguments)
{
    net.writeInPlace(name, text);
    start(arguments);
    return waitReady();
}

bool Node::startAround(bool before, const std::function<void()> &happens)
{
    if (before)
        happens();
    start();
    const bool passed = waitFor(Kind::PassEnd).has_value();
    if (!before)
        happens();
    return passed;
}

std::optional<int> Node::run(const QByteArrayList &arguments)
{
    start(arguments);
    return process.wait();
}

std::optional<int> Node::stop()
{
    process.send(SIGTERM);
    return process.wait();
}

void Node::crash(int signal)
{
    process.send(signal);
    (void)process.wait();
}

void Node::removeNetDir() const
{
    if (!eventually([this] { return execute({ "rm", "-rf", net.path() }) == 0; }))
        qFatal("%s cannot be removed", net.path().constData());
}

QByteArray Node::output() const
{
    return contentOf(path("stdout-" + QByteArray::number(m_run)));
}

QByteArray Node::log() const
{
    return contentOf(path("stderr-" + QByteArray::number(m_run)));
}

QList<Event> Node::events()
{
    const QByteArray text = log();
    for (qint64 end = text.indexOf('\n', m_parsed); end >= 0; end = text.indexOf('\n', m_parsed)) {
        if (const std::optional<Event> event = journal::fromLine(text.sliced(m_parsed, end - m_parsed)))
            m_events.append(*event);
        m_parsed = end + 1;
    }
    return m_events;
}

QList<Event> Node::events(Kind kind, const QJsonObject &fields)
{
    QList<Event> all = events();
    all.removeIf([&](const Event &event) { return event.kind != kind || !hasFields(event, fields); });
    return all;
}

std::optional<Event> Node::waitFor(Kind kind, const QJsonObject &fields, int ms)
{
    QList<Event> found;
    (void)eventually(
        [&] {
            found = events(kind, fields);
            return !found.isEmpty();
        },
        ms);
    return found.isEmpty() ? std::nullopt : std::optional(found.first());
}

bool Node::waitForFinding(int code, const QByteArray &file)
{
    QJsonObject fields{ { QStringLiteral("code"), code } };
    if (!file.isEmpty())
        fields.insert(QStringLiteral("file"), QString::fromUtf8(file));
    return waitFor(Kind::FindingOpen, fields).has_value();
}

bool Node::hasOpenFinding(int code)
{
    const QJsonObject fields{ { QStringLiteral("code"), code } };
    const QList<Event> opened = events(Kind::FindingOpen, fields);
    const QList<Event> closed = events(Kind::FindingClose, fields);
    return !opened.isEmpty() && (closed.isEmpty() || closed.last().seq < opened.last().seq);
}

bool Node::isReady() const
{
    return QFile::exists(QFile::decodeName(readyFile()));
}

bool Node::waitReady() const
{
    return eventually([this] { return isReady(); });
}

bool Node::waitNotReady() const
{
    return eventually([this] { return !isReady(); });
}

bool Node::isPatched(const QByteArray &name, const QByteArray &text) const
{
    return ownersText(name, net.read(name)) == text;
}

bool Node::waitPatched(const QByteArray &name, const QByteArray &text) const
{
    return eventually([&] { return isPatched(name, text); });
}

QList<QByteArray> Node::leftovers() const
{
    QList<QByteArray> names = net.names() + bin.names();
    names.removeIf([](const QByteArray &name) { return !name.contains(".firstwatch-"); });
    return names;
}

} // namespace firstwatch::test
