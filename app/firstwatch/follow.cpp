// SPDX-License-Identifier: Apache-2.0
#include "app/firstwatch/follow.h"

#include "app/firstwatch/live.h"
#include "app/firstwatch/sources.h"

#include "journal/findingcodes.h"
#include "stream/linesplitter.h"
#include "ui/text/json.h"
#include "ui/text/units.h"
#include "ui/text/yaml.h"

#include <QEventLoop>
#include <QTimer>

#include <algorithm>
#include <cerrno>
#include <unistd.h>

namespace firstwatch::cli {

using stream::Client;

namespace {

constexpr qsizetype usualBacklog = 20;

Client::Dial dialOf(const Source &source)
{
    if (const auto *nodes = std::get_if<ClusterNodes>(&source.where))
        return fleet::dialNode(nodes->cluster, nodes->pattern, nodes->carrier);
    const stream::Endpoint endpoint = std::get<stream::Endpoint>(source.where);
    return [endpoint] { return stream::Connection::make(endpoint); };
}

// One of many: a line of JSON, or a document of a stream of YAML.
void sayOne(Call &call, const QJsonObject &json)
{
    const bool hasUnicode = call.out.look().hasUnicode;
    call.out.data(call.options.output == QLatin1String("yaml") ? QByteArray("---\n" + ui::yamlText(json, hasUnicode))
                                                               : ui::jsonText(json, hasUnicode, false));
}

class Follower final : public QObject {
public:
    Follower(Call &call, const Client::Options &link)
        : m_call(call)
        , m_client(dialOf(call.options.sources.first()), link)
    {
        connect(&m_client, &Client::snapshot, this, [this](const journal::NodeView &view) { m_backlogSeq = view.seq; });
        connect(&m_client, &Client::happened, this, [this](const journal::Event &event) { take(event); });
        connect(&m_client, &Client::gap, this, [this](quint64 from, quint64 to, const QString &why) {
            sayGap({ from, to, why });
        });
        connect(&m_client, &Client::linkChanged, this, [this](Client::Link now) { linked(now); });
        connect(&m_limit, &QTimer::timeout, this, [this] { giveUp(QStringLiteral("no answer in time")); });
    }

    int run()
    {
        m_limit.setSingleShot(true);
        m_limit.start(timeoutMs(m_call.options));
        QTimer::singleShot(0, &m_client, &Client::start);
        return m_loop.exec();
    }

private:
    // What happened before is held back until all of it is there, so that only the last of it is shown.
    void take(const journal::Event &event)
    {
        if (!m_isCaughtUp) {
            m_backlog.append(event);
            if (event.seq >= m_backlogSeq)
                catchUp();
        } else if (m_call.options.filter.takes(event)) {
            show(event);
        }
    }

    void catchUp()
    {
        m_isCaughtUp = true;
        ui::EventFilter filter = m_call.options.filter;
        if (filter.last < 0 && !filter.terms.has(ui::Filter::Key::Since))
            filter.last = usualBacklog;
        for (const journal::Event &event : ui::filtered(m_backlog, filter))
            show(event);
        m_backlog.clear();
    }

    void show(const journal::Event &event)
    {
        Output &out = m_call.out;
        if (m_call.options.output == QLatin1String("raw"))
            out.data(ui::safeJson(journal::toLine(event), out.look().hasUnicode));
        else if (isDocument(m_call.options))
            sayOne(m_call, ui::eventJson(event));
        else
            out.data(ui::eventText(out.look(), event, false));
        if (out.isBroken())
            m_loop.exit(exitcode::notCollected);
    }

    void sayGap(const stream::Manifest::Gap &gap)
    {
        Output &out = m_call.out;
        if (isDocument(m_call.options))
            sayOne(m_call,
                { { QStringLiteral("schema"), QStringLiteral("firstwatch/v1") },
                    { QStringLiteral("type"), QStringLiteral("gap") }, { QStringLiteral("from"), qint64(gap.from) },
                    { QStringLiteral("to"), qint64(gap.to) }, { QStringLiteral("why"), gap.why } });
        else
            out.note(ui::gapText(gap));
        if (!m_isCaughtUp && gap.to >= m_backlogSeq)
            catchUp();
    }

