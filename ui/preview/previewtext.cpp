// SPDX-License-Identifier: Apache-2.0
#include "ui/preview/previewtext.h"

#include "conflist/position.h"
#include "journal/shownname.h"
#include "ui/preview/changes.h"
#include "ui/text/diff.h"

#include <QStringList>

namespace firstwatch::ui {

using preview::Change;
using preview::FilePreview;

namespace {

constexpr int narrowest = 40; // columns that a text gets at least

Role roleOf(Change change)
{
    switch (change) {
    case Change::None:
        return Role::Good;
    case Change::Patch:
    case Change::Convert:
        return Role::Strong;
    case Change::Ignored:
        return Role::Muted;
    case Change::Left:
        return Role::Warning;
    case Change::Unreadable:
        return Role::Error;
    }
    return Role::Plain;
}

QString wrappedText(const Look &look, const QString &text, int indent)
{
    const QString whole = shown(look, text);
    if (look.columns == 0)
        return whole;
    return wrapped(whole, std::max(look.columns - indent, narrowest)).join(u'\n' + QString(indent, u' '));
}

QString place(const FilePreview &file, const Finding &finding)
{
    if (finding.offset < 0 || finding.text.startsWith(QLatin1String("Line ")))
        return {}; // some say it themselves
    const conflist::Position at = conflist::positionAt(file.before, finding.offset);
    return QStringLiteral("%1:%2 ").arg(at.line).arg(at.column);
}

QString findingLine(const Look &look, const FilePreview &file, const Finding &finding)
{
    const journal::Severity severity = severityOf(finding);
    const QString head = QStringLiteral("  FW%1 %2 ").arg(finding.code).arg(severityName(severity), -7);
    return painted(look, ui::roleOf(severity), head)
        + wrappedText(look, place(file, finding) + finding.text, int(head.size())) + u'\n';
}

QString chainText(const Look &look, const QByteArrayList &chain, const QByteArrayList &dropIns)
{
    QStringList types;
    for (const QByteArray &type : chain)
        types += journal::shownName(type);
    QStringList added;
    for (const QByteArray &type : dropIns)
        added += journal::shownName(type);
    QString text = types.join(look.hasUnicode ? QStringLiteral(" → ") : QStringLiteral(" -> "));
    if (!added.isEmpty())
        text += QStringLiteral(" + from the drop-in folder: ") + added.join(QStringLiteral(", "));
    return text;
}

QString readText(const Look &look, const preview::RuntimeView &view)
{
    const conflist::Verdict &verdict = view.active.verdict;
    if (view.active.name.isEmpty())
        return view.order.isEmpty() ? QStringLiteral("nothing: there is no config")
                                    : QStringLiteral("nothing: no config is accepted");
    const QString name = journal::shownName(view.active.name);
    if (!verdict.accepted)
        return QStringLiteral("nothing: %1 comes first and is refused: %2").arg(name, verdict.reason);
    const QString network =
        verdict.network.isEmpty() ? QStringLiteral("a network without a name") : journal::shownName(verdict.network);
    return QStringLiteral("%1, %2: %3").arg(name, network, chainText(look, verdict.chain, view.dropIns));
}

} // namespace

namespace {

QString headLine(const Look &look, const QString &path, Change change, const QString &sentence)
{
    const QString name = shown(look, path);
    const QString text = name + QStringLiteral(": ") + shown(look, sentence);
    const QString whole = look.columns == 0 ? text : wrapped(text, look.columns).join(QStringLiteral("\n  "));
    if (!whole.startsWith(name)) // broken at a space in it
        return whole + u'\n';
    return painted(look, roleOf(change), name) + whole.mid(name.size()) + u'\n';
}

// Without the reason that a finding below will give, with its code.
QString shortSentence(const FilePreview &file, bool isRemoval)
{
    const bool isSaidBelow = !file.findings.isEmpty() && file.findings.constFirst().text == file.reason;
    const QString sentence = changeSentence(file, isRemoval);
    return isSaidBelow ? sentence.chopped(file.reason.size()).chopped(2) : sentence;
}

} // namespace

QString fileLine(const Look &look, const QString &path, const FilePreview &file, bool isRemoval)
{
    return headLine(look, path, file.change, changeSentence(file, isRemoval));
}

QString filePage(const Look &look, const QString &path, const FilePreview &file, bool isRemoval, bool showsSecrets)
{
    QString text = headLine(look, path, file.change, shortSentence(file, isRemoval));
    for (const QString &diff : changeDiffs(path, file, showsSecrets))
        text += diffText(look, diff);
    for (const Finding &finding : file.findings)
        text += findingLine(look, file, finding);
    return text;
}

QString lintPage(const Look &look, const QString &path, const FilePreview &file)
{
    QString text = painted(look, Role::Strong, shown(look, path)) + u'\n';
    for (const Finding &finding : file.findings) {
        const journal::CodeEntry *entry = journal::codeEntry(finding.code);
        text += findingLine(look, file, finding);
        if (entry != nullptr)
            text += painted(look, Role::Muted, QStringLiteral("    fix: "))
                + wrappedText(look, QString::fromUtf8(entry->next), 9) + u'\n';
    }
    return text;
}

QLatin1String runtimeName(conflist::Runtime runtime)
{
    return runtime == conflist::Runtime::Containerd ? QLatin1String("containerd") : QLatin1String("CRI-O");
}

QString runtimePage(
    const Look &look, const QString &where, conflist::Runtime runtime, const preview::BeforeAndAfter &view)
{
    const QString before = readText(look, view.before);
    const QString after = readText(look, view.after);
    QString text =
        painted(look, Role::Strong, QStringLiteral("What %1 reads %2").arg(runtimeName(runtime), shown(look, where)))
        + u'\n';
    if (before == after)
        return text + QStringLiteral("  as before: ") + wrappedText(look, before, 4) + u'\n';
    return text + QStringLiteral("  before: ") + wrappedText(look, before, 4) + QStringLiteral("\n  after:  ")
        + wrappedText(look, after, 4) + u'\n';
}

} // namespace firstwatch::ui
