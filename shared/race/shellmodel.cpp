// SPDX-License-Identifier: Apache-2.0
#include "race/shellmodel.h"

#include "race/scribe.h"

#include <algorithm>
#include <deque>
#include <sys/inotify.h>

// linkerd's install-cni.sh of linkerd2-proxy-init, as it was until its commit e2cd04f (v1.6.4) and from 8f8e5d7 (pull
// request 585, v1.6.5) on. Facts read in the script are marked [read], times measured of it [measured: on two cores, as
// a container, its own mounts].
namespace firstwatch::race {
namespace {

constexpr qint64 ms = 1'000'000;

// [read] A background process runs inotifywait; the script itself goes on at once. A fork and an exec later the watch
// exists, and the pass has begun as well: which of the two is first is chance. Here the watch is, as it mostly is.
constexpr qint64 forkNs = 2 * ms;
constexpr qint64 passNs = 3 * ms;
// [read] Since the fix the script asks ps(1) whether inotifywait sleeps, every 100 ms, without an end. Sleep is taken
// for readiness: whatever else it may wait for counts as well.
constexpr qint64 firstAskNs = 8 * ms;
constexpr qint64 askNs = 100 * ms;
// [read] The pass patches nothing. It copies each file away and moves it back, so that events come: find(1), then three
// processes for each file.
constexpr qint64 findNs = 4 * ms;
constexpr qint64 copyNs = 4 * ms; // until cp(1) has read the file
constexpr qint64 moveNs = 12 * ms; // until mv(1) has put it back
// [measured] From an event to the patched file, and of it the last part, in which newer content is overwritten.
constexpr qint64 syncNs = 296 * ms;
constexpr qint64 readNs = 256 * ms;
constexpr qint64 ignoreNs = 100 * ms; // until an event is found to be of no news: sha256sum(1) and jq(1)

// [read] inotifywait -m -e create,moved_to,modify
constexpr quint32 mask = IN_CREATE | IN_MOVED_TO | IN_MODIFY;

// [read] The pattern of sync(), whose case counts.
bool isHeeded(const QByteArray &name)
{
    return name.endsWith(".conflist") || name.endsWith(".conf");
}

// [read] What find(1) is asked for, where it does not.
bool isListed(const QByteArray &name)
{
    const QByteArray lower = name.toLower();
    return lower.endsWith("conflist") || lower.endsWith("conf");
}

class ShellModel {
public:
    ShellModel(bool isFixed, const Schedule &schedule, const conflist::Options &chain)
        : m_isFixed(isFixed)
        , m_schedule(schedule)
        , m_clock(-longestNs)
        , m_world(m_clock, m_schedule)
        , m_scribe(m_clock, chain, isFixed ? Installer::ShellAfter : Installer::ShellBefore)
    {
        m_world.listen({ [this](const Record &record) { return hear(record); },
            [this](const QByteArray &name, bool isTold) {
                m_scribe.changed(name, m_world.file(name)->text, isTold ? Change::Heard::Told : m_why);
            },
            [this](const QByteArray &name, const File &) { m_scribe.lostUpdate(name); },
            [this](const QByteArray &name) { m_scribe.gone(name); }, [] {},
            [this](qint64 spanNs) { m_fullUntilNs = m_clock.nowNs() + spanNs; } });
    }

    Outcome run()
    {
        m_world.play();
        m_clock.at(0, [this] { begin(); });
        const bool isComplete = m_clock.run(endOf(m_schedule));
        Outcome outcome = m_scribe.finish(m_world, [this](const QByteArray &name) { return isAwaited(name); });
        outcome.isComplete = isComplete;
        return outcome;
    }

private:
    void begin()
    {
        m_scribe.begin(m_world);
        const qint64 runsNs = m_schedule.forkDelayNs + forkNs;
        m_clock.at(runsNs, [this] { m_sleeps = true; });
        m_clock.at(runsNs + m_schedule.watchDelayNs, [this] { arm(); });
        if (m_isFixed)
            m_clock.at(firstAskNs, [this] { ask(); });
        else
            m_clock.at(passNs, [this] { beginPass(); });
    }

    // Without the directory inotifywait ends at once, and nobody starts it again.
    void arm()
    {
        m_watched = m_isOver ? 0 : m_world.directory();
        m_sleeps = m_watched != 0;
        if (m_sleeps)
            m_scribe.armed();
    }

    // inotifywait sleeps in its read(2), and in whatever keeps it from its watch.
    void ask()
    {
        if (m_sleeps)
            return beginPass();
        m_clock.after(askNs, [this] { ask(); });
    }

    // find(1) fails where there is no directory, and the script runs with -e [read].
    void beginPass()
    {
        m_isOver = m_world.directory() == 0;
        if (m_isOver) {
            m_watched = 0;
            return m_scribe.record(journal::Kind::ProcessStop,
                { { QStringLiteral("summary"), QStringLiteral("find(1) failed: there is no net dir") } });
        }
        m_scribe.passBegins("start", "none");
        m_clock.after(findNs, [this] {
            for (const QByteArray &name : m_world.names()) {
                if (isListed(name))
                    m_toProvoke.append(name);
            }
            provokeNext(0);
        });
    }

    void provokeNext(int provoked)
    {
        if (m_toProvoke.isEmpty())
            return m_scribe.passEnds(provoked, 0);
        const QByteArray name = m_toProvoke.first();
        m_clock.after(copyNs, [this, name] { m_copied = read(name); });
        m_clock.after(moveNs, [this, name, provoked] {
            m_toProvoke.removeFirst();
            if (m_copied)
                provoke(name);
            provokeNext(provoked + 1);
        });
    }

