// SPDX-License-Identifier: Apache-2.0
#include "patch/filepatcher.h"

#include "conflist/activefile.h"
#include "conflist/position.h"
#include "patch/conversion.h"
#include "patch/temporaryname.h"
#include "patch/unpatched.h"
#include "patch/writefinding.h"
#include "sys/clock.h"

#include <QFile>

#include <algorithm>

namespace firstwatch::patch {

using conflist::Action;
using journal::FileWord;
using journal::Kind;

namespace {

constexpr qint64 ms = 1'000'000;
constexpr int longestUnsettledRetryMs = 2000;
constexpr int longestFailedRetryMs = 30'000;
constexpr qint64 incompleteFindingNs = 5000 * ms;

// 20, 50, 100, 200, 400 … ms
int nextRetryMs(int last, int longest)
{
    if (last == 0)
        return 20;
    return std::min(last == 20 ? 50 : last * 2, longest);
}

qint64 roundedUp(qint64 ns, qint64 step)
{
    return (ns / step + 1) * step;
}

void retryLater(FileState &file, int longest)
{
    file.retryMs = nextRetryMs(file.retryMs, longest);
    file.dueNs = sys::bootTimeNs() + file.retryMs * ms;
}

// Whether a runtime loads the file. A plan to write says so already, since what is rejected is never written.
bool isAccepted(const QByteArray &name, const QByteArray &text, const conflist::Plan &plan)
{
    const bool told = plan.action == Action::Patch || plan.action == Action::Convert || plan.action == Action::None;
    return told || conflist::verdict(name, text).accepted;
}

constexpr int readCodes[] = { 1104, 1105, 1106, 1107 };

} // namespace

FilePatcher::FilePatcher(const PatchOptions &options, journal::Journal &journal, StateOf stateOf, Tell tell)
    : m_options(options)
    , m_journal(journal)
    , m_stateOf(std::move(stateOf))
    , m_tell(std::move(tell))
{
}

FilePatcher::Found FilePatcher::look(FileState &file, bool inScope)
{
    file.dueNs = 0;
    if (const std::optional<Found> found = settleEarlier(file))
        return *found;
    const ConfigFile read = readConfig(m_directory, file.name, m_options.hostDir, file.exchange.own());
    if (read.status != ReadStatus::Ok)
        return unreadable(file, read);
    for (const int code : readCodes)
        m_journal.closeFinding(code, file.name);
    file.realName = read.name;
    if (inScope && file.word == FileWord::Patched && read.hash == file.exchange.own().hash)
        return clean(file, FileWord::Patched); // our own write, or nothing
    noteOutsideChange(file, read.hash);
    const conflist::Plan plan = conflist::plan(file.name, read.text, m_options.chain);
    file.accepted = isAccepted(file.name, read.text, plan);
    report(file, read.text, plan.findings);
    if (!inScope || plan.action == Action::Ignore)
        return clean(file, FileWord::Ignored);
    switch (plan.action) {
    case Action::Patch:
        return patch(file, read, plan);
    case Action::Convert:
        return convert(file, read, plan);
    case Action::Incomplete:
        return unparsable(file, read, plan);
    case Action::Refuse:
        return clean(file, plan.drift ? FileWord::Drift : FileWord::Refused);
    case Action::None:
    case Action::Ignore:
        break;
    }
    return clean(file, FileWord::Patched);
}

bool FilePatcher::tidy(FileState &file)
{
    file.tidyNs = 0;
    const qsizetype applied = m_applied.size();
    const bool hasFailed = settleEarlier(file).has_value();
    waitForRest(file);
    return hasFailed || m_applied.size() != applied;
}

// All that waits within the same fraction of a second waits for the same moment: one look for a whole burst.
void FilePatcher::waitForRest(FileState &file)
{
    if (file.exchange.isSettled())
        return;
    const qint64 now = sys::bootTimeNs();
    file.tidyNs = roundedUp(now + file.exchange.restNs(now), FileExchange::graceNs);
}

FilePatcher::Found FilePatcher::clean(FileState &file, FileWord word)
{
    const qint64 now = sys::bootTimeNs();
    file.retryMs = 0;
    file.unsettledHash.clear();
    m_journal.closeFinding(1103, file.name);
    waitForRest(file);
    if (word == FileWord::Patched && file.damping.isContested(now)) {
        setContested(file);
        if (file.dueNs == 0)
            file.dueNs = now + Damping::calmNs + 1000 * ms; // to find out that the fight is over
        return Found::Clean;
    }
    setWord(file, word);
    m_journal.closeFinding(1102, file.name);
    return Found::Clean;
}

FilePatcher::Found FilePatcher::unreadable(FileState &file, const ConfigFile &read)
{
    file.accepted = false;
    if (read.status == ReadStatus::Missing) {
        file.exchange.dropAll(m_directory); // its owner has withdrawn it; what came out of it is of no use
        forgetFindings(file);
        setWord(file, FileWord::Gone);
        return Found::Gone;
    }
    file.realName = read.name;
    if (const std::optional<Finding> finding = readFinding(read.status, read.error))
        m_journal.openFinding(*finding, file.name);
    if (read.status == ReadStatus::Failed)
        retryLater(file, longestFailedRetryMs);
    setWord(file, read.status == ReadStatus::NotRegular ? FileWord::Ignored : FileWord::Refused);
    return read.status == ReadStatus::Failed ? Found::Pending : Found::Clean;
}

// Somebody is still writing, or it is somebody's mistake: time tells.
FilePatcher::Found FilePatcher::unparsable(FileState &file, const ConfigFile &read, const conflist::Plan &plan)
{
    const qint64 now = sys::bootTimeNs();
    if (read.hash != file.unsettledHash) {
        file.unsettledHash = read.hash;
        file.unsettledSinceNs = now;
        file.retryMs = 0;
    }
    setWord(file, FileWord::Incomplete);
    if (now - file.unsettledSinceNs >= incompleteFindingNs) {
        const QString why = plan.findings.isEmpty() ? QString() : plan.findings.first().text;
        m_journal.openFinding({ 1103, QStringLiteral("does not parse for more than 5 s: %1").arg(why) }, file.name);
        return Found::Pending; // an event or the periodic pass will look again
    }
    retryLater(file, longestUnsettledRetryMs);
    recordChange(file);
    if (file.retryMs == 20)
        m_journal.record(Kind::FileUnreadable,
            { { QStringLiteral("file"), journal::shownName(file.name) },
                { QStringLiteral("why"), QStringLiteral("does not parse (yet)") },
                { QStringLiteral("retry_ms"), file.retryMs } });
    return Found::Pending;
}

// True when an opponent restores the file again and again and it is not yet time to answer.
bool FilePatcher::holdBack(FileState &file, const Damping &damping, const QByteArray &textHash)
{
    const qint64 now = sys::bootTimeNs();
    const qint64 wait = damping.waitNs(textHash, now);
    if (wait == 0)
        return false;
    file.dueNs = now + wait;
    if (!damping.isContested(now)) {
        setWord(file, FileWord::Drift);
        return true;
    }
    setContested(file);
    return true;
}

void FilePatcher::setContested(FileState &file)
{
    setWord(file, FileWord::Contested);
    m_journal.openFinding(
        { 1102,
            QStringLiteral("another writer puts the unpatched file back each time; answered less and less "
                           "often, at least once a minute (Cilium? set cni.exclusive=false)") },
        file.name);
}

FilePatcher::Found FilePatcher::patch(FileState &file, const ConfigFile &read, const conflist::Plan &plan)
{
    const qint64 started = sys::bootTimeNs();
    if (holdBack(file, file.damping, read.hash))
        return Found::Pending;
    return conclude(file,
        file.exchange.replace(m_directory, read, plan.text, listTransform(file.name, m_options.chain), isQuiet(read)),
        started);
}

FilePatcher::Found FilePatcher::convert(FileState &file, const ConfigFile &read, const conflist::Plan &plan)
{
    const qint64 started = sys::bootTimeNs();
    // The list remembers the fight: the state of a file that comes and goes does not last.
    FileState &list = m_stateOf(plan.targetName);
    if (holdBack(file, list.damping, read.hash))
        return Found::Pending;
    const Conversion done = patch::convert(m_directory, read, plan, m_options.chain, list);
    if (done.refused) {
        report(file, read.text, plan.findings + QList<Finding>{ *done.refused });
        return clean(file, FileWord::Drift);
    }
    if (done.written.outcome != Outcome::Done)
        return conclude(file, done.written, started);
    list.realName = list.name;
    list.accepted = true;
    forgetFindings(file);
    setWord(file, FileWord::Gone);
    return conclude(list, done.written, started);
}

FilePatcher::Found FilePatcher::conclude(FileState &file, const Written &written, qint64 startedNs)
{
    const qint64 now = sys::bootTimeNs();
    switch (written.outcome) {
    case Outcome::Busy:
        setWord(file, FileWord::Drift);
        retryLater(file, longestUnsettledRetryMs);
        return Found::Pending;
    case Outcome::Withdrawn:
        file.dueNs = now;
        return Found::Pending;
    case Outcome::Failed:
        return failed(file, written);
    case Outcome::Done:
        break;
    }
    if (written.after == written.before) { // a quicker writer's own text stands again: look at it anew
        file.dueNs = now;
        return Found::Pending;
    }
    ++file.patches;
    file.seenHash.clear();
    file.damping.patched(written.before, now);
    for (const int code : writeFindingCodes())
        m_journal.closeFinding(code, file.name);
    if (const std::optional<Finding> finding = notKeptFinding(written))
        m_journal.openFinding(*finding, file.name);
    else
        m_journal.closeFinding(1206, file.name);
    m_applied.append({ &file,
        { { QStringLiteral("file"), journal::shownName(file.name) },
            { QStringLiteral("sha_before"), QString::fromLatin1(written.before) },
            { QStringLiteral("sha_after"), QString::fromLatin1(written.after) },
            { QStringLiteral("us"), (now - startedNs) / 1000 }, { QStringLiteral("repatch"), file.patches > 1 },
            { QStringLiteral("recovered"), written.recovered } },
        written.textBefore, written.textAfter });
    return Found::Patched;
}

FilePatcher::Found FilePatcher::failed(FileState &file, const Written &written)
{
    recordChange(file);
    retryLater(file, longestFailedRetryMs);
    m_journal.record(Kind::PatchFailed,
        { { QStringLiteral("file"), journal::shownName(file.name) },
            { QStringLiteral("step"), QLatin1String(written.step) }, { QStringLiteral("errno"), written.error },
            { QStringLiteral("retry_ms"), file.retryMs } });
    m_journal.openFinding(writeFinding(written), file.name);
    setWord(file, FileWord::Drift);
    return Found::Pending;
}

// What an earlier exchange brought out is looked at again; a late writer's text found there is patched now. Found only
// when that failed: what stands in place is then not the owner's last word.
std::optional<FilePatcher::Found> FilePatcher::settleEarlier(FileState &file)
{
    if (file.exchange.isSettled())
        return std::nullopt;
    const qint64 started = sys::bootTimeNs();
    const QByteArray &realName = file.realName.isEmpty() ? file.name : file.realName;
    const std::optional<Written> written =
        file.exchange.settle(m_directory, realName, listTransform(file.name, m_options.chain));
    if (written && written->outcome == Outcome::Failed)
        return failed(file, *written);
    if (written && written->outcome == Outcome::Done)
        (void)conclude(file, *written, started);
    return std::nullopt;
}

void FilePatcher::noteOutsideChange(FileState &file, const QByteArray &textHash)
{
    if (textHash == file.unsettledHash || textHash == file.seenHash)
        return;
    file.seenHash = textHash;
    file.changedNs = sys::bootTimeNs();
    file.changedMask = file.eventMask;
}

// Only after the patch: the file is patched sooner by the time that the record takes.
void FilePatcher::recordChange(FileState &file)
{
    const qint64 seenNs = std::exchange(file.changedNs, 0);
    if (seenNs == 0)
        return;
    m_journal.record(Kind::FileChange,
        { { QStringLiteral("file"), journal::shownName(file.name) },
            { QStringLiteral("via"), file.changedMask != 0 ? QStringLiteral("event") : QStringLiteral("pass") },
            { QStringLiteral("mask"), qint64(file.changedMask) }, { QStringLiteral("seen_ns"), seenNs } });
}

bool FilePatcher::commit()
{
    if (m_applied.isEmpty() && m_synced)
        return true;
    m_synced = sys::syncDirectory(m_directory);
    for (const Applied &applied : std::as_const(m_applied)) {
        recordChange(*applied.file);
        const journal::Event event = m_journal.record(Kind::PatchApplied, applied.fields);
        m_tell(event.seq, applied.file->name, applied.before, applied.after);
        (void)clean(*applied.file, FileWord::Patched);
    }
    m_applied.clear();
    return m_synced;
}

void FilePatcher::report(FileState &file, const QByteArray &text, const QList<Finding> &findings)
{
    QList<int> &open = m_contentFindings[file.name];
    QList<int> now;
    for (const Finding &finding : findings) {
        now.append(finding.code);
        QJsonObject where;
        if (finding.offset >= 0) {
            const conflist::Position position = conflist::positionAt(text, finding.offset);
            where = { { QStringLiteral("line"), position.line }, { QStringLiteral("column"), position.column } };
        }
        m_journal.openFinding(finding, file.name, where);
    }
    for (const int code : std::as_const(open)) {
        if (!now.contains(code))
            m_journal.closeFinding(code, file.name);
    }
    open = now;
}

void FilePatcher::forgetFindings(const FileState &file)
{
    m_journal.closeFindings(file.name);
    m_contentFindings.remove(file.name);
}

void FilePatcher::setWord(FileState &file, FileWord word)
{
    // A file that was never seen is not worth a word when it is gone.
    const bool news = file.wordSaid ? file.word != word : word != FileWord::Gone;
    file.stateChanged = file.stateChanged || news;
    file.word = word;
    file.wordSaid = true;
}

void FilePatcher::recordState(FileState &file)
{
    recordChange(file);
    if (!std::exchange(file.stateChanged, false))
        return;
    m_journal.record(Kind::FileState,
        { { QStringLiteral("file"), journal::shownName(file.name) },
            { QStringLiteral("state"), journal::fileWordName(file.word) }, { QStringLiteral("active"), file.active } });
}

} // namespace firstwatch::patch
