// SPDX-License-Identifier: Apache-2.0
#include "patch/undo.h"

#include "journal/findingcodes.h"
#include "patch/conversion.h"
#include "patch/leftovers.h"
#include "patch/temporaryname.h"
#include "patch/unpatched.h"
#include "patch/writefinding.h"
#include "sys/clock.h"

#include <ctime>
#include <map>

namespace firstwatch::patch {
namespace {

constexpr long pauseNs = 5'000'000;

class Undo {
public:
    Undo(int directory, const PatchOptions &options, journal::Journal &journal, qint64 deadlineNs)
        : m_directory(directory)
        , m_options(options)
        , m_journal(journal)
        , m_deadlineNs(deadlineNs)
        , m_types(options.chain.types())
    {
    }

    // What came out of an exchange a moment ago may hold its owner's last text: it goes back first.
    void takeUp(const QList<Leftover> &leftovers)
    {
        for (const Leftover &leftover : leftovers)
            pendingOf(leftover.config, leftover.config)
                .exchange.adopt(leftover.temporary, leftover.ownHash, leftover.knownHash);
        settleOnce();
    }

    enum class Result { NotOurs, Undone, Later, Failed };
    Result undo(const QByteArray &name, Written &written)
    {
        const ConfigFile read = readConfig(m_directory, name, m_options.hostDir);
        m_obstacles.erase(name);
        if (read.status == ReadStatus::Failed)
            return later(name, readFinding(read.status, read.error));
        const std::optional<QByteArray> text = without(name, read.text);
        if (!text)
            return untouched(name, read);
        written = pendingOf(name, read.name).exchange.replace(m_directory, read, *text, transform(name), isQuiet(read));
        if (written.outcome == Outcome::Failed)
            return later(name, writeFinding(written));
        if (written.outcome != Outcome::Done)
            return Result::Later;
        sayWhatWasNotKept(name, written);
        return Result::Undone;
    }

    // Once, at the end: what stood in the way of this file at its last try.
    void sayObstacle(const QByteArray &name)
    {
        if (const auto obstacle = m_obstacles.find(name); obstacle != m_obstacles.end())
            m_journal.openFinding(obstacle->second, name);
    }

    // Waits until nobody can be writing to what came out. What a writer still holds then is taken up by the next start.
    void settle()
    {
        do {
            settleOnce();
        } while (!m_pending.empty() && isTimeLeft());
    }

    bool isTimeLeft() const
    {
        const timespec pause{ 0, pauseNs };
        ::nanosleep(&pause, nullptr);
        return sys::bootTimeNs() < m_deadlineNs;
    }

private:
    struct Pending {
        QByteArray name;
        FileExchange exchange;
    };

    // By the entry that holds the content: one exchange for each, since it must know all that came out there.
    Pending &pendingOf(const QByteArray &name, const QByteArray &realName)
    {
        Pending &pending = m_pending[realName];
        pending.name = name;
        return pending;
    }
    void settleOnce()
    {
        for (auto pending = m_pending.begin(); pending != m_pending.end();) {
            FileExchange &exchange = pending->second.exchange;
            const QByteArray name = pending->second.name;
            if (const auto late = exchange.settle(m_directory, pending->first, transform(name)))
                sayWhatWasNotKept(name, *late);
            pending = exchange.isSettled() ? m_pending.erase(pending) : std::next(pending);
        }
    }

    Result later(const QByteArray &name, const std::optional<Finding> &obstacle)
    {
        if (obstacle)
            m_obstacles.insert_or_assign(name, *obstacle);
        return Result::Later;
    }
    void sayWhatWasNotKept(const QByteArray &name, const Written &written)
    {
        if (const std::optional<Finding> finding = notKeptFinding(written))
            m_journal.openFinding(*finding, name);
    }