    void provoke(const QByteArray &name)
    {
        m_isTold = false;
        put(name, *m_copied, *m_copied);
        if (!m_isTold)
            m_scribe.unheard(name, m_why);
    }

    [[nodiscard]] std::optional<QByteArray> read(const QByteArray &name) const
    {
        const File file = m_world.file(name);
        return file ? std::optional(file->text) : std::nullopt;
    }

    // mv(1) from another file system: the name is unlinked and written anew [measured], whatever stands there now.
    void put(const QByteArray &name, const QByteArray &text, const QByteArray &madeOf)
    {
        const std::optional<QByteArray> there = read(name);
        if (!there)
            m_scribe.putBack(name);
        else if (*there != madeOf)
            m_scribe.lostUpdate(name);
        m_world.recreate(name, text);
    }

    bool hear(const Record &record)
    {
        if ((record.mask & mask) == 0)
            return false;
        const std::optional<Change::Heard> why = whyUnheard(record);
        m_why = why.value_or(Change::Heard::Told);
        if (why)
            return false;
        m_isTold = true;
        if (m_queue.empty() || m_queue.back() != record.name) // the kernel folds equal ones
            m_queue.push_back(record.name);
        m_clock.after(0, [this] { next(); });
        return true;
    }

    [[nodiscard]] std::optional<Change::Heard> whyUnheard(const Record &record) const
    {
        if (m_watched == 0)
            return Change::Heard::BeforeWatch;
        if (record.directory != m_watched)
            return Change::Heard::OtherDirectory;
        if (m_schedule.isDeaf)
            return Change::Heard::Deaf;
        if (m_clock.nowNs() < m_fullUntilNs) // the script does not ask for the overflow, and is not told [measured]
            return Change::Heard::QueueFull;
        return isHeeded(record.name) ? std::nullopt : std::optional(Change::Heard::NotListed);
    }

    // sync(): one event after the other, with what the file holds by then.
    void next()
    {
        if (m_isBusy || m_queue.empty())
            return;
        m_isBusy = true;
        m_current = m_queue.front();
        m_queue.pop_front();
        const std::optional<QByteArray> text = read(m_current);
        const auto known = m_written.find(m_current);
        if (!text || (known != m_written.end() && known->second == *text))
            return void(m_clock.after(ignoreNs, [this] { done(); }));
        m_clock.after(readNs, [this] { m_copiedForPatch = read(m_current); });
        m_clock.after(syncNs, [this] {
            if (m_copiedForPatch)
                patch(m_current, *m_copiedForPatch);
            done();
        });
    }

    void done()
    {
        m_isBusy = false;
        next();
    }

    // The filter's own changes to numbers and layout are no subject here, so what the plan says stands for it.
    void patch(const QByteArray &name, const QByteArray &madeOf)
    {
        const conflist::Plan plan = m_scribe.planOf(name, madeOf);
        if (plan.action == conflist::Action::Incomplete) // jq(1) prints nothing, and nothing is written [read]
            return m_scribe.recordFile(journal::Kind::FileUnreadable, name,
                { { QStringLiteral("why"), QStringLiteral("jq(1) cannot read it") } });
        if (plan.action == conflist::Action::None)
            return write(name, madeOf, madeOf);
        if (plan.action == conflist::Action::Patch)
            return write(name, plan.text, madeOf);
        if (plan.action == conflist::Action::Convert)
            convert(name, plan);
    }

    void write(const QByteArray &name, const QByteArray &text, const QByteArray &madeOf)
    {
        put(name, text, madeOf);
        m_written[name] = text;
        m_scribe.patched(name, text);
        m_world.answer(name);
    }

    // A list of that name is overwritten [measured]; the single plugin's file is removed.
    void convert(const QByteArray &name, const conflist::Plan &plan)
    {
        if (m_world.file(plan.targetName))
            m_scribe.lostUpdate(plan.targetName);
        m_world.recreate(plan.targetName, plan.text);
        m_written[plan.targetName] = plan.text;
        m_world.remove(name);
        m_scribe.converted(name, plan.targetName, plan.text);
        m_world.answer(name);
    }

    [[nodiscard]] bool isAwaited(const QByteArray &name) const
    {
        const bool isQueued = std::find(m_queue.cbegin(), m_queue.cend(), name) != m_queue.cend();
        return isQueued || (m_isBusy && m_current == name) || m_toProvoke.contains(name)
            || (!m_scribe.hasFirstPass() && !m_isOver);
    }

    const bool m_isFixed;
    const Schedule &m_schedule;
    Clock m_clock;
    World m_world;
    Scribe m_scribe;
    bool m_sleeps = false; // inotifywait, as ps(1) shows it
    bool m_isOver = false; // the script has ended
    int m_watched = 0; // directory
    qint64 m_fullUntilNs = 0;
    Change::Heard m_why = Change::Heard::BeforeWatch; // of the last record that was not taken
    bool m_isTold = false;
    QByteArrayList m_toProvoke;
    std::optional<QByteArray> m_copied;
    std::deque<QByteArray> m_queue;
    bool m_isBusy = false;
    QByteArray m_current;
    std::optional<QByteArray> m_copiedForPatch;
    std::map<QByteArray, QByteArray> m_written; // stands for the checksums
};

} // namespace

Outcome simulateShell(bool isFixed, const Schedule &schedule, const conflist::Options &chain)
{
    return ShellModel(isFixed, schedule, chain).run();
}

} // namespace firstwatch::race
