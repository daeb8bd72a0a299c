// SPDX-License-Identifier: Apache-2.0
#include "ui/text/node.h"

#include <algorithm>

namespace firstwatch::ui {

using journal::Event;
using journal::FileWord;
using journal::NodeView;
using journal::Severity;
using journal::State;

namespace {

std::optional<Severity> severityOf(State state)
{
    switch (state) {
    case State::Blind:
    case State::Drift:
    case State::Contested:
        return Severity::Error;
    case State::Degraded:
        return Severity::Warning;
    default:
        return {};
    }
}

QList<QByteArray> bootsLike(const QList<Event> &events, const QByteArray &beginning)
{
    QList<QByteArray> boots;
    for (const Event &event : events) {
        if (event.seq != 0 && event.boot.startsWith(beginning) && !boots.contains(event.boot))
            boots.append(event.boot);
    }
    return boots;
}

} // namespace

QString Node::name() const
{
    return view.process.node.isEmpty() ? source : view.process.node;
}

State Node::word() const
{
    return isReached() ? view.state.word(nowNs) : State::Unreachable;
}

QList<Event> Node::run() const
{
    QList<Event> own = events;
    own.removeIf([this](const Event &event) { return event.boot != view.boot || event.seq == 0; });
    return own;
}

Facts factsOf(const Node &node)
{
    const QString state = journal::stateWord(node.word());
    const QString text = QStringList{ node.name(), state, node.source, node.trouble }.join(u' ');
    return { {}, {}, node.name(), state, {}, text, node.nowUs };
}

bool showRun(Node &node, const QByteArray &boot)
{
    const QList<QByteArray> boots = bootsLike(node.events, boot);
    if (boots.isEmpty() || (!boot.isEmpty() && boots.size() > 1))
        return false;
    node.view = NodeView();
    for (const Event &event : std::as_const(node.events)) {
        if (event.boot == boots.last())
            node.view.apply(event);
    }
    node.nowNs = node.view.tNs;
    node.nowUs = node.view.wallUs;
    return true;
}

FileCount fileCount(const journal::NodeState &state)
{
    FileCount count;
    for (const journal::NodeState::File &file : state.files()) {
        const bool isPatched = file.word == FileWord::Patched;
        count.patched += isPatched ? 1 : 0;
        count.eligible += isPatched || file.word == FileWord::Drift || file.word == FileWord::Contested ? 1 : 0;
    }
    return count;
}

QString watchWord(const NodeView &view)
{
    if (!view.state.isProven())
        return view.lastPass.evidence == QLatin1String("polling") ? QStringLiteral("polling") : QStringLiteral("none");
    return view.watch.backend
        + (view.watch.witness == QLatin1String("confirmed") ? QStringLiteral("+qfsw") : QString());
}

std::optional<Severity> worstOf(const Node &node)
{
    std::optional<Severity> worst = severityOf(node.word());
    for (const journal::NodeState::OpenFinding &finding : node.view.state.findings())
        worst = std::min(worst.value_or(Severity::Info), severityOf(finding));
    return worst;
}

// A code of a newer version is one that somebody has to look at.
Severity severityOf(const journal::NodeState::OpenFinding &finding)
{
    const journal::CodeEntry *entry = journal::codeEntry(finding.code);
    return entry == nullptr ? Severity::Warning : entry->severity;
}

QString stateMeaning(State state)
{
    switch (state) {
    case State::Blind:
        return QStringLiteral(
            "no proven watch: a config that is written now is not seen, and pods may miss the plugin.");
    case State::Drift:
        return QStringLiteral("a config lacks the plugin: pods that start with it start without.");
    case State::Contested:
        return QStringLiteral("another writer puts an unpatched config back again and again.");
    case State::Degraded:
        return QStringLiteral("works on a fallback; the findings say which.");
    case State::Starting:
        return QStringLiteral("the watch is not proven yet, or the first pass has not ended.");
    case State::Unreachable:
        return QStringLiteral("could not be asked; that says nothing about the node itself.");
    case State::Stopped:
        return QStringLiteral("ended cleanly.");
    case State::Waiting:
        return QStringLiteral("the watch is proven, and there is no CNI config on the node yet.");
    case State::Ok:
        break;
    }
    return QStringLiteral("the watch is proven, and every eligible config has the plugin.");
}

void sortWorstFirst(QList<Node> &nodes)
{
    std::stable_sort(nodes.begin(), nodes.end(), [](const Node &left, const Node &right) {
        return left.word() != right.word() ? left.word() < right.word() : left.name() < right.name();
    });
}

} // namespace firstwatch::ui
