// SPDX-License-Identifier: Apache-2.0
#include "ui/preview/sarif.h"

#include "conflist/position.h"
#include "journal/codes.h"
#include "journal/shownname.h"
#include "ui/preview/changes.h"

#include <QJsonArray>
#include <QJsonObject>

namespace firstwatch::ui {
namespace {

using journal::Severity;

QString ruleId(int code)
{
    return QStringLiteral("FW%1").arg(code);
}

QString levelOf(Severity severity)
{
    switch (severity) {
    case Severity::Error:
        return QStringLiteral("error");
    case Severity::Warning:
        return QStringLiteral("warning");
    case Severity::Info:
        break;
    }
    return QStringLiteral("note");
}

QJsonObject message(const QString &text)
{
    return { { QStringLiteral("text"), text } };
}

// RFC 3986; the bytes of a name are what they are.
QString uriOf(const QByteArray &path)
{
    QByteArray name = path;
    while (name.startsWith("./"))
        name.remove(0, 2);
    const QString encoded = QString::fromLatin1(name.toPercentEncoding("/"));
    return name.startsWith('/') ? QString(QStringLiteral("file://") + encoded) : encoded;
}

// What concerns the whole file stands at its first line, as reviewers are shown nothing without a line.
QJsonObject regionOf(const preview::FilePreview &file, const Finding &finding)
{
    if (finding.offset < 0)
        return { { QStringLiteral("startLine"), 1 } };
    const conflist::Position at = conflist::positionAt(file.before, finding.offset);
    return { { QStringLiteral("startLine"), at.line }, { QStringLiteral("startColumn"), at.column } };
}

QJsonObject resultOf(const QByteArray &path, const preview::FilePreview &file, const Finding &finding)
{
    const QJsonObject physical{ { QStringLiteral("artifactLocation"),
                                    QJsonObject{ { QStringLiteral("uri"), uriOf(path) } } },
        { QStringLiteral("region"), regionOf(file, finding) } };
    return {
        { QStringLiteral("ruleId"), ruleId(finding.code) }, { QStringLiteral("level"), levelOf(severityOf(finding)) },
        { QStringLiteral("message"), message(journal::shownText(finding.text)) },
        { QStringLiteral("locations"), QJsonArray{ QJsonObject{ { QStringLiteral("physicalLocation"), physical } } } }
    };
}

// Without a helpUri: that has to be an absolute address (SARIF 2.1.0, 3.49.12), and `help` says all of the page.
QJsonObject ruleOf(int code)
{
    const journal::CodeEntry *entry = journal::codeEntry(code);
    if (entry == nullptr)
        return { { QStringLiteral("id"), ruleId(code) } };
    return { { QStringLiteral("id"), ruleId(code) },
        { QStringLiteral("shortDescription"), message(QString::fromUtf8(entry->title)) },
        { QStringLiteral("fullDescription"), message(QString::fromUtf8(entry->meaning)) },
        { QStringLiteral("help"), message(QString::fromUtf8(entry->next)) },
        { QStringLiteral("defaultConfiguration"),
            QJsonObject{ { QStringLiteral("level"), levelOf(entry->severity) } } } };
}

QJsonObject invocationOf(const QStringList &problems)
{
    QJsonArray notifications;
    for (const QString &problem : problems)
        notifications.append(QJsonObject{
            { QStringLiteral("level"), QStringLiteral("error") }, { QStringLiteral("message"), message(problem) } });
    return { { QStringLiteral("executionSuccessful"), problems.isEmpty() },
        { QStringLiteral("toolExecutionNotifications"), notifications } };
}

} // namespace

SarifLog::SarifLog(DocumentWriter &writer)
    : m_writer(writer)
{
    m_writer.beginObject();
    m_writer.add(QStringLiteral("$schema"), QStringLiteral("https://json.schemastore.org/sarif-2.1.0.json"));
    m_writer.add(QStringLiteral("version"), QStringLiteral("2.1.0"));
    m_writer.beginList(QStringLiteral("runs"));
    m_writer.beginObject();
    m_writer.add(QStringLiteral("columnKind"), QStringLiteral("unicodeCodePoints"));
    m_writer.beginList(QStringLiteral("results"));
}

void SarifLog::add(const QByteArray &path, const preview::FilePreview &file)
{
    for (const Finding &finding : file.findings) {
        m_codes.insert(finding.code);
        m_writer.append(resultOf(path, file, finding));
    }
}

void SarifLog::addProblem(const QString &text)
{
    m_problems.append(text);
}

void SarifLog::end(const QString &version)
{
    QJsonArray rules;
    for (const int code : m_codes)
        rules.append(ruleOf(code));
    const QJsonObject driver{ { QStringLiteral("name"), QStringLiteral("firstwatch") },
        { QStringLiteral("version"), version }, { QStringLiteral("rules"), rules } };
    m_writer.end();
    m_writer.add(QStringLiteral("invocations"), QJsonArray{ invocationOf(m_problems) });
    m_writer.add(QStringLiteral("tool"), QJsonObject{ { QStringLiteral("driver"), driver } });
    for (int level = 0; level < 3; ++level) // run, runs, document
        m_writer.end();
}

} // namespace firstwatch::ui
