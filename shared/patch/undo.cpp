// SPDX-License-Identifier: Apache-2.0
#include "patch/undo.h"

#include "patch/conversion.h"
#include "patch/temporaryname.h"
#include "sys/clock.h"

#include <ctime>
#include <list>

namespace firstwatch::patch {
namespace {

constexpr long pauseNs = 5'000'000;

class Undo {
public:
    Undo(int directory, const PatchOptions &options, qint64 deadlineNs)
        : m_directory(directory)
        , m_options(options)
        , m_deadlineNs(deadlineNs)
        , m_types(options.chain.types())
    {
    }

    enum class Result { NotOurs, Undone, Failed };
    Result undo(const QByteArray &name, Written &written)
    {
        do {
            const ConfigFile read = readConfig(m_directory, name, m_options.hostDir);
            if (read.status == ReadStatus::Failed)
                continue;
            const std::optional<QByteArray> text = without(name, read.text);
            if (!text)
                return isOnlyOurs(name, read.text) ? Result::Failed : Result::NotOurs;
            Pending pending{ name, read.name, {} };
            written = pending.exchange.replace(m_directory, read, *text, transform(name));
            if (written.outcome == Outcome::Withdrawn)
                return Result::NotOurs;
            if (written.outcome == Outcome::Done) {
                m_pending.push_back(std::move(pending));
                return Result::Undone;
            }
        } while (isTimeLeft());
        return Result::Failed;
    }

    // Waits until nobody can be writing to what came out. What a writer still holds then is taken up by the next start.
    void settle()
    {
        do {
            m_pending.remove_if([this](Pending &pending) {
                (void)pending.exchange.settle(m_directory, pending.realName, transform(pending.name));
                return pending.exchange.isSettled();
            });
        } while (!m_pending.empty() && isTimeLeft());
    }

private:
    struct Pending {
        QByteArray name;
        QByteArray realName;
        FileExchange exchange;
    };

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
    bool isOnlyOurs(const QByteArray &name, const QByteArray &text) const
    {
        return conflist::unplan(name, text, m_types).action == conflist::Action::Refuse;
    }
    bool isTimeLeft() const
    {
        const timespec pause{ 0, pauseNs };
        ::nanosleep(&pause, nullptr);
        return sys::bootTimeNs() < m_deadlineNs;
    }

    int m_directory;
    const PatchOptions &m_options;
    qint64 m_deadlineNs;
    QByteArrayList m_types;
    std::list<Pending> m_pending;
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

} // namespace

UndoResult undoAll(int directory, const PatchOptions &options, journal::Journal &journal, qint64 deadlineNs)
{
    UndoResult result;
    QList<QByteArray> names;
    if (!sys::listDirectory(directory, names)) {
        result.failed = 1;
        return result;
    }
    for (const QByteArray &name : std::as_const(names)) {
        const QByteArray conf = nameOfKept(name);
        const Restored restored = conf.isEmpty() ? Restored::Nothing : restoreKept(directory, name, options.chain);
        if (restored == Restored::Original || restored == Restored::Failed)
            count(result, journal, conf, restored == Restored::Original);
    }
    Undo undo(directory, options, deadlineNs);
    for (const QByteArray &name : std::as_const(names)) {
        if (!conflist::isConfigName(name))
            continue;
        Written written;
        const Undo::Result one = undo.undo(name, written);
        if (one == Undo::Result::Undone)
            journal.record(journal::Kind::PatchUndone,
                { { QStringLiteral("file"), journal::shownName(name) },
                    { QStringLiteral("sha_before"), QString::fromLatin1(written.before) },
                    { QStringLiteral("sha_after"), QString::fromLatin1(written.after) } });
        if (one != Undo::Result::NotOurs)
            count(result, journal, name, one == Undo::Result::Undone);
    }
    undo.settle();
    return sys::syncDirectory(directory) || result.all() == 0 ? result : UndoResult{ 0, result.all() };
}

} // namespace firstwatch::patch
