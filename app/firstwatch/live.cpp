// SPDX-License-Identifier: Apache-2.0
#include "app/firstwatch/live.h"

#include "journal/findingcodes.h"
#include "journal/shownname.h"
#include "stream/diffrequest.h"
#include "sys/clock.h"
#include "ui/text/patches.h"
#include "ui/text/units.h"

#include <QEventLoop>
#include <QFile>
#include <QTimer>

#include <algorithm>

namespace firstwatch::cli {

using stream::Client;

namespace {

constexpr qint64 nsPerMs = 1'000'000;
constexpr qint64 usualTimeoutNs = 10'000 * nsPerMs;
constexpr qint64 waitTimeoutNs = 120'000 * nsPerMs;
constexpr int lookMs = 200; // BLIND and STARTING come with time alone
constexpr qsizetype longestKey = 1024;

qint64 timeoutNs(const Options &options)
{
    return options.timeoutNs.value_or(options.wait ? waitTimeoutNs : usualTimeoutNs);
}

// CLOCK_BOOTTIME of the node: this machine's own on its socket.
qint64 nowNs(const stream::Endpoint &endpoint, const journal::NodeView &view)
{
    if (endpoint.kind == stream::Endpoint::Kind::Local)
        return sys::bootTimeNs();
    return remoteNowNs(view);
}

// One link, until it has told all, or is in the state that is waited for, or there is no time left.
class Asking final : public QObject {
public:
    Asking(const stream::Endpoint &endpoint, const Options &options, const Client::Options &link)
        : m_endpoint(endpoint)
        , m_options(options)
        , m_client(endpoint, link)
    {
        connect(
            &m_client, &Client::happened, this, [this](const journal::Event &event) { m_node.events.append(event); });
        connect(&m_client, &Client::gap, this, [this](quint64 from, quint64 to, const QString &why) {
            m_node.gaps.append({ from, to, why });
        });
        connect(&m_client, &Client::done, this, [this] { askForDiffs(); });
        connect(&m_client, &Client::linkChanged, this, [this](Client::Link now) { linked(now); });
        connect(&m_look, &QTimer::timeout, this, [this] { look(); });
        connect(&m_limit, &QTimer::timeout, this, [this] { m_loop.quit(); });
        m_limit.setSingleShot(true);
    }

    ui::Node run()
    {
        m_limit.start(timeoutMs(m_options));
        if (m_options.wait)
            m_look.start(lookMs);
        // Not before the loop runs: what fails at once ends it at once.
        QTimer::singleShot(0, &m_client, &Client::start);
        m_loop.exec();
        ui::Node node = nodeOf(m_endpoint, m_client);
        node.events = std::move(m_node.events);
        node.gaps = m_node.gaps;
        if (m_diffs) {
            node.diffs = m_diffs->diffs();
            node.diffTrouble = m_diffs->trouble();
        }
        if (!m_wasLive)
            explain(node);
        return node;
    }

private:
    void linked(Client::Link link)
    {
        m_wasLive = m_wasLive || link == Client::Link::Live;
        if (link == Client::Link::Refused)
            m_loop.quit();
        else if (link == Client::Link::Lost)
            m_why = m_client.trouble();
    }

    void askForDiffs()
    {
        if (!m_options.wantsDiffs || m_client.link() != Client::Link::Live)
            return m_loop.quit();
        m_diffs = std::make_unique<stream::DiffRequest>(m_client, ui::patchSeqs(m_node.events, m_options.filter));
        connect(m_diffs.get(), &stream::DiffRequest::done, &m_loop, &QEventLoop::quit);
        m_diffs->start();
    }

    void look()
    {
        if (m_client.link() == Client::Link::Live && nodeOf(m_endpoint, m_client).word() == *m_options.wait)
            m_loop.quit();
    }

    void explain(ui::Node &node) const
    {
        const QString why = m_client.trouble().isEmpty() ? m_why : m_client.trouble();
        node.troubleCode = m_client.troubleCode();
        node.trouble =
            why.isEmpty() ? QStringLiteral("no answer within %1").arg(ui::spanText(timeoutNs(m_options))) : why;
    }

    const stream::Endpoint &m_endpoint;
    const Options &m_options;
    Client m_client;
    std::unique_ptr<stream::DiffRequest> m_diffs;
    QEventLoop m_loop;
    QTimer m_look;
    QTimer m_limit;
    ui::Node m_node;
    QString m_why; // of the last try that failed
    bool m_wasLive = false;
};

} // namespace

int timeoutMs(const Options &options)
{
    return int(std::clamp<qint64>(timeoutNs(options) / nsPerMs, 1, std::numeric_limits<int>::max()));
}

qint64 remoteNowNs(const journal::NodeView &view)
{
    return view.tNs + std::max<qint64>(journal::wallNowUs() - view.wallUs, 0) * 1000;
}

bool linkOptions(const Options &options, Client::Options &link, QString &error)
{
    link.name = QStringLiteral("firstwatch/" FIRSTWATCH_VERSION " cli");
    if (options.keyFile.isEmpty())
        return true;
    QFile file(QFile::decodeName(options.keyFile));
    if (!file.open(QIODevice::ReadOnly)) {
        error = QStringLiteral("the key file %1 cannot be read: %2")
                    .arg(journal::shownName(options.keyFile), file.errorString());
        return false;
    }
    link.key = file.read(longestKey);
    if (link.key.endsWith('\n')) // as the service reads its own
        link.key.chop(1);
    return true;
}

ui::Node nodeOf(const stream::Endpoint &endpoint, const Client &client)
{
    ui::Node node;
    node.source = journal::shownText(endpoint.shown());
    node.isLive = true;
    node.view = client.view();
    node.isShortened = client.isShortened();
    node.nowNs = nowNs(endpoint, client.view());
    node.nowUs = journal::wallNowUs();
    if (node.view.process.node.isEmpty()) // its start is not among the events that it still has
        node.view.process.node = client.server().node;
    return node;
}

ui::Node askNode(const stream::Endpoint &endpoint, const Options &options)
{
    Client::Options link;
    ui::Node node;
    if (!linkOptions(options, link, node.trouble)) {
        node.source = journal::shownText(endpoint.shown());
        node.troubleCode = journal::code::keyRefused;
        return node;
    }
    link.follow = options.wait.has_value();
    return Asking(endpoint, options, link).run();
}

} // namespace firstwatch::cli
