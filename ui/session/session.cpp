// SPDX-License-Identifier: Apache-2.0
#include "ui/session/session.h"

#include "ui/session/livenode.h"
#include "ui/session/recording.h"

#include <utility>

namespace firstwatch::ui {

using stream::Client;

namespace {

constexpr int togetherMs = 100;
constexpr int ageMs = 1000;
constexpr qsizetype mostEvents = 200'000; // of a node that is followed for weeks: the oldest go

} // namespace

Session::Session(const QByteArray &path, QObject *parent)
    : QObject(parent)
    , m_node(readRecording(path, {}))
{
}

Session::Session(const stream::Endpoint &endpoint, const Client::Options &options, QObject *parent)
    : QObject(parent)
    , m_endpoint(endpoint)
    , m_client(std::make_unique<Client>(endpoint, options))
{
    m_soon.setSingleShot(true);
    connect(&m_soon, &QTimer::timeout, this, &Session::refresh);
    connect(&m_age, &QTimer::timeout, this, &Session::refresh);
    connect(m_client.get(), &Client::happened, this, &Session::take);
    connect(m_client.get(), &Client::snapshot, this, &Session::soon);
    connect(m_client.get(), &Client::linkChanged, this, &Session::soon);
    connect(m_client.get(), &Client::gap, this, [this](quint64 from, quint64 to, const QString &why) {
        m_node.gaps.append({ from, to, why });
        soon();
    });
    m_node = liveNode(endpoint, *m_client);
}

Session::~Session() = default;

void Session::start()
{
    if (m_client == nullptr)
        return;
    m_age.start(ageMs);
    m_client->start();
}

Session::Link Session::link() const
{
    if (m_client == nullptr)
        return Link::Recorded;
    switch (m_client->link()) {
    case Client::Link::Connecting:
        return Link::Connecting;
    case Client::Link::Live:
        return Link::Live;
    case Client::Link::Lost:
        return Link::Lost;
    case Client::Link::Refused:
        break;
    }
    return Link::Refused;
}

QString Session::trouble() const
{
    return m_client == nullptr ? m_node.trouble : m_client->trouble();
}

int Session::retryInMs() const
{
    return m_client == nullptr ? -1 : m_client->retryInMs();
}

void Session::showRun(const QByteArray &boot)
{
    if (m_client == nullptr && ui::showRun(m_node, boot))
        Q_EMIT changed();
}

void Session::take(const journal::Event &event)
{
    m_node.events.append(event);
    if (m_node.events.size() > mostEvents)
        m_node.events.remove(0, mostEvents / 10);
    m_lastHeardUs = journal::wallNowUs();
    soon();
}

void Session::askForDiff(const QByteArray &boot, quint64 seq)
{
    if (m_client == nullptr || link() != Link::Live || boot != m_client->view().boot)
        return;
    m_wantedDiffs.append(seq);
    if (m_diffs != nullptr)
        return;
    m_diffs = std::make_unique<stream::DiffRequest>(*m_client, std::exchange(m_wantedDiffs, {}));
    connect(m_diffs.get(), &stream::DiffRequest::done, this, &Session::takeDiffs);
    m_diffs->start();
}

void Session::takeDiffs()
{
    m_node.diffs += m_diffs->diffs();
    m_node.diffTrouble = m_diffs->trouble();
    m_diffs.release()->deleteLater(); // it is the one that speaks
    if (!m_wantedDiffs.isEmpty())
        askForDiff(m_client->view().boot, m_wantedDiffs.takeLast());
    soon();
}

void Session::soon()
{
    if (!m_soon.isActive())
        m_soon.start(togetherMs);
}

void Session::refresh()
{
    Node now = liveNode(m_endpoint, *m_client);
    now.events = std::move(m_node.events);
    now.gaps = std::move(m_node.gaps);
    now.diffs = std::move(m_node.diffs);
    now.diffTrouble = std::move(m_node.diffTrouble);
    m_node = std::move(now);
    Q_EMIT changed();
}

} // namespace firstwatch::ui
