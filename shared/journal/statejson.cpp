// SPDX-License-Identifier: Apache-2.0
#include "journal/state.h"

#include <QJsonArray>

#include <algorithm>
#include <array>

namespace firstwatch::journal {
namespace {

// In the order of the enums.
constexpr std::array watchNames{ QLatin1String("none"), QLatin1String("lost"), QLatin1String("polling"),
    QLatin1String("proven") };
constexpr std::array passNames{ QLatin1String("none"), QLatin1String("clean"), QLatin1String("unclean") };

// The first one for what is not in the list.
template <typename Enum, typename Names> Enum enumOf(const Names &names, const QJsonValue &value)
{
    const auto found = std::find(names.begin(), names.end(), value.toString());
    return found == names.end() ? Enum(0) : Enum(found - names.begin());
}

QJsonObject fileJson(const QString &name, const NodeState::File &file)
{
    return { { QStringLiteral("file"), name }, { QStringLiteral("state"), fileWordName(file.word) },
        { QStringLiteral("since_ns"), file.sinceNs }, { QStringLiteral("active"), file.active } };
}

QJsonObject findingJson(const NodeState::OpenFinding &finding)
{
    return { { QStringLiteral("code"), finding.code }, { QStringLiteral("file"), finding.file },
        { QStringLiteral("text"), finding.text }, { QStringLiteral("since_ns"), finding.sinceNs } };
}

} // namespace

QJsonObject NodeState::toJson() const
{
    QJsonArray files;
    for (auto file = m_files.cbegin(); file != m_files.cend(); ++file)
        files.append(fileJson(file.key(), file.value()));
    QJsonArray findings;
    for (const OpenFinding &finding : m_findings)
        findings.append(findingJson(finding));
    QJsonObject json{ { QStringLiteral("watch"), watchNames.at(size_t(m_watch)) },
        { QStringLiteral("pass"), passNames.at(size_t(m_pass)) }, { QStringLiteral("stopped"), m_stopped },
        { QStringLiteral("since_ns"), m_sinceNs }, { QStringLiteral("files"), files },
        { QStringLiteral("findings"), findings } };
    if (m_boot)
        json.insert(QStringLiteral("boot"), QString::fromUtf8(*m_boot));
    return json;
}

NodeState NodeState::fromJson(const QJsonObject &json)
{
    NodeState state;
    if (const QJsonValue boot = json[QLatin1String("boot")]; boot.isString())
        state.m_boot = boot.toString().toUtf8();
    state.m_watch = enumOf<Watch>(watchNames, json[QLatin1String("watch")]);
    state.m_pass = enumOf<Pass>(passNames, json[QLatin1String("pass")]);
    state.m_stopped = json[QLatin1String("stopped")].toBool();
    state.m_sinceNs = json[QLatin1String("since_ns")].toInteger();
    for (const QJsonValue file : json[QLatin1String("files")].toArray()) {
        const QString name = file[QLatin1String("file")].toString();
        const std::optional<FileWord> word = fileWordFromName(file[QLatin1String("state")].toString());
        if (!name.isEmpty() && word && word != FileWord::Gone)
            state.m_files.insert(
                name, { *word, file[QLatin1String("since_ns")].toInteger(), file[QLatin1String("active")].toBool() });
    }
    for (const QJsonValue finding : json[QLatin1String("findings")].toArray()) {
        const int code = finding[QLatin1String("code")].toInt();
        if (code > 0)
            state.m_findings.append({ code, finding[QLatin1String("file")].toString(),
                finding[QLatin1String("text")].toString(), finding[QLatin1String("since_ns")].toInteger() });
    }
    return state;
}

} // namespace firstwatch::journal
