// SPDX-License-Identifier: Apache-2.0
#include "race/firstwatchtimes.h"
#include "race/scribe.h"
#include "race/shellmodel.h"

#include "patch/damping.h"

#include <algorithm>
#include <deque>
#include <set>

// Firstwatch, by the rules of watch/directorywatch.cpp and patch/{reconciler,filepatcher,fileexchange}.cpp. Which text
// is patched and how often are the service's own code (conflist::plan, patch::Damping).
namespace firstwatch::race {

using journal::Kind;

namespace {

class FirstwatchModel {
public:
    FirstwatchModel(const Schedule &schedule, const conflist::Options &chain, const FirstwatchRules &rules)
        : m_schedule(schedule)
        , m_rules(rules)
        , m_clock(-longestNs)
        , m_world(m_clock, m_schedule)
        , m_scribe(m_clock, chain, Installer::Firstwatch)
    {
        m_world.listen({ [this](const Record &record) { return hear(record); },
            [this](const QByteArray &name, bool isTold) {
                m_scribe.changed(name, m_world.file(name)->text, isTold ? Change::Heard::Told : m_why);
                m_isUntold[name] = !isTold;
            },
            [this](const QByteArray &name, const File &displaced) { hearLateClose(name, displaced); },
            [this](const QByteArray &name) { m_scribe.gone(name); }, [this] { hearDirectory(); },
            [this](qint64 spanNs) { overflow(spanNs); } });
    }

    Outcome run()
    {
        m_world.play();
        m_clock.at(0, [this] {
            m_scribe.begin(m_world);
            m_clock.at(m_schedule.forkDelayNs, [this] { start(); });
        });
        const bool isComplete = m_clock.run(endOf(m_schedule));
        Outcome outcome = m_scribe.finish(m_world, [this](const QByteArray &name) { return isAwaited(name); });
        outcome.isComplete = isComplete;
        if (m_nextPassNs > 0)
            outcome.nextPassNs = m_nextPassNs;
        return outcome;
    }

private:
    struct State {
        qint64 retryNs = 0;
        qint64 dueNs = 0;
        QByteArray unsettled; // the content that does not parse
        qint64 unsettledSinceNs = 0;
        patch::Damping damping;
    };

    struct Task {
        enum class Kind { Begin, Look, End };
        Kind kind = Kind::Look;
        QByteArray name;
        const char *reason = nullptr; // of the pass; null: an event or a timer
    };

    void start()
    {
        m_isStarted = true;
        m_clock.after(openNs, [this] { check(); });
        m_clock.after(pollNs, [this] { checkLater(); });
        if (!m_rules.provesFirst)
            m_clock.after(openNs, [this] { pass("start"); });
    }

    // What stands at the path is compared with what is watched: after each event of it, and each two seconds.
    void check()
    {
        const int there = m_world.directory();
        if (there == m_directory || (m_directory != 0 && !m_rules.rearms))
            return;
        lose(there == 0 ? "there is no net dir" : "another directory stands there");
        if (there != 0)
            arm(there);
    }

    void checkLater()
    {
        check();
        m_clock.after(pollNs, [this] { checkLater(); });
    }

    void lose(const char *reason)
    {
        const bool isNews = m_directory != 0 || m_world.directory() == 0;
        m_directory = 0;
        m_isArmed = m_isPolling = m_isReady = false;
        ++m_arms;
        m_tasks.clear();
        m_files.clear();
        if (isNews && m_scribe.hasFirstPass())
            m_scribe.record(Kind::WatchLost, { { QStringLiteral("reason"), QLatin1String(reason) } });
    }

    void arm(int directory)
    {
        m_directory = directory;
        m_clock.after(m_schedule.watchDelayNs, [this, arms = m_arms] {
            if (arms != m_arms)
                return;
            m_isArmed = true;
            m_scribe.armed();
            probe(0);
        });
    }

    // The proof is an event of our own that comes back through the queue; without one the directory is polled.
    void probe(int tries)
    {
        if (tries == probes)
            return poll();
        const bool comesBack = !m_schedule.isDeaf && !isFull();
        m_clock.after(comesBack ? probeNs : deadlineNs, [this, comesBack, tries, arms = m_arms] {
            if (arms == m_arms)
                comesBack ? prove() : probe(tries + 1);
        });
    }

