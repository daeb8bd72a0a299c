// SPDX-License-Identifier: Apache-2.0
#include "race/scribe.h"

#include "journal/shownname.h"

#include <algorithm>
#include <array>

namespace firstwatch::race {

using journal::Kind;

namespace {

constexpr char netDirPath[] = "/etc/cni/net.d";

bool isOpen(const Change &change, const QByteArray &name)
{
    return change.file == name && !change.patchedNs && !change.isOver;
}

} // namespace

QLatin1String installerName(Installer installer)
{
    constexpr std::array names{ QLatin1String("shell_before"), QLatin1String("shell_after"),
        QLatin1String("firstwatch") };
    return names.at(size_t(installer));
}

QString installerTitle(Installer installer)
{
    switch (installer) {
    case Installer::ShellBefore:
        return QStringLiteral("shell, before the fix");
    case Installer::ShellAfter:
        return QStringLiteral("shell, after the fix");
    case Installer::Firstwatch:
        break;
    }
    return QStringLiteral("Firstwatch");
}

Scribe::Scribe(const Clock &clock, const conflist::Options &chain, Installer installer)
    : m_clock(clock)
    , m_chain(chain)
{
    m_outcome.installer = installer;
}

void Scribe::record(Kind kind, const QJsonObject &fields)
{
    if (m_clock.nowNs() < 0)
        return;
    const quint64 seq = quint64(m_outcome.events.size()) + 1;
    m_outcome.events.append({ seq, {}, m_clock.nowNs() + 1, 0, kind, {}, fields });
}

void Scribe::recordFile(Kind kind, const QByteArray &name, QJsonObject fields)
{
    fields.insert(QStringLiteral("file"), journal::shownName(name));
    record(kind, fields);
}

void Scribe::state(const QByteArray &name, const char *word)
{
    if (m_clock.nowNs() < 0 || m_states[name] == word)
        return;
    m_states[name] = word;
    recordFile(Kind::FileState, name, { { QStringLiteral("state"), QLatin1String(word) } });
}

conflist::Plan Scribe::planOf(const QByteArray &name, const QByteArray &text) const
{
    return conflist::plan(name, text, m_chain);
}

bool Scribe::needsPatch(const QByteArray &name, const QByteArray &text) const
{
    const conflist::Action action = planOf(name, text).action;
    return action == conflist::Action::Patch || action == conflist::Action::Convert;
}

void Scribe::changed(const QByteArray &name, const QByteArray &text, Change::Heard heard)
{
    close(name);
    m_ownersLast[name] = m_clock.nowNs();
    if (!conflist::isConfigName(name))
        return;
    recordFile(Kind::FileChange, name,
        { { QStringLiteral("via"),
            heard == Change::Heard::Told ? QLatin1String("event") : QLatin1String("outside") } });
    const bool isBare = needsPatch(name, text);
    if (isBare)
        m_outcome.changes.append({ name, m_clock.nowNs(), heard, {}, false, false });
    if (m_clock.nowNs() >= 0)
        m_states[name].clear(); // what is said of it next is news
    if (isBare)
        state(name, "drift");
}

void Scribe::gone(const QByteArray &name)
{
    close(name);
    m_ownersLast[name] = m_clock.nowNs();
    if (conflist::isConfigName(name))
        state(name, "gone");
}

void Scribe::close(const QByteArray &name)
{
    for (Change &change : m_outcome.changes) {
        if (isOpen(change, name))
            change.isOver = true;
    }
}

void Scribe::begin(const World &world)
{
    record(Kind::ProcessStart,
        { { QStringLiteral("node"), installerTitle(m_outcome.installer) },
            { QStringLiteral("version"), QStringLiteral("a simulation") },
            { QStringLiteral("net_dir"), QLatin1String(netDirPath) } });
    for (const QByteArray &name : world.names()) {
        if (needsPatch(name, world.file(name)->text))
            state(name, "drift");
    }
}

void Scribe::armed()
{
    if (!m_outcome.armedNs)
        m_outcome.armedNs = m_clock.nowNs();
    const bool isOurs = m_outcome.installer == Installer::Firstwatch;
    record(Kind::WatchArmed,
        { { QStringLiteral("backend"), isOurs ? QStringLiteral("inotify") : QStringLiteral("inotifywait") },
            { QStringLiteral("dir"), QLatin1String(netDirPath) } });
}

void Scribe::proven()
{
    if (!m_outcome.provenNs)
        m_outcome.provenNs = m_clock.nowNs();
}

void Scribe::passBegins(const char *reason, const char *evidence)
{
    if (!m_outcome.passNs)
        m_outcome.passNs = m_clock.nowNs();
    record(Kind::PassBegin,
        { { QStringLiteral("pass"), ++m_pass }, { QStringLiteral("reason"), QLatin1String(reason) },
            { QStringLiteral("evidence"), QLatin1String(evidence) } });
}

void Scribe::passEnds(int files, int patched)
{
    record(Kind::PassEnd,
        { { QStringLiteral("pass"), m_pass }, { QStringLiteral("files"), files },
            { QStringLiteral("patched"), patched }, { QStringLiteral("missed"), 0 } });
}

void Scribe::patched(const QByteArray &name, const QByteArray &text, const QJsonObject &fields)
{
    QJsonObject all = fields;
    all.insert(QStringLiteral("repatch"), m_patches[name]++ > 0);
    recordFile(Kind::PatchApplied, name, all);
    if (needsPatch(name, text))
        return;
    for (Change &change : m_outcome.changes) {
        if (isOpen(change, name))
            change.patchedNs = m_clock.nowNs();
    }
    state(name, "patched");
}

void Scribe::converted(
    const QByteArray &from, const QByteArray &name, const QByteArray &text, const QJsonObject &fields)
{
    for (Change &change : m_outcome.changes) {
        if (isOpen(change, from))
            change.patchedNs = m_clock.nowNs();
    }
    state(from, "gone");
    patched(name, text, fields);
}

// What was overwritten is not there any more, with or without the plugin: it is lost, and not missed as well.
void Scribe::lostUpdate(const QByteArray &name)
{
    m_outcome.lostUpdates.append({ name, m_ownersLast[name], m_clock.nowNs() });
    close(name);
}

void Scribe::putBack(const QByteArray &name)
{
    m_outcome.putBack.append(name);
}

void Scribe::unheard(const QByteArray &name, Change::Heard why)
{
    for (Change &change : m_outcome.changes) {
        if (isOpen(change, name))
            change.heard = why;
    }
}

// The margin of a pass is known when the watch is, which may be later.
void Scribe::completeMargin()
{
    const std::optional<qint64> evidenceNs = m_outcome.provenNs ? m_outcome.provenNs : m_outcome.armedNs;
    if (!evidenceNs || !m_outcome.passNs)
        return;
    const auto first = std::find_if(m_outcome.events.begin(), m_outcome.events.end(),
        [](const journal::Event &event) { return event.kind == Kind::PassBegin; });
    if (first->fields[QLatin1String("evidence")] != QLatin1String("polling"))
        first->fields.insert(QStringLiteral("margin_ns"), *m_outcome.passNs - *evidenceNs);
}

Outcome Scribe::finish(const World &world, const std::function<bool(const QByteArray &)> &isAwaited)
{
    record(Kind::Note, { { QStringLiteral("text"), QStringLiteral("the simulation ends") } });
    m_outcome.endNs = m_clock.nowNs();
    for (Change &change : m_outcome.changes)
        change.isAwaited = isOpen(change, change.file) && isAwaited(change.file);
    for (const QByteArray &name : world.names()) {
        const conflist::Plan plan = planOf(name, world.file(name)->text);
        if (plan.action == conflist::Action::None)
            m_outcome.patched.append(name);
    }
    completeMargin();
    return m_outcome;
}

} // namespace firstwatch::race
