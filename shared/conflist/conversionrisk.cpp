// SPDX-License-Identifier: Apache-2.0
#include "conflist/conversionrisk.h"

#include "conflist/findingcodes.h"
#include "conflist/mentions.h"
#include "conflist/shownname.h"

#include <algorithm>

namespace firstwatch::conflist {

std::optional<Finding> conversionRisk(const QList<NamedText> &files, const QByteArray &conf, const Plan &plan)
{
    for (const NamedText &file : files) {
        if (file.name != conf && refersToFile(file.text, conf))
            return Finding{ code::conversionReferenced,
                QStringLiteral("%1 names this file, which a conversion would rename; give the owner's list a "
                               ".conflist name, or exclude the file")
                    .arg(shownName(file.name)) };
    }
    const bool isNew = std::none_of(
        files.begin(), files.end(), [&plan](const NamedText &file) { return file.name == plan.targetName; });
    if (isNew && !conversionKeepsActive(files, conf, plan.targetName, plan.text))
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