    void prove()
    {
        m_scribe.proven();
        m_scribe.record(Kind::WatchProven,
            { { QStringLiteral("probe"), QStringLiteral("chmod") }, { QStringLiteral("probe_us"), probeNs / us },
                { QStringLiteral("witness"), QStringLiteral("confirmed") } });
        const bool isFirst = !m_scribe.hasFirstPass();
        if (!m_rules.provesFirst)
            return void(m_isReady = true);
        m_clock.after(isFirst ? readyNs : lookNs, [this, isFirst, arms = m_arms] {
            if (arms == m_arms)
                pass(isFirst ? "start" : "rearm");
        });
    }

    void poll()
    {
        m_isPolling = true;
        m_scribe.record(Kind::WatchPolling,
            { { QStringLiteral("reason"), QStringLiteral("the watch gives no events") },
                { QStringLiteral("interval_ms"), pollNs / ms } });
        pollAgain();
    }

    void pollAgain()
    {
        pass(m_scribe.hasFirstPass() ? "poll" : "start");
        m_clock.after(pollNs, [this, arms = m_arms] {
            if (arms == m_arms)
                pollAgain();
        });
    }

    // A pass looks at everything there is, in order. A quiet one is recorded only when it finds something.
    void pass(const char *reason)
    {
        const bool isFirst = !m_scribe.hasFirstPass();
        m_isReady = true;
        m_tasks.clear();
        m_tasks.push_back({ Task::Kind::Begin, {}, reason });
        for (const QByteArray &name : m_world.names()) {
            if (conflist::isConfigName(name))
                m_tasks.push_back({ Task::Kind::Look, name, reason });
        }
        m_tasks.push_back({ Task::Kind::End, {}, reason });
        if (isFirst && m_rules.periodNs)
            awaitPeriod();
        work();
    }

    void awaitPeriod()
    {
        m_nextPassNs = m_clock.nowNs() + *m_rules.periodNs;
        m_clock.at(m_nextPassNs, [this] {
            if (m_directory != 0)
                pass("periodic");
            awaitPeriod();
        });
    }

    bool hear(const Record &record)
    {
        const std::optional<Change::Heard> why = whyUnheard(record);
        m_why = why.value_or(Change::Heard::Told);
        if (why)
            return false;
        if ((record.mask & complete) != 0)
            m_clock.after(eventNs, [this, name = record.name] { lookSoon(name); });
        else
            lookLater(record.name, (record.mask & IN_MODIFY) != 0 ? modifiedNs : createdNs);
        return true;
    }

    [[nodiscard]] std::optional<Change::Heard> whyUnheard(const Record &record) const
    {
        if (!m_isArmed)
            return m_isStarted && m_scribe.hasFirstPass() ? Change::Heard::OtherDirectory : Change::Heard::BeforeWatch;
        if (record.directory != m_directory)
            return Change::Heard::OtherDirectory;
        if (m_schedule.isDeaf)
            return Change::Heard::Deaf;
        if (isFull())
            return Change::Heard::QueueFull;
        return conflist::isConfigName(record.name) ? std::nullopt : std::optional(Change::Heard::NotListed);
    }

    [[nodiscard]] bool isFull() const { return m_clock.nowNs() < m_fullUntilNs; }

    // The parents are watched as well.
    void hearDirectory()
    {
        if (m_isStarted && !m_schedule.isDeaf)
            m_clock.after(eventNs, [this] { check(); });
    }

    void overflow(qint64 spanNs)
    {
        m_fullUntilNs = m_clock.nowNs() + spanNs;
        m_clock.at(m_fullUntilNs, [this] {
            if (!m_isArmed || m_schedule.isDeaf)
                return;
            m_scribe.record(Kind::Overflow, { { QStringLiteral("count"), 1 } });
            if (m_isReady && m_rules.rescansAfterOverflow)
                pass("overflow");
        });
    }

    // Before the first pass, events are remembered and nothing is written; the pass looks at everything.
    void lookSoon(const QByteArray &name)
    {
        const auto isSame = [&](const Task &task) { return task.kind == Task::Kind::Look && task.name == name; };
        if (!m_isReady || std::any_of(m_tasks.cbegin(), m_tasks.cend(), isSame))
            return;
        m_tasks.push_back({ Task::Kind::Look, name, nullptr });
        work();
    }

    void lookLater(const QByteArray &name, qint64 inNs)
    {
        const qint64 dueNs = m_clock.nowNs() + inNs;
        m_files[name].dueNs = dueNs;
        m_clock.at(dueNs, [this, name, dueNs] {
            if (m_files[name].dueNs == dueNs)
                lookSoon(name);
        });
    }

