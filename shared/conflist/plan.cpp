// SPDX-License-Identifier: Apache-2.0
#include "conflist/plan.h"

#include "conflist/arrange.h"
#include "conflist/convert.h"
#include "conflist/decision.h"
#include "conflist/findingcodes.h"
#include "conflist/mentions.h"
#include "conflist/warnings.h"

#include <algorithm>

namespace firstwatch::conflist {
namespace {

bool isOnlyLoopback(const QByteArrayList &chain, const QByteArrayList &ownTypes)
{
    bool any = false;
    for (const QByteArray &type : chain) {
        if (type != "loopback" && !ownTypes.contains(type))
            return false;
        any = any || type == "loopback";
    }
    return any;
}

bool isOnlyOurs(const QByteArrayList &chain, const QByteArrayList &ownTypes)
{
    return std::all_of(chain.begin(), chain.end(), [&](const QByteArray &type) { return ownTypes.contains(type); });
}

bool hasOursInDelegate(const Case &file)
{
    if (!isListName(file.name))
        return nestsType(file.config.root.value.of(file.text), file.types);
    const QList<Plugin> &plugins = file.config.plugins;
    return std::any_of(plugins.begin(), plugins.end(), [&](const Plugin &plugin) {
        return !file.types.contains(plugin.type) && nestsType(plugin.span.of(file.text), file.types);
    });
}

// Reasons to leave alone what a runtime accepts.
std::optional<Plan> untouchable(const Case &file)
{
    if (isOnlyLoopback(file.verdict.chain, file.types))
        return left(Action::Ignore, false,
            { code::loopbackOnly, QStringLiteral("A lone loopback network gets no chained plugin."), -1 });
    if (isOnlyOurs(file.verdict.chain, file.types))
        return refuse(false, code::onlyOurs,
            QStringLiteral("The network has no plugin but ours, so it is no chain; remove the file."));
    if (hasOursInDelegate(file))
        return refuse(true, code::oursInDelegate,
            QStringLiteral("Our plugin is already inside a delegate, and would run twice if it were added "
                           "to the chain; take it out of the delegate."));
    return std::nullopt;
}

void warnOfRepeatedOurs(QList<Finding> &findings, const Case &file)
{
    for (const QByteArray &type : file.types) {
        if (file.verdict.chain.count(type) > 1)
            findings.append({ code::ownRepeated,
                QStringLiteral("The plugin '%1' is in the chain %2 times; one is enough.")
                    .arg(QString::fromUtf8(type))
                    .arg(file.verdict.chain.count(type)),
                -1 });
    }
}

Plan planList(const Case &file)
{
    const QList<Item> &members = file.config.root.items;
    const auto isPlugins = [](const Item &item) { return item.name == "plugins"; };
    if (std::count_if(members.begin(), members.end(), isPlugins) > 1)
        return refuse(true, code::duplicateKey,
            QStringLiteral("The key 'plugins' comes twice, and readers differ in which one counts; take one "
                           "out."));
    Plan plan;
    plan.findings = warnings(file.text, file.config, file.verdict);
    warnOfRepeatedOurs(plan.findings, file);
    plan.text = arranged(file.text, file.config, file.options);
    if (plan.text == file.text) {
        plan.text.clear();
        plan.action = Action::None;
        return plan;
    }
    plan.action = Action::Patch;
    plan.targetName = file.name;
    return checked(file, plan);
}

} // namespace

bool isListName(const QByteArray &name)
{
    return name.endsWith(".conflist");
}

bool isConfigName(const QByteArray &name)
{
    return isListName(name) || name.endsWith(".conf") || name.endsWith(".json");
}

Plan plan(const QByteArray &name, const QByteArray &text, const Options &options)
{
    if (!isConfigName(name))
        return {};
    if (text.size() > maximumFileSize)
        return tooLarge();
    Case file{ name, text, options, readConfig(text), {}, typesOf(options) };
    if (file.config.fault())
        return left(Action::Incomplete, false, *file.config.fault());
    const Judgement judgement = judge(name, text, file.config);
    file.verdict = judgement.verdict;
    if (!file.verdict.accepted)
        return left(
            Action::Refuse, file.config.tooManyParts, { judgement.code, file.verdict.reason, judgement.offset });
    if (std::optional<Plan> plan = untouchable(file))
        return *plan;
    return isListName(name) ? planList(file) : planConversion(file);
}

} // namespace firstwatch::conflist
