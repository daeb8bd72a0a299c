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

void writeView(DocumentWriter &writer, const QString &name, const preview::RuntimeView &view)
{
    const conflist::Verdict &verdict = view.active.verdict;
    writer.beginObject(name);
    writer.add(QStringLiteral("accepted"), verdict.accepted);
    writer.add(QStringLiteral("active"), nameJson(view.active.name));
    writer.add(QStringLiteral("chain"), namesJson(verdict.chain));
    writer.add(QStringLiteral("cni_version"), nameJson(verdict.cniVersion));
    writer.add(QStringLiteral("drop_ins"), namesJson(view.dropIns));
    writer.add(QStringLiteral("network"), nameJson(verdict.network));
    writer.beginList(QStringLiteral("order"));
    for (const QByteArray &file : view.order)
        writer.append(journal::shownName(file));
    writer.end();
    writer.add(QStringLiteral("reason"), textJson(verdict.reason));
    writer.end();
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

void writeRuntime(DocumentWriter &writer, conflist::Runtime runtime, const preview::BeforeAndAfter &view)
{
    writer.beginObject();
    writeView(writer, QStringLiteral("after"), view.after);
    writeView(writer, QStringLiteral("before"), view.before);
    writer.add(QStringLiteral("runtime"), runtimeName(runtime));
    writer.end();
}

} // namespace firstwatch::ui