    // One thing after the other, as the service's loop does.
    void work()
    {
        while (!m_isBusy && !m_tasks.empty()) {
            m_task = m_tasks.front();
            m_tasks.pop_front();
            if (m_task.kind == Task::Kind::Look)
                look(m_task.name);
            else
                takeMark(m_task);
        }
    }

    void takeMark(const Task &task)
    {
        const QByteArray reason = task.reason;
        const bool isQuiet = reason == "periodic" || reason == "poll";
        if (task.kind == Task::Kind::Begin) {
            m_looked = m_patched = 0;
            m_isSaid = !isQuiet || !m_scribe.hasFirstPass();
            if (m_isSaid)
                m_scribe.passBegins(task.reason, evidence());
        } else if (m_isSaid) {
            m_scribe.passEnds(m_looked, m_patched);
        }
    }

    [[nodiscard]] const char *evidence() const { return m_isPolling ? "polling" : m_isArmed ? "proof" : "none"; }

    void busy(qint64 ns, Clock::Job then)
    {
        m_isBusy = true;
        m_clock.after(ns, [this, then = std::move(then), arms = m_arms] {
            m_isBusy = false;
            if (arms == m_arms) // else the directory that it was about is not the one any more
                then();
            work();
        });
    }

    void look(const QByteArray &name)
    {
        ++m_looked;
        State &state = m_files[name];
        state.dueNs = 0;
        const File file = m_world.file(name);
        if (!file)
            return busy(lookNs, [] {});
        const conflist::Plan plan = m_scribe.planOf(name, file->text);
        switch (plan.action) {
        case conflist::Action::Incomplete:
            return unparsable(name, file->text);
        case conflist::Action::Patch:
        case conflist::Action::Convert:
            return patch(name, file, plan);
        case conflist::Action::None:
            m_scribe.state(name, "patched");
            break;
        case conflist::Action::Refuse:
            m_scribe.state(name, "refused");
            break;
        case conflist::Action::Ignore:
            break;
        }
        state.retryNs = 0;
        busy(lookNs, [] {});
    }

    void unparsable(const QByteArray &name, const QByteArray &text)
    {
        State &state = m_files[name];
        if (state.unsettled != text || state.unsettledSinceNs == 0) {
            state.unsettled = text;
            state.unsettledSinceNs = m_clock.nowNs();
            state.retryNs = 0;
        }
        if (m_clock.nowNs() - state.unsettledSinceNs < incompleteNs) {
            state.retryNs = nextRetryNs(state.retryNs);
            if (state.retryNs == firstRetryNs)
                m_scribe.recordFile(Kind::FileUnreadable, name,
                    { { QStringLiteral("why"), QStringLiteral("does not parse (yet)") },
                        { QStringLiteral("retry_ms"), state.retryNs / ms } });
            lookLater(name, state.retryNs);
        }
        m_scribe.state(name, "incomplete");
        busy(lookNs, [] {});
    }

    void patch(const QByteArray &name, const File &file, const conflist::Plan &plan)
    {
        State &state = m_files[name];
        if (file->writers > 0) { // the lease tells: somebody is still writing
            state.retryNs = nextRetryNs(state.retryNs);
            lookLater(name, state.retryNs);
            return busy(lookNs, [] {});
        }
        if (const qint64 wait = state.damping.waitNs(file->text, m_clock.nowNs()); wait > 0) {
            m_scribe.state(name, state.damping.isContested(m_clock.nowNs()) ? "contested" : "drift");
            lookLater(name, wait);
            return busy(lookNs, [] {});
        }
        tellOfFound(name);
        if (plan.action == conflist::Action::Convert)
            return busy(patchNs, [this, name, plan, text = file->text] { convert(name, plan, text); });
        busy(patchNs, [this, name, plan, text = file->text] { exchange(name, plan.text, text, false); });
    }

    // A change that no event told of, found by a look of a pass.
    void tellOfFound(const QByteArray &name)
    {
        if (m_task.reason == nullptr)
            return;
        if (!m_isSaid) {
            m_isSaid = true;
            m_scribe.passBegins(m_task.reason, evidence());
        }
        if (std::exchange(m_isUntold[name], false))
            m_scribe.recordFile(Kind::FileChange, name, { { QStringLiteral("via"), QStringLiteral("pass") } });
    }

