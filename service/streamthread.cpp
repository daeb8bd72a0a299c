// SPDX-License-Identifier: Apache-2.0
#include "service/streamthread.h"

#include "journal/findingcodes.h"

#include <QJsonArray>

#include <unistd.h>
#include <utility>

namespace firstwatch::service {
namespace {

constexpr int longestStopMs = 1000; // of the seconds that a pod has for its end

// The kernel shows this limit in the first network namespace only (net/core/sysctl_net_core.c), and that is the node's.
// Where the node itself is a container (kind), its namespace looks like that of a pod.
bool isInHostNetwork()
{
    return ::access("/proc/sys/net/core/netdev_budget", F_OK) == 0;
}

QJsonObject shownConfig(const Settings &settings)
{
    QJsonArray rows;
    for (const SettingRow &row : settingRows(settings)) {
        rows.append(QJsonObject{ { QStringLiteral("flag"), QString::fromLatin1(row.flag) },
            { QStringLiteral("variable"), QString::fromLatin1(row.variable) }, { QStringLiteral("value"), row.value },
            { QStringLiteral("origin"), originName(row.origin) } });
    }
    return { { QStringLiteral("settings"), rows } };
}

stream::ServerOptions serverOptions(const Settings &settings, const StreamKey &key)
{
    stream::ServerOptions options;
    options.socketPath = settings.streamSocketPath();
    options.socketGroup = settings.streamGroup;
    options.tcpPort = settings.streamPort;
    options.tcpKey = key.bytes();
    options.needsKey = key.isAskedFor();
    options.inHostNetwork = isInHostNetwork();
    options.node = settings.shownNodeName();
    options.version = QStringLiteral(FIRSTWATCH_VERSION);
    options.config = shownConfig(settings);
    return options;
}

} // namespace

StreamThread::StreamThread(
    journal::Journal &journal, const Settings &settings, const Heartbeat &heartbeat, watch::Inotify &inotify)
    : m_key(settings, inotify, journal)
    , m_server(new stream::Server(serverOptions(settings, m_key)))
{
    connect(&m_key, &StreamKey::changed, m_server, &stream::Server::setKey);
    connect(&heartbeat, &Heartbeat::beaten, &m_key, &StreamKey::refresh); // where inotify cannot be had
    m_server->moveToThread(&m_thread);
    connect(m_server, &stream::Server::stopped, &m_thread, &QThread::quit, Qt::DirectConnection);
    connect(m_server, &stream::Server::problem, &journal, [&journal](int code, const QString &text) {
        journal.openFinding({ code, text });
    });
    connect(&journal, &journal::Journal::recorded, m_server, &stream::Server::append);
    if (settings.healthPort != 0)
        addHealth(journal, settings, heartbeat);
    connect(&m_thread, &QThread::finished, m_server, &QObject::deleteLater);
    catchUp(journal.ring());
    QMetaObject::invokeMethod(m_server, &stream::Server::start);
    m_thread.setObjectName(QStringLiteral("stream"));
    m_thread.start();
}

// It comes after the server in every list: gets each event after it, and is gone before it.
void StreamThread::addHealth(journal::Journal &journal, const Settings &settings, const Heartbeat &heartbeat)
{
    const auto address = ListenAddress::parse(settings.healthAddress);
    if (!address)
        return; // the settings hold none that does not parse
    m_health = new Health(*address, settings.healthPort, *m_server);
    m_health->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_health, &QObject::deleteLater);
    connect(m_health, &Health::refused, &journal, [&journal](const QString &why) {
        journal.openFinding({ journal::code::healthPort, why });
    });
    connect(m_health, &Health::opened, &journal, [&journal] { journal.closeFinding(journal::code::healthPort); });
    connect(&journal, &journal::Journal::recorded, m_health, &Health::append);
    connect(&heartbeat, &Heartbeat::beaten, m_health, &Health::beat);
    QMetaObject::invokeMethod(m_health, &Health::start);
}

void StreamThread::catchUp(const journal::Ring &ring)
{
    for (const journal::Ring::Entry &entry : ring.since(0)) {
        const std::optional<journal::Event> event = journal::fromLine(entry.line);
        if (!event)
            continue;
        QMetaObject::invokeMethod(
            m_server, [server = m_server, event = *event, line = entry.line] { server->append(event, line); });
        if (m_health)
            QMetaObject::invokeMethod(m_health, [health = m_health, event = *event] { health->append(event); });
    }
}

void StreamThread::tellTexts(quint64 seq, const QByteArray &name, const QByteArray &before, const QByteArray &after)
{
    QMetaObject::invokeMethod(
        m_server, [server = m_server, seq, name, before, after] { server->appendTexts(seq, name, before, after); });
}

void StreamThread::setReady(bool ready)
{
    if (m_health && std::exchange(m_ready, ready) != ready)
        QMetaObject::invokeMethod(m_health, [health = m_health, ready] { health->setReady(ready); });
}

StreamThread::~StreamThread()
{
    QMetaObject::invokeMethod(m_server, &stream::Server::stop);
    if (m_thread.wait(longestStopMs))
        return;
    m_thread.quit();
    m_thread.wait();
}

} // namespace firstwatch::service
