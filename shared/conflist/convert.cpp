// SPDX-License-Identifier: Apache-2.0
#include "conflist/convert.h"

#include "conflist/arrange.h"
#include "conflist/cniversion.h"
#include "conflist/findingcodes.h"
#include "conflist/gofields.h"
#include "conflist/shownname.h"
#include "conflist/warnings.h"
#include "conflist/wrap.h"

#include <algorithm>

namespace firstwatch::conflist {
namespace {

// Go takes the last of them in one place and the last in the alphabet in another.
const Item *ambiguousMember(const QList<Item> &members)
{
    for (const char *field : { "type", "name", "cniVersion" }) {
        const auto matches = [field](const Item &item) { return foldsTo(item.name, field); };
        const auto first = std::find_if(members.begin(), members.end(), matches);
        if (first != members.end() && std::find_if(first + 1, members.end(), matches) != members.end())
            return &*first;
    }
    return nullptr;
}

std::optional<Plan> unconvertible(const Case &file)
{
    if (file.config.pluginsMember)
        return refuse(true, code::typeAndPlugins,
            QStringLiteral("The file has both 'type' and 'plugins', so it is a plugin to one reader and a "
                           "list to another; take one out."));
    if (const Item *member = ambiguousMember(file.config.root.items))
        return refuse(true, code::duplicateKey,
            QStringLiteral("The key '%1' comes twice, and readers differ in which one counts; take one out.")
                .arg(shownName(member->name)));
    if (file.verdict.network.isEmpty())
        return refuse(true, code::missingName,
            QStringLiteral("The file has no 'name', which a list must have; add the network's name."));
    return std::nullopt;
}

// Lists came with CNI 0.3.0; 0.3.1 is the oldest that plugins commonly speak.
bool predatesLists(const QByteArray &cniVersion)
{
    const std::optional<CniVersion> version = parseCniVersion(cniVersion);
    return !cniVersion.isEmpty() && version && *version < CniVersion{ 0, 3, 0 };
}

} // namespace

Plan planConversion(const Case &file)
{
    if (std::optional<Plan> plan = unconvertible(file))
        return *plan;
    const QList<Item> &members = file.config.root.items;
    Plan plan;
    plan.action = Action::Convert;
    plan.targetName = file.name.first(file.name.lastIndexOf('.')) + ".conflist";
    plan.findings = warnings(file.text, file.config, file.verdict);
    QByteArrayView version;
    if (predatesLists(file.verdict.cniVersion)) {
        version = "\"0.3.1\"";
        plan.findings.append({ code::versionRaised,
            QStringLiteral("The 'cniVersion' is older than lists are, so the list says 0.3.1; check "
                           "that the plugin speaks it."),
            -1 });
    } else if (!file.verdict.cniVersion.isEmpty()) {
        version = structField(members, "cniVersion")->value.of(file.text);
    }
    plan.text = wrappedAsList(
        file.text, file.config, version, structField(members, "name")->value.of(file.text), elementsOf(file.options));
    return checked(file, plan);
}

} // namespace firstwatch::conflist