    // What came out is looked at: when it is not what was read, another writer was quicker, and it is patched instead.
    void exchange(const QByteArray &name, const QByteArray &text, const QByteArray &madeOf, bool isRecovery)
    {
        if (!m_world.file(name)) // its owner has withdrawn it: it is not made again
            return;
        const File before = m_world.exchange(name, text);
        m_ours[name] = m_world.file(name);
        if (!isRecovery && before->text != madeOf && !settle(name, text, before))
            return;
        m_files[name].damping.patched(madeOf, m_clock.nowNs());
        ++m_patched;
        m_scribe.patched(name, m_world.file(name)->text,
            { { QStringLiteral("recovered"), isRecovery }, { QStringLiteral("us"), patchNs / us } });
        m_world.answer(name);
    }

    // False when that was not the end of it. A writer that is still at it is waited for: see hearLateClose().
    bool settle(const QByteArray &name, const QByteArray &text, const File &before)
    {
        if (!m_rules.looksAtDisplaced) {
            m_scribe.lostUpdate(name);
            return false;
        }
        const conflist::Plan newer = m_scribe.planOf(name, before->text);
        if (newer.action == conflist::Action::Patch) {
            exchange(name, newer.text, text, true);
            return false;
        }
        if (before->writers > 0)
            return true;
        (void)m_world.exchange(name, before->text);
        lookSoon(name);
        return false;
    }

    // The single plugin's file goes once the list is there; a list that is there already is left alone.
    void convert(const QByteArray &name, const conflist::Plan &plan, const QByteArray &madeOf)
    {
        const File file = m_world.file(name);
        if (!file || m_world.file(plan.targetName))
            return;
        if (file->text != madeOf)
            return lookSoon(name);
        (void)m_world.exchange(plan.targetName, plan.text);
        m_world.remove(name);
        ++m_patched;
        m_scribe.converted(name, plan.targetName, plan.text);
        m_world.answer(name);
    }

    // A writer that had the displaced file open has closed it: what it wrote is the newest content.
    void hearLateClose(const QByteArray &name, const File &displaced)
    {
        if (!m_rules.looksAtDisplaced || m_schedule.isDeaf)
            return m_scribe.lostUpdate(name);
        m_scribe.changed(name, displaced->text, Change::Heard::Told);
        m_clock.after(eventNs, [this, name, displaced] {
            const conflist::Plan plan = m_scribe.planOf(name, displaced->text);
            const bool isNewest = m_world.file(name) == m_ours[name];
            if (isNewest && plan.action == conflist::Action::Patch)
                busy(patchNs, [this, name, plan] { exchange(name, plan.text, {}, true); });
        });
    }

    [[nodiscard]] bool isAwaited(const QByteArray &name) const
    {
        const auto isLook = [&](const Task &task) { return task.kind == Task::Kind::Look && task.name == name; };
        const auto state = m_files.find(name);
        const bool isDue = state != m_files.end() && state->second.dueNs > 0;
        const bool isStarting = !m_scribe.hasFirstPass() || (m_directory != 0 && !m_isReady) || isFull();
        return isDue || isStarting || m_isPolling || std::any_of(m_tasks.cbegin(), m_tasks.cend(), isLook)
            || (m_isBusy && m_task.name == name);
    }

    const Schedule &m_schedule;
    const FirstwatchRules m_rules;
    Clock m_clock;
    World m_world;
    Scribe m_scribe;
    bool m_isStarted = false;
    int m_directory = 0; // that is held
    int m_arms = 0; // what was begun with another number is void
    bool m_isArmed = false;
    bool m_isPolling = false;
    bool m_isReady = false; // a pass was made since the watch became what it is
    qint64 m_fullUntilNs = 0;
    qint64 m_nextPassNs = 0;
    Change::Heard m_why = Change::Heard::BeforeWatch;
    std::map<QByteArray, State> m_files;
    std::map<QByteArray, bool> m_isUntold;
    std::map<QByteArray, File> m_ours; // what was put there last
    std::deque<Task> m_tasks;
    Task m_task;
    bool m_isBusy = false;
    bool m_isSaid = false; // the pass under way was recorded
    int m_looked = 0;
    int m_patched = 0;
};

} // namespace

Outcome simulateFirstwatch(const Schedule &schedule, const conflist::Options &chain, const FirstwatchRules &rules)
{
    return FirstwatchModel(schedule, chain, rules).run();
}

Outcome simulate(Installer installer, const Schedule &schedule, const conflist::Options &chain)
{
    return installer == Installer::Firstwatch ? simulateFirstwatch(schedule, chain, {})
                                              : simulateShell(installer == Installer::ShellAfter, schedule, chain);
}

} // namespace firstwatch::race
