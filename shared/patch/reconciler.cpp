// SPDX-License-Identifier: Apache-2.0
#include "patch/reconciler.h"

#include "journal/findingcodes.h"
#include "patch/leftovers.h"
#include "patch/temporaryname.h"
#include "patch/unpatched.h"
#include "sys/clock.h"

#include <QFile>

#include <algorithm>
#include <cerrno>
#include <sys/inotify.h>

namespace firstwatch::patch {

namespace code = journal::code;
using journal::FileWord;
using journal::Kind;

namespace {

constexpr quint32 complete = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE;
constexpr int createdMs = 20; // a link or a file without a writer: no CLOSE_WRITE will come
constexpr int mostTidied = 16; // at once: then events that came meanwhile have their turn
constexpr int listAgainMs = 2000; // no event tells that a directory can be listed again
constexpr int modifiedMs = 1020; // a writer that keeps the file open: once it has been quiet for a second

QJsonObject evidenceFields(const watch::Evidence &evidence, qint64 nowNs)
{
    if (const auto *proof = std::get_if<watch::Proof>(&evidence))
        return { { QStringLiteral("evidence"), QStringLiteral("proof") },
            { QStringLiteral("margin_ns"), nowNs - proof->provenNs() } };
    return { { QStringLiteral("evidence"), QStringLiteral("polling") } };
}

} // namespace

QLatin1String passReasonName(PassReason reason)
{
    switch (reason) {
    case PassReason::Start:
        return QLatin1String("start");
    case PassReason::Rearm:
        return QLatin1String("rearm");
    case PassReason::Overflow:
        return QLatin1String("overflow");
    case PassReason::Periodic:
        return QLatin1String("periodic");
    case PassReason::Poll:
        return QLatin1String("poll");
    case PassReason::Takeover:
        return QLatin1String("takeover");
    case PassReason::Token:
        return QLatin1String("token");
    }
    return {};
}

Reconciler::Reconciler(PatchOptions options, journal::Journal &journal, QObject *parent)
    : QObject(parent)
    , m_options(std::move(options))
    , m_journal(journal)
    , m_patcher(
          m_options, journal, [this](const QByteArray &name) -> FileState & { return stateOf(name); },
          [this](quint64 seq, const QByteArray &name, const QByteArray &before, const QByteArray &after) {
              Q_EMIT patched(seq, name, before, after);
          })
{
    m_dueTimer.setSingleShot(true);
    m_dueTimer.setTimerType(Qt::PreciseTimer);
    connect(&m_dueTimer, &QTimer::timeout, this, &Reconciler::lookAtDue);
    m_listTimer.setSingleShot(true);
    connect(&m_listTimer, &QTimer::timeout, this, [this] { Q_EMIT passDue(m_postponed); });
}

void Reconciler::setDirectory(int directory)
{
    m_directory = directory;
    m_patcher.setDirectory(directory);
    m_dirty.clear();
    m_cameOut.clear();
    m_begun = false;
    m_unlisted = false;
    m_dueTimer.stop();
    m_listTimer.stop();
}

FileState &Reconciler::stateOf(const QByteArray &name)
{
    FileState &file = m_files[name];
    file.name = name;
    return file;
}

bool Reconciler::inScope(const QByteArray &name) const
{
    if (isExcluded(name, m_options.excludes))
        return false;
    if (!m_options.activeOnly)
        return true;
    const auto file = m_files.find(name);
    return file != m_files.end() && file->second.active;
}

PassResult Reconciler::pass(const watch::Evidence &evidence, PassReason reason)
{
    if (m_directory < 0)
        return {};
    const bool quiet = reason == PassReason::Periodic || reason == PassReason::Poll;
    const qint64 began = sys::bootTimeNs();
    QList<QByteArray> names;
    const bool listed = sys::listDirectory(m_directory, names);
    const int error = errno;
    QJsonObject head{ { QStringLiteral("pass"), ++m_pass }, { QStringLiteral("reason"), passReasonName(reason) } };
    for (const QJsonObject fields = evidenceFields(evidence, began); const QString &key : fields.keys())
        head.insert(key, fields.value(key));
    if (!listed)
        return postpone(head, reason, error);
    m_journal.closeFinding(code::directoryUnreadable);
    m_listTimer.stop();
    const bool first = !std::exchange(m_begun, true);
    const bool worthTelling = std::exchange(m_unlisted, false) || first || !quiet;
    if (worthTelling)
        m_journal.record(Kind::PassBegin, head);
    if (first)
        adoptLeftovers(names);
    m_dirty.clear(); // everything is looked at now
    PassResult result = lookAtAll(names);
    if (reason != PassReason::Periodic || first) // no event could have told of it, or the look was for what none told
        result.missed = 0;
    if (!worthTelling && result.patched > 0)
        m_journal.record(Kind::PassBegin, head);
    finish();
    result.clean = isClean();
    if (worthTelling || result.patched > 0)
        m_journal.record(Kind::PassEnd,
            { { QStringLiteral("pass"), m_pass }, { QStringLiteral("files"), result.files },
                { QStringLiteral("patched"), result.patched }, { QStringLiteral("missed"), result.missed },
                { QStringLiteral("us"), (sys::bootTimeNs() - began) / 1000 } });
    return result;
}

// What is not listed is not looked at. Told once, tried again until it works.
PassResult Reconciler::postpone(const QJsonObject &head, PassReason reason, int error)
{
    m_journal.openFinding({ code::directoryUnreadable,
        QStringLiteral("the net dir cannot be listed (%1), so a config that is new may not be seen; check its mount, "
                       "its permissions and the disk")
            .arg(qt_error_string(error)) });
    if (!std::exchange(m_unlisted, true)) {
        m_journal.record(Kind::PassBegin, head);
        m_journal.record(Kind::PassEnd,
            { { QStringLiteral("pass"), m_pass }, { QStringLiteral("files"), 0 }, { QStringLiteral("patched"), 0 },
                { QStringLiteral("missed"), 0 }, { QStringLiteral("clean"), false } });
    }
    m_postponed = reason;
    m_listTimer.start(listAgainMs);
    Q_EMIT settled();
    return {};
}

PassResult Reconciler::lookAtAll(const QList<QByteArray> &names)
{
    PassResult result;
    for (const QByteArray &name : names) {
        if (conflist::isConfigName(name))
            stateOf(name);
    }
    // Conversions add entries while this runs; a map's iterators stay good.
    for (auto &[name, file] : m_files) {
        if (file.word == FileWord::Gone && !names.contains(name))
            continue;
        ++result.files;
        const bool awaited = file.dueNs != 0 || file.tidyNs != 0;
        if (m_patcher.look(file, inScope(name)) != FilePatcher::Found::Patched)
            continue;
        ++result.patched;
        result.missed += awaited ? 0 : 1;
    }
    result.patched += lookAtActive();
    return result;
}

// With the scope of one file, only the look at the others tells which one that is.
int Reconciler::lookAtActive()
{
    if (!m_options.activeOnly)
        return 0;
    updateActive();
    int patched = 0;
    for (auto &[name, file] : m_files) {
        const bool left = file.active && file.word == FileWord::Ignored;
        if (left && m_patcher.look(file, inScope(name)) == FilePatcher::Found::Patched)
            ++patched;
    }
    return patched;
}

void Reconciler::finish()
{
    if (m_patcher.commit())
        m_journal.closeFinding(1207);
    else
        m_journal.openFinding(
            { code::ioError, QStringLiteral("the net dir could not be synced; a power loss may undo the last patch") });
    updateActive();
    const qint64 now = sys::bootTimeNs();
    m_links = 0;
    for (auto file = m_files.begin(); file != m_files.end();) {
        file->second.eventMask = 0;
        m_links += file->second.isLink() ? 1 : 0;
        m_patcher.recordState(file->second);
        const bool forget = file->second.word == FileWord::Gone && file->second.wordSaid
            && file->second.exchange.isSettled()
            && file->second.damping.isForgotten(now); // an opponent may remove and make it again and again
        file = forget ? m_files.erase(file) : std::next(file);
    }
    scheduleDue();
    Q_EMIT settled();
}

void Reconciler::note(const watch::Change &change)
{
    if (change.name.isEmpty())
        return;
    noteMove(change);
    if (conflist::isConfigName(change.name)) {
        FileState &file = stateOf(change.name);
        file.eventMask |= change.mask;
        if ((change.mask & complete) != 0)
            m_dirty.insert(change.name);
        else
            markSoon(file, change.mask, (change.mask & IN_MODIFY) != 0 ? modifiedMs : createdMs);
    }
    if ((change.mask & complete) != 0)
        noteForOthers(change);
}

// The target of a link inside the directory, or what came out of an exchange: a writer that still held it has closed
// it.
void Reconciler::noteForOthers(const watch::Change &change)
{
    const bool ours = temporaryHash(change.name).has_value();
    if (ours && (change.mask & IN_MOVED_TO) != 0)
        m_cameOut.insert(change.name);
    if (ours && (change.mask & IN_DELETE) != 0)
        m_cameOut.erase(change.name);
    // Before it came out it was our own file under its making.
    const bool closed = ours && (change.mask & IN_CLOSE_WRITE) != 0 && m_cameOut.contains(change.name);
    if (!closed && (ours || m_links == 0))
        return;
    for (const auto &[name, file] : m_files) {
        const bool target = file.isLink() && file.realName == change.name;
        if (target || (closed && file.exchange.isDisplaced(change.name)))
            m_dirty.insert(name);
    }
}

void Reconciler::markSoon(FileState &file, quint32 mask, int ms)
{
    const qint64 due = sys::bootTimeNs() + ms * 1'000'000LL;
    // A quiet time starts anew with each write; any other reason keeps the earlier time.
    if ((mask & IN_MODIFY) != 0 || file.dueNs == 0 || due < file.dueNs)
        file.dueNs = due;
}

// A config renamed to a name that no runtime loads: an exclusive owner displaces the others.
void Reconciler::noteMove(const watch::Change &change)
{
    if ((change.mask & IN_MOVED_FROM) != 0 && conflist::isConfigName(change.name))
        m_movedFrom.insert(change.cookie, change.name);
    if ((change.mask & IN_MOVED_TO) == 0 || !m_movedFrom.contains(change.cookie))
        return;
    const QByteArray from = m_movedFrom.take(change.cookie);
    if (!conflist::isConfigName(change.name) && change.name.startsWith(from))
        m_journal.openFinding({ 1109,
                                  QStringLiteral("was renamed to %1 by its owner or an exclusive CNI (Cilium? set "
                                                 "cni.exclusive=false); not made again")
                                      .arg(journal::shownName(change.name)) },
            from);
}

void Reconciler::settle()
{
    m_movedFrom.clear();
    if (!m_begun || m_directory < 0)
        return;
    if (m_dirty.empty()) // the owner's temporary file, our own writes: most batches
        return scheduleDue();
    lookAtDirty();
}

// In a burst, most events are of our own writes: what was patched a moment ago can wait for what was not.
void Reconciler::lookAtDirty()
{
    std::vector<FileState *> files;
    for (const QByteArray &name : std::exchange(m_dirty, {}))
        files.push_back(&stateOf(name));
    std::stable_partition(files.begin(), files.end(), [](const FileState *file) { return file->exchange.isSettled(); });
    for (FileState *file : files)
        (void)m_patcher.look(*file, inScope(file->name));
    (void)lookAtActive();
    finish();
}

void Reconciler::lookAtDue()
{
    const qint64 now = sys::bootTimeNs();
    const auto isDue = [now](qint64 ns) { return ns != 0 && ns <= now; };
    int tidied = 0;
    bool hasNews = false;
    for (auto &[name, file] : m_files) {
        if (isDue(file.dueNs))
            m_dirty.insert(name);
        else if (isDue(file.tidyNs) && ++tidied <= mostTidied)
            hasNews = m_patcher.tidy(file) || hasNews;
    }
    if (!m_dirty.empty())
        return lookAtDirty();
    if (hasNews)
        return finish();
    scheduleDue();
    Q_EMIT settled(); // nothing that came out of an exchange may be kept any more
}

void Reconciler::scheduleDue()
{
    qint64 earliest = 0;
    for (const auto &[name, file] : m_files) {
        for (const qint64 ns : { file.dueNs, file.tidyNs }) {
            if (ns != 0 && (earliest == 0 || ns < earliest))
                earliest = ns;
        }
    }
    if (earliest == 0)
        m_dueTimer.stop();
    else
        m_dueTimer.start(int(std::max<qint64>(0, (earliest - sys::bootTimeNs() + 999'999) / 1'000'000)));
}

// The file that a runtime uses: the first valid one in lexicographic order.
void Reconciler::updateActive()
{
    bool found = false;
    for (auto &[name, file] : m_files) {
        const bool active = !found && file.accepted && file.word != FileWord::Gone;
        found = found || active;
        file.stateChanged = file.stateChanged || (file.wordSaid && file.active != active);
        file.active = active;
    }
}

bool Reconciler::isClean() const
{
    return m_begun && !m_unlisted && m_dirty.empty()
        && std::all_of(m_files.begin(), m_files.end(), [](const auto &entry) {
               return entry.second.word != FileWord::Drift && entry.second.word != FileWord::Contested;
           });
}

bool Reconciler::hasDisplaced() const
{
    return std::any_of(
        m_files.begin(), m_files.end(), [](const auto &entry) { return !entry.second.exchange.isSettled(); });
}

void Reconciler::adoptLeftovers(const QList<QByteArray> &names)
{
    for (const Leftover &leftover : sweepLeftovers(m_directory, names, m_options.chain, m_journal)) {
        FileState &file = stateOf(leftover.config);
        file.realName = leftover.config;
        file.exchange.adopt(leftover.temporary, leftover.ownHash, leftover.knownHash);
    }
}

} // namespace firstwatch::patch
