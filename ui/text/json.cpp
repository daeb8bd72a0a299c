// SPDX-License-Identifier: Apache-2.0
#include "ui/text/json.h"

#include "ui/text/look.h"

#include "journal/shownname.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

namespace firstwatch::ui {

using journal::NodeState;

namespace {

constexpr QLatin1String schema("firstwatch/v1");

QByteArray escapedUnit(char16_t unit)
{
    return "\\u" + QByteArray::number(uint(unit), 16).rightJustified(4, '0');
}

// What is below a space stands between the values of indented JSON only; inside a text the writer has escaped it.
bool isPlainAscii(char c)
{
    return uchar(c) < 0x7f;
}

QByteArray safeCharacters(const QByteArray &utf8, bool hasUnicode)
{
    QByteArray safe;
    for (const char32_t point : QString::fromUtf8(utf8).toUcs4()) {
        const QString character = QString::fromUcs4(&point, 1);
        if (hasUnicode && point >= 0x80 && journal::shownText(character) == character) {
            safe += character.toUtf8();
            continue;
        }
        for (const QChar unit : character)
            safe += escapedUnit(unit.unicode());
    }
    return safe;
}

QJsonValue momentJson(qint64 wallUs)
{
    return wallUs == 0 ? QJsonValue() : QJsonValue(QString::fromLatin1(journal::wallText(wallUs)));
}

QJsonValue optionalJson(const std::optional<qint64> &value)
{
    return value ? QJsonValue(*value) : QJsonValue();
}

QJsonArray filesJson(const Node &node)
{
    QJsonArray files;
    const auto &all = node.view.state.files();
    for (auto file = all.cbegin(); file != all.cend(); ++file)
        files.append(QJsonObject{ { QStringLiteral("file"), file.key() },
            { QStringLiteral("state"), journal::fileWordName(file->word) }, { QStringLiteral("active"), file->active },
            { QStringLiteral("age_ns"), node.nowNs - file->sinceNs } });
    return files;
}

QJsonObject watchJson(const Node &node)
{
    return { { QStringLiteral("word"), watchWord(node.view) }, { QStringLiteral("proven"), node.view.state.isProven() },
        { QStringLiteral("trouble"), node.view.watch.trouble },
        { QStringLiteral("probe_us"), node.view.watch.probeUs } };
}

// Null before the first patch.
QJsonValue lastPatchJson(const Node &node)
{
    const journal::NodeView::Patch &patch = node.view.lastPatch;
    if (patch.tNs == 0)
        return {};
    return QJsonObject{ { QStringLiteral("file"), patch.file }, { QStringLiteral("wall"), momentJson(patch.wallUs) },
        { QStringLiteral("age_ns"), node.nowNs - patch.tNs } };
}

} // namespace

QJsonObject document(const QString &name, const QJsonValue &value)
{
    return { { QStringLiteral("schema"), schema }, { name, value } };
}

void beginDocument(DocumentWriter &writer, const QString &name)
{
    writer.beginObject();
    writer.add(QStringLiteral("schema"), schema);
    writer.beginObject(name);
}

void endDocument(DocumentWriter &writer)
{
    writer.end();
    writer.end();
}

QByteArray jsonText(const QJsonObject &json, bool hasUnicode, bool isIndented)
{
    QByteArray text = QJsonDocument(json).toJson(isIndented ? QJsonDocument::Indented : QJsonDocument::Compact);
    if (!isIndented)
        text += '\n';
    return safeJson(text, hasUnicode);
}

QByteArray safeJson(const QByteArray &json, bool hasUnicode)
{
    QByteArray safe;
    safe.reserve(json.size());
    // Most of it is ASCII and stands as it is.
    for (auto at = json.cbegin(); at != json.cend();) {
        const auto odd = std::find_if_not(at, json.cend(), isPlainAscii);
        safe.append(at, odd - at);
        at = std::find_if(odd, json.cend(), isPlainAscii);
        safe += safeCharacters(QByteArray(odd, at - odd), hasUnicode);
    }
    return safe;
}

QJsonObject nodeJson(const Node &node)
{
    const FileCount files = fileCount(node.view.state);
    QJsonArray findings;
    for (const NodeState::OpenFinding &finding : node.view.state.findings())
        findings.append(findingJson(node, finding));
    QJsonObject json{ { QStringLiteral("node"), node.name() }, { QStringLiteral("source"), node.source },
        { QStringLiteral("live"), node.isLive }, { QStringLiteral("state"), journal::stateWord(node.word()) },
        { QStringLiteral("as_of"), momentJson(node.nowUs) },
        { QStringLiteral("boot"), QString::fromUtf8(node.view.boot) },
        { QStringLiteral("version"), node.view.process.version },
        { QStringLiteral("started"), momentJson(node.view.process.startedWallUs) },
        { QStringLiteral("net_dir"), node.view.process.netDir }, { QStringLiteral("watch"), watchJson(node) },
        { QStringLiteral("ready_margin_ns"), optionalJson(node.view.readyMarginNs()) },
        { QStringLiteral("eligible"), files.eligible }, { QStringLiteral("patched"), files.patched },
        { QStringLiteral("last_patch"), lastPatchJson(node) }, { QStringLiteral("files"), filesJson(node) },
        { QStringLiteral("findings"), findings } };
    if (!node.isReached())
        json.insert(QStringLiteral("trouble"),
            QJsonObject{ { QStringLiteral("code"), QStringLiteral("FW%1").arg(node.troubleCode) },
                { QStringLiteral("text"), node.trouble } });
    return json;
}

QJsonObject findingJson(const Node &node, const NodeState::OpenFinding &finding)
{
    const journal::CodeEntry *entry = journal::codeEntry(finding.code);
    return { { QStringLiteral("code"), QStringLiteral("FW%1").arg(finding.code) },
        { QStringLiteral("severity"), severityName(severityOf(finding)) }, { QStringLiteral("node"), node.name() },
        { QStringLiteral("file"), finding.file }, { QStringLiteral("text"), finding.text },
        { QStringLiteral("age_ns"), node.nowNs - finding.sinceNs },
        { QStringLiteral("next"), QString::fromUtf8(entry == nullptr ? "" : entry->next) } };
}

QJsonObject eventJson(const journal::Event &event)
{
    return QJsonDocument::fromJson(journal::toLine(event)).object();
}

} // namespace firstwatch::ui
