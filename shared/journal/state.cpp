// SPDX-License-Identifier: Apache-2.0
#include "journal/state.h"

#include "journal/codes.h"

#include <algorithm>
#include <array>

namespace firstwatch::journal {
namespace {

struct Look {
    QLatin1String word;
    QStringView glyph;
};
// In the order of the enum.
constexpr std::array looks{
    Look{ QLatin1String("BLIND"), u"✘" },
    Look{ QLatin1String("DRIFT"), u"◐" },
    Look{ QLatin1String("CONTESTED"), u"⇄" },
    Look{ QLatin1String("DEGRADED"), u"!" },
    Look{ QLatin1String("STARTING"), u"…" },
    Look{ QLatin1String("UNREACHABLE"), u"⌁" },
    Look{ QLatin1String("STOPPED"), u"□" },
    Look{ QLatin1String("WAITING"), u"◌" },
    Look{ QLatin1String("OK"), u"●" },
};
static_assert(looks.size() == size_t(State::Ok) + 1);

constexpr std::array fileWords{
    QLatin1String("patched"),
    QLatin1String("drift"),
    QLatin1String("incomplete"),
    QLatin1String("refused"),
    QLatin1String("contested"),
    QLatin1String("ignored"),
    QLatin1String("gone"),
};
static_assert(fileWords.size() == size_t(FileWord::Gone) + 1);

QString textOf(const Event &event, QLatin1String name)
{
    return event.fields[name].toString();
}

int codeOf(const Event &event)
{
    return event.fields[QLatin1String("code")].toInt();
}

} // namespace

QLatin1String stateWord(State state)
{
    return looks.at(size_t(state)).word;
}

QStringView stateGlyph(State state)
{
    return looks.at(size_t(state)).glyph;
}

QLatin1String fileWordName(FileWord word)
{
    return fileWords.at(size_t(word));
}

std::optional<FileWord> fileWordFromName(QAnyStringView name)
{
    const auto found = std::find(fileWords.cbegin(), fileWords.cend(), name);
    if (found == fileWords.cend())
        return {};
    return FileWord(found - fileWords.cbegin());
}

void NodeState::apply(const Event &event)
{
    if (event.kind == Kind::Note)
        return; // may stand outside any run
    if (m_boot != event.boot)
        begin(event);
    switch (event.kind) {
    case Kind::ProcessStop:
        m_stopped = event.fields[QLatin1String("clean")].toBool();
        setWatch(Watch::Lost, event.tNs);
        break;
    case Kind::WatchProven:
        setWatch(Watch::Proven, event.tNs);
        break;
    case Kind::WatchLost:
        setWatch(Watch::Lost, event.tNs);
        break;
    case Kind::WatchPolling:
        setWatch(Watch::Polling, event.tNs);
        break;
    case Kind::PassEnd:
        m_pass = event.fields[QLatin1String("clean")].toBool(true) ? Pass::Clean : Pass::Unclean;
        break;
    case Kind::FileState:
        applyFile(event);
        break;
    case Kind::FindingOpen:
        openFinding(event);
        break;
    case Kind::FindingClose:
        closeFinding(event);
        break;
    default:
        break;
    }
}

// A run starts with nothing of the one before; where its first events are missing, with the first that is there.
void NodeState::begin(const Event &event)
{
    *this = NodeState();
    m_boot = event.boot;
    m_sinceNs = event.tNs;
}

// The proof is renewed on a timer, which says nothing about the last pass; a watch that is new has seen no pass yet.
void NodeState::setWatch(Watch watch, qint64 atNs)
{
    if (m_watch == watch)
        return;
    m_watch = watch;
    m_pass = Pass::None;
    m_sinceNs = atNs;
}

void NodeState::applyFile(const Event &event)
{
    const QString name = textOf(event, QLatin1String("file"));
    const std::optional<FileWord> word = fileWordFromName(textOf(event, QLatin1String("state")));
    if (name.isEmpty() || !word)
        return;
    if (word == FileWord::Gone) {
        m_files.remove(name);
        return;
    }
    const bool active = event.fields[QLatin1String("active")].toBool();
    if (active) { // at most one is
        for (File &other : m_files)
            other.active = false;
    }
    const auto known = m_files.constFind(name);
    const bool isSame = known != m_files.cend() && known->word == *word;
    m_files.insert(name, { *word, isSame ? known->sinceNs : event.tNs, active });
}

void NodeState::openFinding(const Event &event)
{
    OpenFinding finding{ codeOf(event), textOf(event, QLatin1String("file")), textOf(event, QLatin1String("text")),
        event.tNs };
    if (finding.code <= 0)
        return;
    for (OpenFinding &open : m_findings) {
        if (open.code == finding.code && open.file == finding.file) {
            open.text = finding.text;
            return;
        }
    }
    m_findings.append(finding);
}

void NodeState::closeFinding(const Event &event)
{
    const int code = codeOf(event);
    const QString file = textOf(event, QLatin1String("file"));
    m_findings.removeIf([&](const OpenFinding &open) { return open.code == code && open.file == file; });
}

State NodeState::word(qint64 nowNs) const
{
    if (m_stopped)
        return State::Stopped;
    if (isBlind(nowNs))
        return State::Blind;
    if (hasFile(FileWord::Drift))
        return State::Drift;
    if (hasFile(FileWord::Contested))
        return State::Contested;
    if (isDegraded(nowNs))
        return State::Degraded;
    if (m_watch != Watch::Proven || m_pass == Pass::None)
        return State::Starting;
    return hasConfig() ? State::Ok : State::Waiting;
}

bool NodeState::isBlind(qint64 nowNs) const
{
    if (m_watch == Watch::Polling && m_pass == Pass::Unclean) // a poll that does not work either
        return true;
    return m_watch == Watch::Lost || (m_boot && m_watch == Watch::None && nowNs - m_sinceNs >= startingNs);
}

bool NodeState::isDegraded(qint64 nowNs) const
{
    if (m_watch == Watch::Polling || m_pass == Pass::Unclean)
        return true;
    if (m_watch == Watch::Proven && m_pass == Pass::None && nowNs - m_sinceNs >= startingNs)
        return true;
    return std::any_of(m_findings.cbegin(), m_findings.cend(), [](const OpenFinding &open) {
        const CodeEntry *entry = codeEntry(open.code);
        return entry != nullptr && entry->effect == Effect::Degraded;
    });
}

bool NodeState::hasFile(FileWord word) const
{
    return std::any_of(m_files.cbegin(), m_files.cend(), [word](const File &file) { return file.word == word; });
}

bool NodeState::hasConfig() const
{
    return std::any_of(
        m_files.cbegin(), m_files.cend(), [](const File &file) { return file.word != FileWord::Ignored; });
}

qint64 NodeState::oldestDriftNs() const
{
    qint64 oldest = 0;
    for (const File &file : m_files) {
        if (file.word == FileWord::Drift && (oldest == 0 || file.sinceNs < oldest))
            oldest = file.sinceNs;
    }
    return oldest;
}

QDebug operator<<(QDebug debug, const NodeState &state)
{
    const QDebugStateSaver saver(debug);
    debug.nospace().noquote() << "NodeState(" << (state.isProven() ? "proven" : "not proven");
    for (auto file = state.files().cbegin(); file != state.files().cend(); ++file)
        debug << ", " << file.key() << ' ' << fileWordName(file->word) << (file->active ? " active" : "");
    for (const NodeState::OpenFinding &finding : state.findings())
        debug << ", FW" << finding.code << ' ' << finding.file;
    return debug << ')';
}

} // namespace firstwatch::journal
