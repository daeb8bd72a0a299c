// SPDX-License-Identifier: Apache-2.0
#include "ui/text/nodepage.h"

#include "ui/text/table.h"
#include "ui/text/units.h"

namespace firstwatch::ui {

using journal::NodeState;
using journal::NodeView;

namespace {

constexpr int labelWidth = 13;

QString fact(const Look &look, const QString &label, const QString &text)
{
    const QString safe = shown(look, text);
    const int room = look.columns - labelWidth;
    const QStringList lines = look.columns == 0 ? QStringList{ safe } : wrapped(safe, room);
    return painted(look, Role::Muted, padded(label, labelWidth)) + lines.join(u'\n' + QString(labelWidth, u' '))
        + u'\n';
}

QString heading(const Look &look, const Node &node)
{
    const journal::State state = node.word();
    const QString word = glyphOf(look, state) + u' ' + journal::stateWord(state);
    return painted(look, roleOf(state), word) + QStringLiteral("  ")
        + painted(look, Role::Strong, shown(look, node.name())) + u'\n';
}

QString marginText(const NodeView &view)
{
    if (const std::optional<qint64> margin = view.readyMarginNs())
        return signedText(*margin)
            + (*margin < 0 ? QStringLiteral(", NOT proven before the first pass")
                           : QStringLiteral(", proven before the first pass"));
    if (view.firstPass.number == 0)
        return QStringLiteral("no pass yet");
    return QStringLiteral("none: the first pass went by %1")
        .arg(view.firstPass.evidence.isEmpty() ? QStringLiteral("nothing that is known") : view.firstPass.evidence);
}

QString watchText(const NodeView &view)
{
    QString text = watchWord(view);
    if (view.state.isProven())
        text += QStringLiteral(", proven: its probe came back in %1 µs").arg(view.watch.probeUs);
    else if (!view.watch.trouble.isEmpty())
        text += QStringLiteral(": ") + view.watch.trouble;
    return text;
}

QString passText(const Node &node)
{
    const NodeView::Pass &pass = node.view.lastPass;
    if (pass.number == 0)
        return {};
    if (pass.endedNs == 0)
        return QStringLiteral("#%1 (%2) is under way").arg(pass.number).arg(pass.reason);
    return QStringLiteral("#%1 (%2) ended %3 ago: %4 looked at, %5 patched")
        .arg(QString::number(pass.number), pass.reason, ageText(node.nowNs - pass.endedNs),
            countText(pass.files, QStringLiteral("file")), QString::number(pass.patched));
}

QString patchText(const Node &node)
{
    const NodeView::Counters &counters = node.view.counters;
    QString text = QStringLiteral("%1 first, %2 again, %3 failed")
                       .arg(counters.patched)
                       .arg(counters.repatched)
                       .arg(counters.failed);
    if (node.view.lastPatch.tNs != 0)
        text += QStringLiteral("; the last one %1 ago, %2")
                    .arg(ageText(node.nowNs - node.view.lastPatch.tNs), node.view.lastPatch.file);
    return text;
}

QString tokenText(const Node &node)
{
    if (!node.view.tokenExpires)
        return {};
    const qint64 expires = *node.view.tokenExpires;
    constexpr qint64 lastSecond = 253'402'300'799; // of the year 9999
    const QString until = expires <= 0 ? QStringLiteral("never expires")
        : expires > lastSecond         ? QStringLiteral("expires after the year 9999")
                                       : QStringLiteral("expires ") + momentText(expires * 1'000'000);
    return QStringLiteral("rotated %1 ago, %2").arg(ageText(node.nowNs - node.view.tokenNs), until);
}

QString runText(const Node &node)
{
    const NodeView::Process &process = node.view.process;
    QString text = QStringLiteral("boot ") + QString::fromUtf8(node.view.boot);
    if (process.startedNs != 0)
        text += QStringLiteral(", pid %1, version %2, started %3")
                    .arg(process.pid)
                    .arg(process.version, momentText(process.startedWallUs));
    return process.stopSummary.isEmpty() ? text : text + QStringLiteral("; ended: ") + process.stopSummary;
}

QString fileTable(const Look &look, const Node &node)
{
    const auto &files = node.view.state.files();
    if (files.isEmpty())
        return {};
    Table table(look,
        { { QStringLiteral("FILE") }, { QStringLiteral("STATE") }, { QStringLiteral("SINCE"), Table::Side::Right },
            { QStringLiteral("RUNTIME") } });
    for (auto file = files.cbegin(); file != files.cend(); ++file) {
        table.append({ { file.key() }, { journal::fileWordName(file->word), roleOf(file->word) },
            { ageText(node.nowNs - file->sinceNs) }, { file->active ? QStringLiteral("uses this one") : QString() } });
    }
    return u'\n' + table.text();
}

QString indented(const Look &look, const QString &text)
{
    constexpr int indent = 4;
    const QString before = u'\n' + QString(indent, u' ');
    return before + wrapped(shown(look, text), (look.columns == 0 ? 80 : look.columns) - indent).join(before);
}

QString findingText(const Look &look, const Node &node, const NodeState::OpenFinding &finding)
{
    const journal::CodeEntry *entry = journal::codeEntry(finding.code);
    const Role role = roleOf(ui::severityOf(finding));
    QString text = painted(look, role, QStringLiteral("FW%1").arg(finding.code)) + u' '
        + shown(look,
            finding.file + (finding.file.isEmpty() ? QString() : QStringLiteral(" ")) + QStringLiteral("for ")
                + ageText(node.nowNs - finding.sinceNs))
        + indented(look, finding.text);
    if (entry != nullptr)
        text += indented(look, QStringLiteral("→ ") + QString::fromUtf8(entry->next));
    return u'\n' + text + u'\n';
}

} // namespace

QString verdictSentence(const Node &node)
{
    return QStringLiteral("%1 is %2: %3").arg(node.name(), journal::stateWord(node.word()), stateMeaning(node.word()));
}

QString replaySentence(const Node &node)
{
    if (node.isLive)
        return {};
    return QStringLiteral("Replay of %1, as of %2. Not live.")
        .arg(node.source, node.nowUs == 0 ? QStringLiteral("nothing") : momentText(node.nowUs));
}

QList<NodeFact> nodeFacts(const Node &node)
{
    const NodeView &view = node.view;
    QList<NodeFact> facts{ { QStringLiteral("ready margin"), marginText(view) },
        { QStringLiteral("watch"), watchText(view) }, { QStringLiteral("last pass"), passText(node) },
        { QStringLiteral("patches"), patchText(node) }, { QStringLiteral("token"), tokenText(node) },
        { QStringLiteral("net dir"), view.process.netDir }, { QStringLiteral("run"), runText(node) } };
    facts.removeIf([](const NodeFact &fact) { return fact.text.isEmpty(); });
    return facts;
}

QString nodePage(const Look &look, const Node &node)
{
    const QString sentence = stateMeaning(node.word());
    QString page = heading(look, node) + shown(look, sentence.left(1).toUpper() + sentence.mid(1)) + u'\n';
    if (!node.isReached())
        return page + shown(look, QStringLiteral("FW%1 %2").arg(node.troubleCode).arg(node.trouble)) + u'\n';
    page += u'\n';
    for (const NodeFact &each : nodeFacts(node))
        page += fact(look, each.label, each.text);
    page += fileTable(look, node);
    for (const NodeState::OpenFinding &finding : node.view.state.findings())
        page += findingText(look, node, finding);
    return page;
}

} // namespace firstwatch::ui