    void linked(Client::Link link)
    {
        Output &out = m_call.out;
        if (link == Client::Link::Live) {
            m_limit.stop();
            if (m_wasLive)
                out.note(QStringLiteral("# link is back"));
            m_wasLive = true;
        } else if (link == Client::Link::Refused) {
            giveUp(m_client.trouble());
        } else if (link == Client::Link::Lost && !m_wasLive) {
            m_why = m_client.trouble();
            if (m_client.troubleCode() == journal::code::forbidden) // and will be until somebody changes the rules
                giveUp(m_why);
        } else if (link == Client::Link::Lost) {
            out.note(QStringLiteral("# link lost: %1; trying again in %2")
                         .arg(m_client.trouble(), ui::spanText(qint64(m_client.retryInMs()) * 1'000'000)));
        }
    }

    void giveUp(const QString &why)
    {
        const QString known = m_client.trouble().isEmpty() ? m_why : m_client.trouble();
        const QString trouble = known.isEmpty() ? why : known;
        sayTrouble(m_call.out, m_client.troubleCode(),
            m_call.options.sources.first().shown() + QStringLiteral(": ") + trouble);
        m_loop.exit(exitcode::notCollected);
    }

    Call &m_call;
    Client m_client;
    QEventLoop m_loop;
    QTimer m_limit;
    quint64 m_backlogSeq = 0;
    QList<journal::Event> m_backlog;
    bool m_isCaughtUp = false;
    bool m_wasLive = false;
    QString m_why; // of the last try, before the first that did
};

void showLine(Call &call, const QByteArray &line)
{
    const std::optional<journal::Event> event = stream::capturedEvent(line);
    if (!event || !call.options.filter.takes(*event))
        return;
    const bool hasUnicode = call.out.look().hasUnicode;
    if (call.options.output == QLatin1String("compact"))
        call.out.data(ui::eventText(call.out.look(), *event, false));
    else if (call.options.output == QLatin1String("yaml"))
        sayOne(call, ui::eventJson(*event));
    else
        call.out.data(ui::safeJson(journal::toLine(*event), hasUnicode));
}

// A log that is piped in, line by line as it comes.
int followInput(Call &call)
{
    stream::LineSplitter lines(stream::longestFrame);
    char bytes[16 * 1024];
    while (!call.out.isBroken()) {
        const ssize_t size = ::read(STDIN_FILENO, bytes, sizeof bytes);
        if (size < 0 && errno == EINTR)
            continue;
        if (size <= 0)
            break;
        if (!lines.append(QByteArray(bytes, qsizetype(size)))) {
            call.out.note(QStringLiteral("a line of more than %1 bytes is left out").arg(stream::longestFrame));
            lines = stream::LineSplitter(stream::longestFrame);
        }
        while (const std::optional<QByteArray> line = lines.next())
            showLine(call, *line);
    }
    return exitcode::nothing;
}

} // namespace

int follow(Call &call)
{
    const Source &source = call.options.sources.first();
    if (const auto *path = std::get_if<QByteArray>(&source.where)) {
        if (*path == "-")
            return followInput(call);
        call.out.error(QStringLiteral("-f follows a node or standard input, and %1 is a recording: leave out -f")
                           .arg(source.shown()));
        return exitcode::usage;
    }
    Client::Options link;
    QString error;
    if (!linkOptions(call.options, link, error)) {
        sayTrouble(call.out, journal::code::keyRefused, error);
        return exitcode::notCollected;
    }
    if (const auto *nodes = std::get_if<ClusterNodes>(&source.where))
        link.node = nodes->pattern;
    return Follower(call, link).run();
}

} // namespace firstwatch::cli
