// SPDX-License-Identifier: Apache-2.0
#include "ui/text/check.h"

#include "ui/text/json.h"
#include "ui/text/status.h"
#include "ui/text/units.h"

#include <algorithm>

namespace firstwatch::ui {

using journal::NodeState;
using journal::Severity;
using journal::State;
using Outcome = Check::Outcome;

namespace {

Outcome outcomeOf(Severity severity)
{
    return severity == Severity::Error  ? Outcome::Fails
        : severity == Severity::Warning ? Outcome::Warning
                                        : Outcome::Holds;
}

// The check of the findings whose codes begin with one of these two digits.
Check areaCheck(const Node &node, const QString &what, const QList<int> &areas)
{
    Check check;
    check.what = node.name() + u' ' + what;
    for (const NodeState::OpenFinding &finding : node.view.state.findings()) {
        if (!areas.contains(finding.code / 100))
            continue;
        check.findings.append(finding);
        check.outcome = std::max(check.outcome, outcomeOf(severityOf(finding)));
    }
    return check;
}

void fail(Check &check, Outcome outcome, const QString &trouble)
{
    check.outcome = std::max(check.outcome, outcome);
    if (check.findings.isEmpty())
        check.trouble = trouble;
}

Check reachedCheck(const Node &node)
{
    Check check;
    check.what = node.name() + (node.isLive ? QStringLiteral(" can be asked") : QStringLiteral(" can be read"));
    if (!node.isReached())
        check.trouble = QStringLiteral("FW%1 %2").arg(node.troubleCode).arg(node.trouble);
    else if (!node.hasRun())
        check.trouble = QStringLiteral("it holds no event of a run");
    check.outcome = check.trouble.isEmpty() ? Outcome::Holds : Outcome::Fails;
    check.detail = node.isLive ? node.source : QStringLiteral("%1, as of %2").arg(node.source, momentText(node.nowUs));
    return check;
}

Check watchCheck(const Node &node)
{
    Check check = areaCheck(node, QStringLiteral("has a proven watch"), { 10 });
    check.detail = watchWord(node.view);
    const State state = node.word();
    if (state == State::Stopped)
        check.detail = QStringLiteral("the service ended cleanly");
    else if (state == State::Blind)
        fail(check, Outcome::Fails, node.view.watch.trouble.isEmpty() ? stateMeaning(state) : node.view.watch.trouble);
    else if (!node.view.state.isProven())
        fail(
            check, Outcome::Warning, node.view.watch.trouble.isEmpty() ? stateMeaning(state) : node.view.watch.trouble);
    return check;
}

Check marginCheck(const Node &node)
{
    Check check;
    check.what = node.name() + QStringLiteral(" looked only after the proof");
    const std::optional<qint64> margin = node.view.readyMarginNs();
    if (margin)
        check.detail = QStringLiteral("ready margin ") + signedText(*margin);
    else if (node.view.firstPass.number == 0)
        check.detail = QStringLiteral("no pass yet");
    else
        fail(check, Outcome::Warning,
            QStringLiteral("its first pass had no proof to go by: %1").arg(node.view.firstPass.evidence));
    if (margin.value_or(0) < 0)
        fail(check, Outcome::Fails,
            QStringLiteral(
                "its first pass began %1 before the watch was proven: what was written in between is not seen")
                .arg(spanText(*margin)));
    return check;
}

Check filesCheck(const Node &node)
{
    Check check = areaCheck(node, QStringLiteral("has its configs patched"), { 11, 12, 20 });
    const FileCount count = fileCount(node.view.state);
    check.detail = QStringLiteral("%1 of %2").arg(count.patched).arg(count.eligible);
    const State state = node.word();
    if (state == State::Drift || state == State::Contested)
        fail(check, Outcome::Fails, stateMeaning(state));
    return check;
}

QString markOf(const Look &look, Outcome outcome)
{
    switch (outcome) {
    case Outcome::Holds:
        return painted(look, Role::Good, shown(look, QStringLiteral("✔")));
    case Outcome::Warning:
        return painted(look, Role::Warning, QStringLiteral("!"));
    case Outcome::Fails:
        break;
    }
    return painted(look, Role::Error, shown(look, QStringLiteral("✘")));
}

QString findingLine(const Node &node, const NodeState::OpenFinding &finding)
{
    const QString file = finding.file.isEmpty() ? QString() : finding.file + QStringLiteral(": ");
    return QStringLiteral("FW%1 %2%3 (for %4)")
        .arg(finding.code)
        .arg(file, finding.text, ageText(node.nowNs - finding.sinceNs));
}

QString checkText(const Look &look, const Node &node, const Check &check, const QString &program)
{
    const QString detail = check.outcome == Outcome::Holds && !check.detail.isEmpty()
        ? QStringLiteral(" (%1)").arg(check.detail)
        : QString();
    QStringList lines{ markOf(look, check.outcome) + u' ' + shown(look, check.what + detail) };
    if (!check.trouble.isEmpty())
        lines += shown(look, QStringLiteral("    ") + check.trouble);
    for (const NodeState::OpenFinding &finding : check.findings)
        lines += shown(look, QStringLiteral("    ") + findingLine(node, finding));
    if (!check.findings.isEmpty())
        lines += QStringLiteral("    see: %1 explain FW%2").arg(program).arg(check.findings.first().code);
    return lines.join(u'\n') + u'\n';
}

QLatin1String outcomeName(Outcome outcome)
{
    return outcome == Outcome::Holds  ? QLatin1String("ok")
        : outcome == Outcome::Warning ? QLatin1String("warning")
                                      : QLatin1String("error");
}

} // namespace

QList<Check> checksOf(const Node &node)
{
    const Check reached = reachedCheck(node);
    if (reached.outcome != Outcome::Holds)
        return { reached };
    return { reached, watchCheck(node), marginCheck(node), filesCheck(node),
        areaCheck(node, QStringLiteral("has a fresh token and kubeconfig"), { 13 }),
        areaCheck(node, QStringLiteral("has its plugin binaries"), { 30 }),
        areaCheck(node, QStringLiteral("works without trouble of its own"), { 14 }) };
}

QString checkReport(const Look &look, const QList<Node> &nodes, bool isShort, const QString &program)
{
    QString text = painted(look, Role::Strong, QStringLiteral("firstwatch")) + QStringLiteral("\n----------\n");
    for (const Node &node : nodes) {
        for (const Check &check : checksOf(node)) {
            if (!isShort || check.outcome != Outcome::Holds)
                text += checkText(look, node, check, program);
        }
    }
    return text + shown(look, attentionSentence(nodes)) + u'\n';
}

QJsonArray checkArray(const QList<Node> &nodes)
{
    QJsonArray array;
    for (const Node &node : nodes) {
        for (const Check &check : checksOf(node)) {
            QJsonArray findings;
            for (const NodeState::OpenFinding &finding : check.findings)
                findings.append(findingJson(node, finding));
            array.append(QJsonObject{ { QStringLiteral("node"), node.name() }, { QStringLiteral("what"), check.what },
                { QStringLiteral("outcome"), outcomeName(check.outcome) }, { QStringLiteral("detail"), check.detail },
                { QStringLiteral("trouble"), check.trouble }, { QStringLiteral("findings"), findings } });
        }
    }
    return array;
}

} // namespace firstwatch::ui
