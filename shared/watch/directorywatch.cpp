// SPDX-License-Identifier: Apache-2.0
#include "watch/directorywatch.h"

#include "sys/clock.h"

#include <QDebug>
#include <QFile>

#include <cerrno>
#include <cstring>
#include <sys/inotify.h>

namespace firstwatch::watch {
namespace {

constexpr quint32 nameChanges = IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE;
constexpr quint32 directoryMask =
    nameChanges | IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;
// What QFileSystemWatcher turns into directoryChanged; the probe is among it (Qt 6.4: no signal for in-place writes).
constexpr quint32 seenByWitness = nameChanges | IN_ATTRIB;
constexpr quint32 selfGone = IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT;
constexpr int longestRetryMs = 60'000;

// Says nothing about the directory, so that a watch that works is not given up for it.
bool isOwnShortage(int error)
{
    return error == EMFILE || error == ENFILE || error == ENOMEM;
}

} // namespace

DirectoryWatch::DirectoryWatch(Inotify &inotify, Options options, QObject *parent)
    : QObject(parent)
    , m_inotify(inotify)
    , m_options(std::move(options))
    , m_ancestors(inotify, m_options.prefix, m_options.hostPath)
    , m_prover(inotify, m_witness)
    , m_retryMs(m_options.retryMs)
{
    m_retryTimer.setSingleShot(true);
    m_compareTimer.setSingleShot(true);
    for (QTimer *timer : { &m_identityTimer, &m_pollTimer, &m_retryTimer, &m_reproveTimer })
        timer->setTimerType(Qt::CoarseTimer);
    connect(&m_identityTimer, &QTimer::timeout, this, &DirectoryWatch::check);
    connect(&m_pollTimer, &QTimer::timeout, this, [this] { Q_EMIT pollDue(m_polling); });
    connect(&m_retryTimer, &QTimer::timeout, this, &DirectoryWatch::retry);
    connect(&m_reproveTimer, &QTimer::timeout, this, &DirectoryWatch::reprove);
    // One more turn of the loop: after a pause the timer may be due before both queues were read.
    connect(&m_compareTimer, &QTimer::timeout, this,
        [this] { QTimer::singleShot(0, this, &DirectoryWatch::compareBackends); });
    connect(&m_ancestors, &AncestorWatch::disturbed, this, &DirectoryWatch::check);
    connect(&m_mounts, &MountWatch::changed, this, &DirectoryWatch::check);
    connect(&m_inotify, &Inotify::changed, this, &DirectoryWatch::hear);
    // The end of the watch itself may be among the lost records. (The ancestors ask for a look at the path.)
    connect(&m_inotify, &Inotify::overflowed, this, &DirectoryWatch::reprove);
    connect(&m_witness, &Witness::seen, this, &DirectoryWatch::hearWitness);
    connect(&m_prover, &Prover::proven, this, [this](const Proof &proof) {
        if (!m_evidence || std::holds_alternative<Polling>(*m_evidence))
            Q_EMIT proven(proof);
    });
    connect(&m_prover, &Prover::ready, this, &DirectoryWatch::concludeReady);
    connect(&m_prover, &Prover::failed, this, [this] {
        fallBack({ 1007,
            QStringLiteral("%1 accepts a watch and gives no events (a network or virtual file system?)")
                .arg(QFile::decodeName(sys::pathOf(m_directory.get()))) });
    });
}

void DirectoryWatch::start()
{
    m_identityTimer.start(m_options.identityMs);
    check();
}

// Opens the path anew and compares what is there with what is held; every event and the slow timer come here.
void DirectoryWatch::check()
{
    if (!m_options.forcePolling && m_inotify.open())
        m_ancestors.arm();
    sys::FileDescriptor directory = sys::openDirectory(m_options.prefix, m_options.hostPath);
    sys::Identity identity;
    if (!directory.isValid() || !sys::identify(directory.get(), identity)) {
        const int error = errno;
        if (m_directory.isValid() && isOwnShortage(error))
            return;
        lose(error == ENOENT ? Loss::Missing : Loss::Unreadable,
            QStringLiteral("%1: %2").arg(QFile::decodeName(m_options.prefix + m_options.hostPath),
                QString::fromLocal8Bit(std::strerror(error)))); // NOLINT
        return;
    }
    if (m_directory.isValid() && !identity.sameDirectory(m_identity))
        lose(Loss::Replaced,
            QStringLiteral("another directory stands at %1")
                .arg(QFile::decodeName(m_options.prefix + m_options.hostPath)));
    if (identity.links == 0) {
        lose(Loss::DeadMount,
            QStringLiteral("the host replaced %1 under the mount; this pod must be restarted, or mount "
                           "the parent directory")
                .arg(QFile::decodeName(m_options.hostPath)));
        return;
    }
    if (!m_directory.isValid())
        arm(std::move(directory), identity);
}

void DirectoryWatch::arm(sys::FileDescriptor directory, const sys::Identity &identity)
{
    m_directory = std::move(directory);
    m_identity = identity;
    m_lossSaid = false;
    ++m_arms;
    if (m_options.forcePolling)
        return fallBack({ 0, QStringLiteral("polling was asked for") });
    armNative();
}

void DirectoryWatch::armNative()
{
    if (!m_inotify.open())
        return fallBack(refusalOfInit(errno));
    m_watch = m_inotify.add(m_directory.get(), directoryMask);
    if (m_watch < 0)
        return fallBack(refusalOfAdd(errno, sys::pathOf(m_directory.get())));
    m_armedNs = sys::bootTimeNs();
    Q_EMIT armed(m_armedNs, m_watch, sys::pathOf(m_directory.get()));
    // After the native instance: once that exists, an exhausted limit can no longer make Qt poll in silence unseen.
    (void)m_witness.arm(sys::pathOf(m_directory.get())); // its absence shows in the proof
    m_prover.start({ m_directory.get(), m_watch, m_armedNs, m_identity });
}

void DirectoryWatch::concludeReady(const Proof &proof)
{
    const bool first = !m_evidence || std::holds_alternative<Polling>(*m_evidence);
    const bool changedWord = !first && std::get<Proof>(*m_evidence).witness() != proof.witness();
    m_evidence = proof;
    m_pollTimer.stop();
    m_retryTimer.stop();
    m_retryMs = m_options.retryMs;
    m_reproveTimer.start(m_options.reproveMs);
    if (first || changedWord)
        Q_EMIT ready(proof);
}

void DirectoryWatch::hear(const Change &change)
{
    if (m_watch < 0 || change.watch != m_watch)
        return;
    if ((change.mask & selfGone) != 0) {
        if ((change.mask & IN_IGNORED) != 0)
            lose(Loss::Replaced, QStringLiteral("the kernel dropped the watch"));
        check();
        return;
    }
    if ((change.mask & seenByWitness) != 0 && m_witness.isArmed()) {
        ++m_nativeChanges;
        scheduleComparison();
    }
    Q_EMIT changed(change);
}

void DirectoryWatch::hearWitness()
{
    ++m_witnessChanges;
    scheduleComparison();
}

// After a quiet time, so that one change is never split between two comparisons. A directory that is never quiet is
// compared by the proofs, which go on.
void DirectoryWatch::scheduleComparison()
{
    m_compareTimer.start(m_options.witnessMs);
}

// Did both speak, or neither? Counts differ by nature (Qt folds many changes into one signal).
void DirectoryWatch::compareBackends()
{
    const bool silent = m_nativeChanges > 0 && m_witnessChanges == 0;
    const bool alone = m_nativeChanges == 0 && m_witnessChanges > 0;
    m_nativeChanges = m_witnessChanges = 0;
    if ((silent || alone) == m_disagree)
        return;
    m_disagree = silent || alone;
    if (silent)
        Q_EMIT disagreed(QStringLiteral("QFileSystemWatcher was silent about changes that inotify reported"));
    else if (alone)
        Q_EMIT disagreed(QStringLiteral("QFileSystemWatcher reported changes that inotify did not"));
    else
        Q_EMIT disagreed({});
    if (m_disagree)
        reprove();
}

void DirectoryWatch::fallBack(const Refusal &refusal)
{
    disarmNative();
    if (!m_options.forcePolling) {
        m_retryTimer.start(m_retryMs);
        m_retryMs = std::min(m_retryMs * 2, longestRetryMs);
    }
    const bool first = !m_evidence || std::holds_alternative<Proof>(*m_evidence) || m_polling.reason != refusal.text;
    m_polling = { refusal.text, m_options.pollMs };
    m_evidence = m_polling;
    if (!first)
        return;
    m_pollTimer.start(m_options.pollMs);
    Q_EMIT polling(m_polling, refusal.code);
    Q_EMIT pollDue(m_polling);
}

void DirectoryWatch::lose(Loss loss, const QString &reason)
{
    disarm();
    if (m_lossSaid && m_loss == loss)
        return;
    m_loss = loss;
    m_lossSaid = true;
    Q_EMIT lost(loss, reason);
}

void DirectoryWatch::disarm()
{
    disarmNative();
    m_pollTimer.stop();
    m_retryTimer.stop();
    m_directory.reset();
    m_evidence.reset();
}

void DirectoryWatch::disarmNative()
{
    m_prover.cancel();
    m_inotify.remove(std::exchange(m_watch, -1));
    m_witness.disarm();
    m_reproveTimer.stop();
    m_compareTimer.stop();
    m_nativeChanges = m_witnessChanges = 0;
}

// Tries the native watch again without giving up the poll meanwhile.
void DirectoryWatch::retry()
{
    if (m_directory.isValid())
        armNative();
}

void DirectoryWatch::reprove()
{
    if (m_watch >= 0 && !m_prover.isRunning())
        m_prover.start({ m_directory.get(), m_watch, m_armedNs, m_identity });
}

QDebug operator<<(QDebug debug, const DirectoryWatch &watch)
{
    const QDebugStateSaver saver(debug);
    debug.nospace() << "DirectoryWatch(" << watch.m_options.prefix << watch.m_options.hostPath << " dev "
                    << watch.m_identity.device << " inode " << watch.m_identity.inode << " mount "
                    << watch.m_identity.mountId << " watch " << watch.m_watch << " rearms " << watch.rearms();
    if (!watch.m_evidence)
        debug << " no evidence";
    else if (const auto *proof = std::get_if<Proof>(&*watch.m_evidence))
        debug << " proven " << proof->provenNs() << " witness " << witnessName(proof->witness());
    else
        debug << " polling: " << watch.m_polling.reason;
    return debug << ')';
}

} // namespace firstwatch::watch
