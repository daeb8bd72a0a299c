// SPDX-License-Identifier: Apache-2.0
#include "service/service.h"

#include "journal/findingcodes.h"
#include "journal/shownname.h"
#include "service/cleanup.h"
#include "sys/clock.h"

#include <QRandomGenerator>

#include <unistd.h>

namespace firstwatch::service {

namespace code = journal::code;
using journal::Kind;
using patch::PassReason;

namespace {

constexpr int lockRetryMs = 100;
constexpr int longestStreamDelayMs = 500;
constexpr qsizetype mostUntoldBytes = 4LL * 1024 * 1024; // of texts that wait for the stream
constexpr int periodMs = 30'000;
constexpr int longestRestMs =
    3000; // before an end that keeps the patches, for a writer that keeps a replaced file open
constexpr int jitterMs = 6000; // either way, so that the nodes of a cluster do not read in step

watch::DirectoryWatch::Options watchOptions(const Settings &settings)
{
    watch::DirectoryWatch::Options options;
    options.prefix = settings.mountPrefix;
    options.hostPath = settings.netDir;
    options.forcePolling = settings.poll;
    return options;
}

} // namespace

patch::PatchOptions patchOptions(const Settings &settings, const Templates &templates)
{
    patch::PatchOptions options;
    options.chain.plugins = templates.plugins;
    options.chain.position = settings.position;
    options.hostDir = settings.netDir;
    options.excludes = settings.exclude;
    options.activeOnly = settings.scope == Scope::Active;
    return options;
}

Service::Service(Settings settings, Templates templates, QObject *parent)
    : QObject(parent)
    , m_settings(std::move(settings))
    , m_templates(std::move(templates))
    , m_watch(m_inotify, watchOptions(m_settings))
    , m_watchJournal(m_inotify, m_watch, m_journal)
    , m_reconciler(patchOptions(m_settings, m_templates), m_journal)
    , m_surroundings(m_settings, m_reconciler.options().chain.types(), m_inotify, m_journal)
    , m_readiness(m_settings.readyPath(), qgetenv("NOTIFY_SOCKET"))
{
    m_periodic.setSingleShot(true);
    m_periodic.setTimerType(Qt::VeryCoarseTimer);
    connectWatch();
    connect(&m_reconciler, &patch::Reconciler::settled, this, &Service::updateReadiness);
    connect(&m_reconciler, &patch::Reconciler::passDue, this, &Service::runPass);
    connect(&m_reconciler, &patch::Reconciler::patched, this, &Service::tellTexts);
    connect(&m_surroundings, &Surroundings::completeChanged, this, [this] {
        if (m_surroundings.isComplete())
            onEvidence(PassReason::Poll);
        else
            updateReadiness();
    });
    connect(&m_lockTimer, &QTimer::timeout, this, &Service::takeLock);
    connect(&m_periodic, &QTimer::timeout, this, &Service::periodicPass);
}

void Service::connectWatch()
{
    using watch::DirectoryWatch;
    // A watch that takes over from polling has seen no pass yet, and the state waits for one.
    connect(&m_watch, &DirectoryWatch::ready, this, [this] { onEvidence(PassReason::Rearm); });
    connect(&m_watch, &DirectoryWatch::pollDue, this, [this] { onEvidence(PassReason::Poll); });
    connect(&m_watch, &DirectoryWatch::changed, &m_reconciler, &patch::Reconciler::note);
    connect(&m_watch, &DirectoryWatch::lost, this, [this] {
        m_passed = false;
        m_reconciler.setDirectory(-1);
        m_netDirLock.release();
        updateReadiness();
    });
    connect(&m_inotify, &watch::Inotify::settled, &m_reconciler, &patch::Reconciler::settle);
    connect(&m_inotify, &watch::Inotify::overflowed, this, [this] { runPass(PassReason::Overflow); });
}

// The order is the promise: nothing that can take time comes before the watch. What does come before it, since no word
// of a killed run may outlive its proof, is one try for a lock and one unlink.
void Service::start()
{
    recordStart();
    m_lock = std::make_unique<InstanceLock>(
        QByteArrayList{ m_settings.runtimeDir, m_settings.historyDir }, m_settings.mountPrefix, m_settings.netDir);
    if (m_lock->tryTake())
        m_readiness.takeOverFile();
    m_watch.start();
    m_sinks = std::make_unique<Sinks>(m_journal, m_settings);
    for (const Finding &finding : m_lock->findings() + m_settings.findings + m_templates.findings)
        m_journal.openFinding(finding);
    m_waitingSinceNs = sys::bootTimeNs();
    if (m_settings.once)
        limitOnce();
    takeLock();
}

void Service::recordStart()
{
    m_journal.record(Kind::ProcessStart,
        { { QStringLiteral("version"), QStringLiteral(FIRSTWATCH_VERSION) },
            { QStringLiteral("pid"), qint64(::getpid()) }, { QStringLiteral("node"), m_settings.shownNodeName() },
            { QStringLiteral("net_dir"), journal::shownName(m_settings.mountPrefix + m_settings.netDir) } });
}

// The files in the runtime dir speak of the service that holds its lock. False while another one does.
bool Service::ownRuntimeDir()
{
    if (!m_lock->tryTake()) {
        (void)m_lock->waitAsNext(); // another one may stand there; we then wait behind it
        return false;
    }
    m_readiness.takeOverFile();
    if (m_heartbeat)
        return true;
    m_heartbeat = std::make_unique<Heartbeat>(m_settings.runtimeDir);
    QTimer::singleShot(longestStreamDelayMs, this, &Service::startStream);
    return true;
}

// After the first pass, or after the delay where there is none: nothing competes with it.
void Service::startStream()
{
    if (!m_stream && !m_stopped && !m_settings.once)
        m_stream = std::make_unique<StreamThread>(m_journal, m_settings, *m_heartbeat, m_inotify);
    for (const auto &tell : std::exchange(m_untold, {})) {
        if (m_stream)
            tell();
    }
    tellReadiness();
}

// The first pass comes before the stream, and its patches are worth telling of.
void Service::tellTexts(quint64 seq, const QByteArray &name, const QByteArray &before, const QByteArray &after)
{
    const bool isHeard = !m_settings.streamSocketPath().isEmpty() || m_settings.streamPort != 0;
    if (!isHeard || m_settings.once)
        return;
    if (m_stream)
        return m_stream->tellTexts(seq, name, before, after);
    m_untoldBytes += before.size() + after.size();
    if (m_untoldBytes <= mostUntoldBytes)
        m_untold.emplace_back([this, seq, name, before, after] { m_stream->tellTexts(seq, name, before, after); });
}

void Service::tellReadiness()
{
    if (m_stream)
        m_stream->setReady(m_readiness.isReady());
}

void Service::takeLock()
{
    if (!ownRuntimeDir())
        return waitForLock(QString::fromUtf8(m_lock->holder()));
    if (!m_netDirLock.tryTake(m_watch.directory()))
        return waitForLock(QStringLiteral("one with another runtime dir, so probably in another pod of this node"));
    m_lockTimer.stop();
    m_journal.closeFinding(code::lockHeld);
    m_journal.record(
        Kind::LockTaken, { { QStringLiteral("waited_ms"), (sys::bootTimeNs() - m_waitingSinceNs) / 1'000'000 } });
    begin();
}

void Service::waitForLock(const QString &holder)
{
    if (m_lockTimer.isActive())
        return;
    m_journal.record(Kind::LockWaiting, { { QStringLiteral("holder"), holder } });
    m_journal.openFinding({ code::lockHeld,
        QStringLiteral("another firstwatchd works on this net dir: %1; this one waits, its watch "
                       "proven, and goes on when the other stops")
            .arg(holder) });
    m_lockTimer.start(lockRetryMs);
    updateReadiness();
}

// The net dir was made again, and another one was first to lock it.
void Service::standBack()
{
    m_working = false;
    m_surroundings.stop();
    m_periodic.stop();
    m_waitingSinceNs = sys::bootTimeNs();
    takeLock();
}

void Service::begin()
{
    m_working = true;
    m_surroundings.start();
    (void)m_surroundings.refresh();
    schedulePeriodicPass();
    onEvidence(PassReason::Start);
}

// There is proof, or the labelled alternative: the first pass may run. `again` is what a later pass is for.
void Service::onEvidence(PassReason again)
{
    if (m_stopped) // events of the end itself come until the loop has ended
        return;
    if (!m_working || !m_watch.evidence())
        return updateReadiness();
    if (m_passed)
        return runPass(again);
    if (!m_netDirLock.tryTake(m_watch.directory()))
        return standBack();
    m_reconciler.setDirectory(m_watch.directory());
    // A new directory has no kubeconfig yet, and a config may not name what is not there.
    if (!m_surroundings.refresh())
        return updateReadiness();
    m_passed = true;
    if (m_onceLimit)
        m_onceLimit->stop();
    runPass(m_watch.rearms() > 0 ? PassReason::Rearm : PassReason::Start);
    if (m_settings.once)
        awaitRest(&Service::finishOnce);
}

void Service::limitOnce()
{
    m_onceLimit = std::make_unique<OnceLimit>(
        m_settings.onceTimeoutS, [this] { return awaited(); }, m_journal);
    connect(m_onceLimit.get(), &OnceLimit::passed, this,
        [this](const QString &summary) { endOnce(OnceLimit::exitCode, summary); });
    m_onceLimit->start();
}

// What keeps the first pass from its beginning. The details are in the findings.
QString Service::awaited() const
{
    if (!m_working)
        return QStringLiteral("another firstwatchd to leave the net dir");
    if (!m_watch.evidence())
        return QStringLiteral("the net dir %1").arg(journal::shownName(m_settings.mountPrefix + m_settings.netDir));
    return QStringLiteral("the plugin's binaries in %1 and its kubeconfig")
        .arg(journal::shownName(m_settings.mountPrefix + m_settings.binDir));
}

// A run whose patches stay looks once more at what its exchanges brought out: nobody comes later to do it.
void Service::awaitRest(void (Service::*then)())
{
    if (!m_reconciler.hasDisplaced())
        return (this->*then)();
    connect(&m_reconciler, &patch::Reconciler::settled, this, [this, then] {
        if (!m_reconciler.hasDisplaced())
            (this->*then)();
    });
    QTimer::singleShot(longestRestMs, this, then);
}

void Service::runPass(PassReason reason)
{
    if (m_passed && m_watch.evidence())
        (void)m_reconciler.pass(*m_watch.evidence(), reason);
    updateReadiness(); // with the word that the end of the pass gave
    if (m_passed)
        startStream();
}

void Service::schedulePeriodicPass()
{
    m_periodic.start(periodMs - jitterMs + int(QRandomGenerator::global()->bounded(2 * jitterMs)));
}

void Service::periodicPass()
{
    schedulePeriodicPass();
    m_inotify.drain(); // what is queued counts as noticed
    if (!m_passed || !m_watch.evidence())
        return;
    const patch::PassResult result = m_reconciler.pass(*m_watch.evidence(), PassReason::Periodic);
    if (result.missed > 0)
        m_journal.openFinding({ code::missedByWatch,
            QStringLiteral("the periodic pass patched %1 file(s) that no event had told of").arg(result.missed) });
}

void Service::updateReadiness()
{
    if (m_stopped)
        return;
    const bool proven = m_watch.evidence() && std::holds_alternative<watch::Proof>(*m_watch.evidence());
    const journal::State word = m_journal.state().word(sys::bootTimeNs());
    const bool ready = proven && m_working && m_passed && word != journal::State::Starting && m_reconciler.isClean()
        && m_surroundings.isComplete();
    m_readiness.set(ready, journal::stateWord(word));
    tellReadiness();
    if (m_readiness.error().isEmpty())
        m_journal.closeFinding(code::runtimeDirectory);
    else
        m_journal.openFinding({ code::runtimeDirectory, m_readiness.error() });
}

void Service::finishOnce()
{
    const bool proven = m_watch.evidence() && std::holds_alternative<watch::Proof>(*m_watch.evidence());
    if (proven && m_reconciler.isClean())
        endOnce(0, QStringLiteral("one proven pass, all patched"));
    else
        endOnce(1, QStringLiteral("one pass; not proven, or not all patched: see the findings"));
}

void Service::endOnce(int exitCode, const QString &summary)
{
    if (m_stopped)
        return;
    m_stopped = true;
    m_lockTimer.stop();
    m_readiness.stopping(QStringLiteral("one pass was asked for"));
    m_journal.record(
        Kind::ProcessStop, { { QStringLiteral("clean"), exitCode == 0 }, { QStringLiteral("summary"), summary } });
    Q_EMIT finished(exitCode);
}

void Service::stop()
{
    if (m_settings.keepOnExit && m_working)
        awaitRest(&Service::finish);
    else
        finish();
}

void Service::finish()
{
    if (m_stopped)
        return;
    m_stopped = true;
    m_lockTimer.stop();
    m_periodic.stop();
    const bool isFollowed = m_lock->successorWaiting() || m_netDirLock.successorWaiting();
    const QString keepReason = !m_working ? QStringLiteral("nothing to undo: this one was waiting")
        : m_settings.keepOnExit           ? QStringLiteral("patches kept, as asked")
        : isFollowed                      ? QStringLiteral("patches kept: a successor goes on")
                                          : QString();
    m_readiness.stopping(keepReason.isEmpty() ? QStringLiteral("undoing") : keepReason);
    tellReadiness();
    CleanupResult result{ true, keepReason };
    if (keepReason.isEmpty())
        result = cleanUp(m_settings, m_reconciler.options(), m_surroundings, m_journal);
    m_reconciler.setDirectory(-1);
    m_journal.record(Kind::ProcessStop,
        { { QStringLiteral("clean"), result.whole }, { QStringLiteral("summary"), result.summary } });
    m_stream.reset(); // that was its last event
    Q_EMIT finished(result.whole ? 0 : 1);
}

} // namespace firstwatch::service
