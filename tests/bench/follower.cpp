// SPDX-License-Identifier: Apache-2.0
#include "follower.h"

#include "figures.h"

#include <QCoreApplication>
#include <QDeadlineTimer>

#include <cmath>
#include <limits>

namespace firstwatch::bench {
namespace {

constexpr int patienceMs = 20'000;
constexpr double never = std::numeric_limits<double>::quiet_NaN();

stream::Endpoint endpointAt(const std::string &socketPath)
{
    return { stream::Endpoint::Kind::Local, QString::fromStdString(socketPath), {}, 0, {} };
}

stream::Client::Options named()
{
    stream::Client::Options options;
    options.name = QStringLiteral("bench");
    return options;
}

// Sleeps until something comes; false when that is too late.
template <typename Done> bool waitUntil(Done done, int ms = patienceMs)
{
    const QDeadlineTimer deadline(ms, Qt::PreciseTimer);
    while (!done() && !deadline.hasExpired())
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, int(deadline.remainingTime()));
    return done();
}

double msSince(int64_t ns)
{
    return double(nowNs() - ns) / 1e6;
}

} // namespace

Follower::Follower(const std::string &socketPath)
    : m_client(endpointAt(socketPath), named())
{
    QObject::connect(&m_client, &stream::Client::happened, &m_client,
        [this](const journal::Event &event, const QByteArray &) { take(event); });
    m_client.start();
    if (!waitUntil([this] { return m_client.link() == stream::Client::Link::Live; }))
        qFatal("the stream at %s cannot be followed", socketPath.c_str());
}

void Follower::take(const journal::Event &event)
{
    if (event.tNs < m_sinceNs)
        return;
    if (event.kind == journal::Kind::FileChange && std::isnan(m_heard.change))
        m_heard.change = msSince(m_sinceNs);
    if (event.kind != journal::Kind::PatchApplied || !std::isnan(m_heard.patch))
        return;
    m_heard.patch = msSince(m_sinceNs);
    m_heard.carried = msSince(event.tNs);
}

Follower::Heard Follower::hear(int64_t sinceNs)
{
    m_sinceNs = sinceNs;
    m_heard = { never, never, never };
    (void)waitUntil([this] { return !std::isnan(m_heard.patch); });
    return m_heard;
}

void Follower::rest(int us)
{
    (void)waitUntil([] { return false; }, us / 1000);
}

} // namespace firstwatch::bench
