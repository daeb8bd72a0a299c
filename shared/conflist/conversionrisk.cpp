// SPDX-License-Identifier: Apache-2.0
#include "conflist/conversionrisk.h"

#include "conflist/findingcodes.h"
#include "conflist/mentions.h"
#include "conflist/shownname.h"

#include <algorithm>

namespace firstwatch::conflist {

Neighbours::Neighbours(QByteArrayList names)
    : m_names(std::move(names))
{
}

void Neighbours::add(const NamedText &file)
{
    if (m_deciders.mayTake(file.name))
        m_deciders.take({ file.name, verdict(file.name, file.text) });
    for (const QByteArray &named : namedConfigs(file.text)) {
        if (!isThere(named))
            continue;
        QByteArrayList &by = m_namedBy[named];
        if (by.size() < 2 && !by.contains(file.name))
            by.append(file.name);
    }
}

bool Neighbours::isThere(const QByteArray &name) const
{
    return std::binary_search(m_names.begin(), m_names.end(), name);
}

std::optional<Finding> Neighbours::risk(const QByteArray &conf, const Plan &plan) const
{
    const auto named = m_namedBy.find(conf);
    const QByteArrayList by = named == m_namedBy.end() ? QByteArrayList() : named->second;
    const auto other = std::find_if(by.begin(), by.end(), [&conf](const QByteArray &name) { return name != conf; });
    if (other != by.end())
        return Finding{ code::conversionReferenced,
            QStringLiteral("%1 names this file, which a conversion would rename; give the owner's list a "
                           ".conflist name, or exclude the file")
                .arg(shownName(*other)) };
    if (!isThere(plan.targetName) && !conversionKeepsActive(m_deciders.files(), conf, plan.targetName, plan.text))
        return Finding{ code::conversionReorders,
            QStringLiteral("as %1 the runtime would use another network first; rename the file so that its order "
                           "does not depend on its ending")
                .arg(shownName(plan.targetName)) };
    return std::nullopt;
}

Finding conversionBlocked(const QByteArray &listName)
{
    return { code::conversionBlocked,
        QStringLiteral("%1 exists already and is not ours to overwrite; remove one of the two files")
            .arg(shownName(listName)) };
}

} // namespace firstwatch::conflist
