// SPDX-License-Identifier: Apache-2.0
#include "conflist/warnings.h"

#include "conflist/findingcodes.h"
#include "conflist/gofields.h"
#include "conflist/position.h"
#include "conflist/shownname.h"
#include "conflist/utf8.h"

#include <algorithm>

namespace firstwatch::conflist {
namespace {

bool isAlphanumeric(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// ValidateNetworkName of containernetworking/cni pkg/utils; runtimes ask it when a pod starts, not when they load.
bool isNetworkName(const QByteArray &name)
{
    return !name.isEmpty() && isAlphanumeric(name.front()) && std::all_of(name.begin(), name.end(), [](char c) {
        return isAlphanumeric(c) || c == '_' || c == '.' || c == '-';
    });
}

QString placed(QByteArrayView text, qsizetype offset, const QString &what)
{
    const Position position = positionAt(text, offset);
    return QStringLiteral("Line %1, column %2: %3").arg(position.line).arg(position.column).arg(what);
}

void warnOfRepeats(QList<Finding> &findings, QByteArrayView text, const QList<Item> &members)
{
    if (const Item *again = repeatedMember(members))
        findings.append({ code::duplicateKey,
            placed(text, again->key.begin,
                QStringLiteral("the key '%1' comes twice in one object, and only its last value "
                               "counts; take the other out.")
                    .arg(shownName(again->name))),
            again->key.begin });
}

void warnOfBytes(QList<Finding> &findings, QByteArrayView text, const Config &config)
{
    if (const qsizetype offset = config.root.corruptibleNumber; offset >= 0)
        findings.append({ code::corruptibleNumber,
            placed(text, offset,
                QStringLiteral("a whole number above 2^53, which tools that rewrite JSON change; write "
                               "it as a string if its plugin allows.")),
            offset });
    if (const qsizetype offset = firstInvalidUtf8(text); offset >= 0)
        findings.append({ code::invalidUtf8,
            placed(text, offset,
                QStringLiteral("a byte that is not UTF-8, which plugins get to see as U+FFFD; save "
                               "the file as UTF-8.")),
            offset });
}

} // namespace

QList<Finding> warnings(QByteArrayView text, const Config &config, const Verdict &verdict)
{
    QList<Finding> findings;
    if (verdict.cniVersion.isEmpty() && lastMember(config.root.items, "cniVersions") == nullptr)
        findings.append({ code::missingCniVersion,
            QStringLiteral("The file has no 'cniVersion', so plugins take 0.1.0 and newer ones refuse it; "
                           "add the version that its plugins speak."),
            -1 });
    if (!isNetworkName(verdict.network))
        findings.append({ code::unusableName,
            QStringLiteral("The network's 'name' is empty or has characters that runtimes refuse when a "
                           "pod starts; use letters, digits, '_', '.' and '-'."),
            -1 });
    if (config.pluginsMember && structField(config.root.items, "type") != nullptr)
        findings.append({ code::typeAndPlugins,
            QStringLiteral("The list also has a 'type' of its own, which runtimes ignore; take it out."), -1 });
    warnOfRepeats(findings, text, config.root.items);
    for (const Plugin &plugin : config.plugins)
        warnOfRepeats(findings, text, plugin.members);
    warnOfBytes(findings, text, config);
    return findings;
}

} // namespace firstwatch::conflist
