// SPDX-License-Identifier: Apache-2.0
#include "ui/preview/previewjson.h"

#include "conflist/position.h"
#include "journal/shownname.h"
#include "ui/preview/changes.h"
#include "ui/preview/previewtext.h"

namespace firstwatch::ui {
namespace {

QJsonArray namesJson(const QByteArrayList &names)
{
    QJsonArray array;
    for (const QByteArray &name : names)
        array.append(journal::shownName(name));
    return array;
}

QJsonValue nameJson(const QByteArray &name)
{
    return name.isEmpty() ? QJsonValue() : QJsonValue(journal::shownName(name));
}

QJsonValue textJson(const QString &text)
{
    return text.isEmpty() ? QJsonValue() : QJsonValue(text);
}

QJsonObject findingJson(const preview::FilePreview &file, const Finding &finding)
{
    QJsonObject json{ { QStringLiteral("code"), QStringLiteral("FW%1").arg(finding.code) },
        { QStringLiteral("severity"), severityName(severityOf(finding)) }, { QStringLiteral("text"), finding.text },
        { QStringLiteral("line"), QJsonValue() }, { QStringLiteral("column"), QJsonValue() } };
    if (finding.offset < 0)
        return json;
    const conflist::Position at = conflist::positionAt(file.before, finding.offset);
    json.insert(QStringLiteral("line"), at.line);
    json.insert(QStringLiteral("column"), at.column);
    return json;
}

QJsonObject viewJson(const preview::RuntimeView &view)
{
    const conflist::Verdict &verdict = view.active.verdict;
    return { { QStringLiteral("order"), namesJson(view.order) },
        { QStringLiteral("active"), nameJson(view.active.name) }, { QStringLiteral("accepted"), verdict.accepted },
        { QStringLiteral("reason"), textJson(verdict.reason) },
        { QStringLiteral("network"), nameJson(verdict.network) },
        { QStringLiteral("cni_version"), nameJson(verdict.cniVersion) },
        { QStringLiteral("chain"), namesJson(verdict.chain) },
        { QStringLiteral("drop_ins"), namesJson(view.dropIns) } };
}

} // namespace

QJsonObject filePreviewJson(const QString &path, const preview::FilePreview &file, bool showsSecrets)
{
    QJsonArray findings;
    for (const Finding &finding : file.findings)
        findings.append(findingJson(file, finding));
    return { { QStringLiteral("file"), path }, { QStringLiteral("change"), changeWord(file.change) },
        { QStringLiteral("target"),
            nameJson(file.change == preview::Change::Convert ? file.targetName : QByteArray()) },
        { QStringLiteral("reason"), textJson(file.reason) },
        { QStringLiteral("diff"), textJson(changeDiffs(path, file, showsSecrets).join(QString())) },
        { QStringLiteral("findings"), findings } };
}

QJsonArray fileFindings(const QString &path, const preview::FilePreview &file)
{
    QJsonArray all;
    for (const Finding &finding : file.findings) {
        const journal::CodeEntry *entry = journal::codeEntry(finding.code);
        QJsonObject json = findingJson(file, finding);
        json.insert(QStringLiteral("file"), path);
        json.insert(QStringLiteral("fix"), QString::fromUtf8(entry == nullptr ? "" : entry->next));
        all.append(json);
    }
    return all;
}

QJsonObject runtimeJson(conflist::Runtime runtime, const preview::BeforeAndAfter &view)
{
    return { { QStringLiteral("runtime"), runtimeName(runtime) }, { QStringLiteral("before"), viewJson(view.before) },
        { QStringLiteral("after"), viewJson(view.after) } };
}

} // namespace firstwatch::ui
