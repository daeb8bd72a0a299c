// SPDX-License-Identifier: Apache-2.0
#include "conflist/decision.h"
#include "conflist/findingcodes.h"
#include "conflist/splice.h"

#include <algorithm>

namespace firstwatch::conflist {
namespace {

Plan left(Action action, const Finding &finding)
{
    return { action, {}, {}, false, { finding } };
}

Plan refuseOnlyOurs()
{
    return left(Action::Refuse,
        { code::onlyOurs,
            QStringLiteral("The network has no plugin but ours, and without it no runtime would load the file; "
                           "remove the file."),
            -1 });
}

} // namespace

Plan unplan(const QByteArray &name, const QByteArray &text, const QByteArrayList &types)
{
    const Config config = readConfig(text);
    if (config.fault())
        return left(Action::Incomplete, false, *config.fault());
    if (config.tooManyParts)
        return refuse(false, code::tooManyParts,
            QStringLiteral("The file has too many members and plugins to take ours out of it; edit it by "
                           "hand."));
    if (!isListName(name))
        return types.contains(judge(name, text, config).verdict.chain.value(0))
            ? refuseOnlyOurs()
            : Plan{ Action::None, {}, {}, false, {} };
    std::vector<bool> removed;
    for (const Plugin &plugin : config.plugins)
        removed.push_back(types.contains(plugin.type));
    const auto count = std::count(removed.begin(), removed.end(), true);
    if (count == 0)
        return { Action::None, {}, {}, false, {} };
    if (count == config.plugins.size())
        return refuseOnlyOurs();
    QList<Edit> edits;
    for (qsizetype i = 0; i < config.plugins.size(); ++i) {
        if (removed[size_t(i)])
            edits.append(removal(config.plugins, removed, i));
    }
    return { Action::Patch, edited(text, edits), name, false, {} };
}

} // namespace firstwatch::conflist