    // The transform of the recipe, the other way round.
    std::optional<QByteArray> without(const QByteArray &name, const QByteArray &text) const
    {
        const conflist::Plan plan = conflist::unplan(name, text, m_types);
        return plan.action == conflist::Action::Patch ? std::optional(plan.text) : std::nullopt;
    }
    Transform transform(const QByteArray &name) const
    {
        return [this, name](const QByteArray &text) { return without(name, text); };
    }
    Result untouched(const QByteArray &name, const ConfigFile &read) const
    {
        switch (conflist::unplan(name, read.text, m_types).action) {
        case conflist::Action::Refuse:
            return Result::Failed; // only ours inside
        case conflist::Action::Incomplete: // half-written: ours may be in the other half
            return read.fd.isValid() && sys::askLease(read.fd.get()) == sys::Lease::SomebodyWrites ? Result::Later
                                                                                                   : Result::NotOurs;
        default:
            return Result::NotOurs;
        }
    }

    int m_directory;
    const PatchOptions &m_options;
    journal::Journal &m_journal;
    qint64 m_deadlineNs;
    QByteArrayList m_types;
    std::map<QByteArray, Pending> m_pending;
    std::map<QByteArray, Finding> m_obstacles; // by the name of the config
};

void recordStep(journal::Journal &journal, const QByteArray &name, bool good)
{
    journal.record(journal::Kind::CleanupStep,
        { { QStringLiteral("step"), QStringLiteral("unpatch") }, { QStringLiteral("file"), journal::shownName(name) },
            { QStringLiteral("ok"), good } });
}

void count(UndoResult &result, journal::Journal &journal, const QByteArray &name, bool good)
{
    ++(good ? result.undone : result.failed);
    recordStep(journal, name, good);
}

// Originals of converted files come back under their names.
void restoreAll(int directory, const QList<QByteArray> &names, const conflist::Options &chain,
    journal::Journal &journal, UndoResult &result)
{
    for (const QByteArray &name : names) {
        const QByteArray conf = nameOfKept(name);
        const Restored restored = conf.isEmpty() ? Restored::Nothing : restoreKept(directory, name, chain);
        if (restored == Restored::Original || restored == Restored::Failed)
            count(result, journal, conf, restored == Restored::Original);
    }
}

// True when it is decided for this file.
bool undoOne(Undo &undo, const QByteArray &name, journal::Journal &journal, UndoResult &result)
{
    Written written;
    const Undo::Result one = undo.undo(name, written);
    if (one == Undo::Result::Undone)
        journal.record(journal::Kind::PatchUndone,
            { { QStringLiteral("file"), journal::shownName(name) },
                { QStringLiteral("sha_before"), QString::fromLatin1(written.before) },
                { QStringLiteral("sha_after"), QString::fromLatin1(written.after) } });
    if (one == Undo::Result::Undone || one == Undo::Result::Failed)
        count(result, journal, name, one == Undo::Result::Undone);
    return one != Undo::Result::Later;
}

} // namespace

UndoResult undoAll(int directory, const PatchOptions &options, journal::Journal &journal, qint64 deadlineNs)
{
    UndoResult result;
    QList<QByteArray> names;
    if (!sys::listDirectory(directory, names)) {
        journal.openFinding({ journal::code::directoryUnreadable,
            QStringLiteral("the net dir cannot be listed (%1), so nothing in it can be undone; check its mount, its "
                           "permissions and the disk")
                .arg(qt_error_string(errno)) });
        result.failed = 1;
        return result;
    }
    Undo undo(directory, options, journal, deadlineNs);
    undo.takeUp(sweepLeftovers(directory, names, options.chain, journal));
    restoreAll(directory, names, options.chain, journal, result);
    // In rounds, so that a file that cannot be written, or is being written, takes no time from the others.
    names.removeIf([](const QByteArray &name) { return !conflist::isConfigName(name); });
    do {
        names.removeIf([&](const QByteArray &name) { return undoOne(undo, name, journal, result); });
    } while (!names.isEmpty() && undo.isTimeLeft());
    for (const QByteArray &name : std::as_const(names)) {
        undo.sayObstacle(name);
        count(result, journal, name, false);
    }
    undo.settle();
    return sys::syncDirectory(directory) || result.all() == 0 ? result : UndoResult{ 0, result.all() };
}

} // namespace firstwatch::patch
