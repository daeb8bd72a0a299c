// SPDX-License-Identifier: Apache-2.0
#include "conflist/plan.h"

#include "conflist/arrange.h"
#include "conflist/cniversion.h"
#include "conflist/config.h"
#include "conflist/findingcodes.h"
#include "conflist/gofields.h"
#include "conflist/mentions.h"
#include "conflist/warnings.h"
#include "conflist/wrap.h"

#include <algorithm>

namespace firstwatch::conflist {
namespace {

constexpr char conflistEnding[] = ".conflist";

// All that the decision about one file is made from.
struct Case {
    const QByteArray &name;
    const QByteArray &text;
    const Options &options;
    Config config;
    Verdict verdict;
    QByteArrayList types; // ours
};

Plan left(Action action, bool drift, const Finding &finding)
{
    return { action, {}, {}, drift, { finding } };
}

Plan refuse(bool drift, int code, const QString &text)
{
    return left(Action::Refuse, drift, { code, text, -1 });
}

Plan tooLarge()
{
    return refuse(true, code::fileTooLarge,
        QStringLiteral("The file is larger than %1 bytes, or would be when patched; no CNI config is.")
            .arg(maximumFileSize));
}

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

// Whatever was planned, the runtime has to accept it and the next plan() has to understand it.
Plan checked(Plan plan)
{
    if (plan.text.size() > maximumFileSize)
        return tooLarge();
    if (judge(plan.targetName, plan.text, readConfig(plan.text)).verdict.accepted)
        return plan;
    return refuse(true, code::patchWouldNotLoad,
        QStringLiteral("With our plugin in it no container runtime would load the file; report this file."));
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
    return checked(plan);
}

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
                .arg(QString::fromUtf8(member->name)));
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

Plan planSingle(const Case &file)
{
    if (std::optional<Plan> plan = unconvertible(file))
        return *plan;
    const QList<Item> &members = file.config.root.items;
    Plan plan;
    plan.action = Action::Convert;
    plan.targetName = file.name.first(file.name.lastIndexOf('.')) + conflistEnding;
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
    return checked(plan);
}

} // namespace

bool isListName(const QByteArray &name)
{
    return name.endsWith(conflistEnding);
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
    return isListName(name) ? planList(file) : planSingle(file);
}

} // namespace firstwatch::conflist
