// SPDX-License-Identifier: Apache-2.0
#include "app/firstwatch/live.h"

#include "journal/findingcodes.h"
#include "journal/shownname.h"
#include "stream/diffrequest.h"
#include "ui/session/livenode.h"
#include "ui/text/patches.h"
#include "ui/text/units.h"

#include <QEventLoop>
#include <QTimer>

#include <algorithm>

namespace firstwatch::cli {

using stream::Client;

namespace {

constexpr qint64 nsPerMs = 1'000'000;
constexpr qint64 usualTimeoutNs = 10'000 * nsPerMs;
constexpr qint64 waitTimeoutNs = 120'000 * nsPerMs;
constexpr int lookMs = 200; // BLIND and STARTING come with time alone

qint64 timeoutNs(const Options &options)
{
    return options.timeoutNs.value_or(options.wait ? waitTimeoutNs : usualTimeoutNs);
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
        ui::Node node = ui::liveNode(m_endpoint, m_client);
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
        if (m_client.link() == Client::Link::Live && ui::liveNode(m_endpoint, m_client).word() == *m_options.wait)
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

bool linkOptions(const Options &options, Client::Options &link, QString &error)
{
    link.name = QStringLiteral("firstwatch/" FIRSTWATCH_VERSION " cli");
    if (options.keyFile.isEmpty())
        return true;
    const std::optional<QByteArray> key = ui::keyFromFile(options.keyFile, error);
    if (!key)
        return false;
    link.key = *key;
    return true;
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
