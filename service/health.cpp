// SPDX-License-Identifier: Apache-2.0
#include "service/health.h"

#include "service/metrics.h"
#include "sys/clock.h"

#include "journal/codes.h"

#include <algorithm>
#include <cerrno>

namespace firstwatch::service {
namespace {

using journal::FileWord;
using journal::NodeState;

constexpr qsizetype longestReason = 500;

QString filesText(const NodeState &state, FileWord word, const char *what)
{
    QStringList names;
    for (auto file = state.files().cbegin(); file != state.files().cend(); ++file) {
        if (file->word == word)
            names.append(file.key());
    }
    return names.isEmpty() ? QString() : names.join(QStringLiteral(", ")) + QLatin1String(what);
}

QString findingText(const NodeState &state)
{
    for (const NodeState::OpenFinding &finding : state.findings()) {
        const journal::CodeEntry *entry = journal::codeEntry(finding.code);
        if (entry != nullptr && entry->effect == journal::Effect::Degraded)
            return QStringLiteral("FW%1 %2").arg(finding.code, 4, 10, QLatin1Char('0')).arg(finding.text);
    }
    return {};
}

// The first that holds: a watch without proof, then the files by name, then what else is wrong.
QString reasonOf(const journal::NodeView &view)
{
    for (const QString &reason :
        { view.process.stopSummary, view.watch.trouble, filesText(view.state, FileWord::Drift, " without the plugin"),
            filesText(view.state, FileWord::Contested, " contested by another writer"), findingText(view.state),
            view.state.isProven() ? QString() : QStringLiteral("the watch is not proven yet") }) {
        if (!reason.isEmpty())
            return reason;
    }
    return QStringLiteral("not all of the node is as it should be yet, or it is being undone");
}

QByteArray oneLine(const QString &text)
{
    return text.simplified().left(longestReason).toUtf8() + '\n';
}

} // namespace

Health::Health(ListenAddress address, quint16 port, const stream::Server &server, HealthLimits limits)
    : m_address(std::move(address))
    , m_port(port)
    , m_limits(limits)
    , m_stream(server)
    , m_retry(this)
{
    m_retry.setSingleShot(true);
    connect(&m_retry, &QTimer::timeout, this, &Health::start);
    m_beaten.start();
}

void Health::start()
{
    sys::FileDescriptor listening = m_address.listen(m_port, HttpLimits::backlog);
    if (!listening.isValid()) {
        const QString why = qt_error_string(errno);
        m_retry.start(m_limits.retryMs);
        Q_EMIT refused(
            QStringLiteral("%1 cannot be opened: %2").arg(QString::fromLatin1(m_address.joined(m_port)), why));
        return;
    }
    m_http = std::make_unique<HttpServer>(
        std::move(listening), m_limits.http, [this](const QByteArray &path) { return answer(path); });
    Q_EMIT opened();
}

void Health::append(const journal::Event &event)
{
    m_unprotected.apply(event);
    m_arms += event.kind == journal::Kind::WatchArmed ? 1 : 0;
}

void Health::beat()
{
    m_beaten.start();
}

void Health::setReady(bool ready)
{
    m_ready = ready;
}

HttpAnswer Health::answer(const QByteArray &path) const
{
    if (path == "/livez")
        return live();
    if (path == "/readyz")
        return ready();
    if (path == "/metrics")
        return metrics();
    return { 404, "there are /livez, /readyz and /metrics\n" };
}

bool Health::hangs() const
{
    return m_beaten.hasExpired(m_limits.longestSilenceMs);
}

HttpAnswer Health::live() const
{
    if (hangs())
        return { 503, "hangs: the last heartbeat is " + QByteArray::number(m_beaten.elapsed() / 1000) + " s old\n" };
    return { 200, "live\n" };
}

HttpAnswer Health::ready() const
{
    if (hangs())
        return live();
    const journal::NodeView &view = m_stream.view();
    const QString word = journal::stateWord(view.state.word(sys::bootTimeNs()));
    if (m_ready)
        return { 200, oneLine(word) };
    return { 503, oneLine(word + QStringLiteral(": ") + reasonOf(view)) };
}

HttpAnswer Health::metrics() const
{
    const MetricsSource source{ m_stream.view(), m_unprotected, m_stream.counters(), std::max<qint64>(0, m_arms - 1),
        QStringLiteral(FIRSTWATCH_VERSION) };
    return { 200, metricsText(source, sys::bootTimeNs(), journal::wallNowUs()),
        "text/plain; version=0.0.4; charset=utf-8" };
}

} // namespace firstwatch::service
