// SPDX-License-Identifier: Apache-2.0
#include "patch/rewriter.h"

#include "patch/conversion.h"
#include "patch/writefinding.h"
#include "sys/clock.h"

#include <ctime>

namespace firstwatch::patch {
namespace {

using Result = Rewritten::Result;

constexpr qint64 patienceNs = 3'000'000'000;
constexpr long pauseNs = 5'000'000;

// A newer text of the owner is not ours to change: nobody has looked at it.
std::optional<QByteArray> ownersText(const QByteArray &)
{
    return std::nullopt;
}

Rewritten resultOf(const Written &written, const QByteArray &wanted)
{
    switch (written.outcome) {
    case Outcome::Busy:
        return { Result::Busy, {}, {} };
    case Outcome::Withdrawn:
        return { Result::Changed, {}, {} };
    case Outcome::Failed:
        return { Result::Failed, writeFinding(written).text, {} };
    case Outcome::Done:
        break;
    }
    return { written.textAfter == wanted ? Result::Done : Result::Changed, {}, written.notKept };
}

} // namespace

Rewritten Rewriter::write(
    const QByteArray &name, const QByteArray &seenHash, const conflist::Plan &plan, const conflist::Options &chain)
{
    const ConfigFile read = readConfig(m_directory, name, m_path);
    if (read.status != ReadStatus::Ok || read.hash != seenHash)
        return { Result::Changed, {}, {} };
    if (plan.action != conflist::Action::Convert)
        return resultOf(m_states[read.name].exchange.replace(m_directory, read, plan.text, ownersText), plan.text);
    FileState &list = m_states[plan.targetName];
    const Conversion done = convert(m_directory, read, plan, chain, list);
    return done.refused ? Rewritten{ Result::Failed, done.refused->text, {} } : resultOf(done.written, plan.text);
}

void Rewriter::settle(QByteArrayList &overtaken)
{
    for (auto state = m_states.begin(); state != m_states.end();) {
        FileExchange &exchange = state->second.exchange;
        if (exchange.settle(m_directory, state->first, ownersText))
            overtaken.append(state->first);
        state = exchange.isSettled() ? m_states.erase(state) : std::next(state);
    }
}

Rewriter::Finished Rewriter::finish()
{
    Finished finished;
    finished.isDurable = sys::syncDirectory(m_directory);
    const qint64 deadline = sys::bootTimeNs() + patienceNs;
    for (settle(finished.overtaken); !m_states.empty() && sys::bootTimeNs() < deadline; settle(finished.overtaken)) {
        const timespec pause{ 0, pauseNs };
        ::nanosleep(&pause, nullptr);
    }
    for (const auto &state : m_states)
        finished.open.append(state.first);
    m_states.clear();
    finished.isDurable = finished.isDurable && (finished.overtaken.isEmpty() || sys::syncDirectory(m_directory));
    return finished;
}

} // namespace firstwatch::patch
