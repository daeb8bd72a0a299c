// SPDX-License-Identifier: Apache-2.0
#include "conflist/cniversion.h"
#include "conflist/config.h"
#include "conflist/findingcodes.h"
#include "conflist/gofields.h"
#include "conflist/plan.h"
#include "conflist/shape.h"
#include "conflist/shownname.h"

// The checks of containernetworking/cni libcni/conf.go (v1.2.3 and v1.3.0) and of containerd/go-cni opts.go.
namespace firstwatch::conflist {
namespace {

using Refusal = std::optional<Judgement>;

Judgement refused(int code, qsizetype offset, const QString &reason)
{
    Judgement judgement;
    judgement.code = code;
    judgement.offset = offset;
    judgement.verdict.reason = reason;
    return judgement;
}

Judgement wrongType(const Item &item)
{
    return refused(code::rejectedField, item.value.begin,
        QStringLiteral("'%1' has a value that no container runtime accepts there.").arg(shownName(item.name)));
}

// A bool, or "true" or "false" in any case (libcni from v1.2.0).
bool isFlag(const Item &item)
{
    const QByteArray lower = item.string.toLower();
    return item.kind == Kind::Bool || (item.kind == Kind::String && (lower == "true" || lower == "false"));
}

bool isOn(QByteArrayView text, const Item *flag)
{
    return flag != nullptr && (flag->string.toLower() == "true" || flag->value.of(text) == QByteArrayView("true"));
}

Refusal checkNames(const QList<Item> &members)
{
    const Item *name = lastMember(members, "name");
    if (name == nullptr)
        return refused(code::missingName, -1,
            QStringLiteral("The list has no 'name', so no container runtime loads it; give it one."));
    if (name->kind != Kind::String)
        return wrongType(*name);
    const Item *version = lastMember(members, "cniVersion");
    if (version != nullptr && version->kind != Kind::String)
        return wrongType(*version);
    return std::nullopt;
}

Refusal checkVersions(QByteArrayView text, const QList<Item> &members)
{
    const Item *versions = lastMember(members, "cniVersions");
    if (versions == nullptr)
        return std::nullopt;
    if (versions->kind != Kind::Array)
        return wrongType(*versions);
    const Scan elements = scan(text, versions->value);
    for (const Item &version : elements.items) {
        if (version.kind != Kind::String || !parseCniVersion(version.string))
            return wrongType(*versions);
    }
    const Item *single = lastMember(members, "cniVersion");
    if (single != nullptr && !parseCniVersion(single->string))
        return wrongType(*single);
    return elements.truncated ? Refusal(wrongType(*versions)) : std::nullopt;
}

Refusal checkFlags(const QList<Item> &members)
{
    for (const char *name : { "disableCheck", "disableGC", "loadOnlyInlinedPlugins" }) {
        const Item *flag = lastMember(members, name);
        if (flag != nullptr && !isFlag(*flag))
            return wrongType(*flag);
    }
    return std::nullopt;
}

Judgement withoutPlugins(QByteArrayView text, const QList<Item> &members)
{
    if (structField(members, "type") != nullptr)
        return refused(code::singleInConflist, -1,
            QStringLiteral("A single plugin in a .conflist is not loaded; its owner has to write a list, or "
                           "name the file .conf."));
    if (isOn(text, lastMember(members, "loadOnlyInlinedPlugins")))
        return refused(code::emptyList, -1,
            QStringLiteral("'loadOnlyInlinedPlugins' is set and there is no 'plugins'; add the owner's "
                           "plugins."));
    return refused(code::dropInOnly, -1,
        QStringLiteral("The list has no 'plugins': they can only come from the drop-in directory named like "
                       "the network (libcni 1.3), so put the plugin in there."));
}

Refusal checkPlugin(QByteArrayView text, const Plugin &plugin, qsizetype number)
{
    const auto refuse = [&](const QString &what) {
        return refused(code::rejectedField, plugin.span.begin,
            QStringLiteral("Plugin %1 %2, so no container runtime loads the file.").arg(number).arg(what));
    };
    if (plugin.kind != Kind::Object && plugin.kind != Kind::Null)
        return refuse(QStringLiteral("is not an object"));
    const QByteArray field = undecodableField(text, plugin.members, Decoding::MapThenStruct);
    if (!field.isEmpty())
        return refuse(QStringLiteral("has a '%1' of the wrong type").arg(shownName(field)));
    if (plugin.type.isEmpty())
        return refuse(QStringLiteral("has no 'type'"));
    return std::nullopt;
}

Refusal checkPlugins(QByteArrayView text, const Config &config)
{
    if (!config.pluginsMember)
        return withoutPlugins(text, config.root.items);
    const qsizetype offset = config.pluginsMember->value.begin;
    if (config.pluginsMember->kind != Kind::Array)
        return refused(code::pluginsNotAList, offset,
            QStringLiteral("'plugins' is not an array, so no container runtime loads the file."));
    if (config.plugins.isEmpty())
        return refused(code::emptyList, offset,
            QStringLiteral("'plugins' is empty, so no container runtime loads the file; only its owner can "
                           "make it a network."));
    for (qsizetype i = 0; i < config.plugins.size(); ++i) {
        if (Refusal refusal = checkPlugin(text, config.plugins[i], i + 1))
            return refusal;
    }
    return std::nullopt;
}

Judgement judgeList(QByteArrayView text, const Config &config)
{
    const QList<Item> &members = config.root.items;
    Refusal refusal = checkNames(members);
    if (!refusal)
        refusal = checkVersions(text, members);
    if (!refusal)
        refusal = checkFlags(members);
    if (!refusal)
        refusal = checkPlugins(text, config);
    if (refusal)
        return *refusal;
    Judgement judgement;
    judgement.verdict.accepted = true;
    judgement.verdict.network = lastMember(members, "name")->string;
    if (const Item *version = lastMember(members, "cniVersion"))
        judgement.verdict.cniVersion = version->string;
    for (const Plugin &plugin : config.plugins)
        judgement.verdict.chain.append(plugin.type);
    judgement.verdict.takesDropIns = !isOn(text, lastMember(members, "loadOnlyInlinedPlugins"));
    return judgement;
}

QByteArray stringField(const QList<Item> &members, QByteArrayView name)
{
    const Item *field = structField(members, name);
    return field == nullptr ? QByteArray() : field->string;
}

Judgement judgeSingle(QByteArrayView text, const Config &config)
{
    const QList<Item> &members = config.root.items;
    const QByteArray field = undecodableField(text, members, Decoding::Struct);
    if (!field.isEmpty())
        return refused(code::rejectedField, -1,
            QStringLiteral("'%1' has the wrong type, so no container runtime loads the file.").arg(shownName(field)));
    const QByteArray type = stringField(members, "type");
    if (type.isEmpty() && config.pluginsMember)
        return refused(code::listInConf, config.pluginsMember->key.begin,
            QStringLiteral("A list of plugins is not loaded from a file that does not end in .conflist; "
                           "only its owner may rename it, since that makes it live."));
    if (type.isEmpty())
        return refused(
            code::rejectedField, -1, QStringLiteral("The file has no 'type', so no container runtime loads it."));
    // Runtimes wrap it into a list, and then look at the depth again.
    if (config.root.depth + 2 > maximumDepth)
        return refused(code::rejectedField, -1, QStringLiteral("The file is nested too deep to become a list."));
    Judgement judgement;
    judgement.verdict = { true, {}, stringField(members, "name"), stringField(members, "cniVersion"), { type }, false };
    return judgement;
}

} // namespace

Judgement judge(const QByteArray &name, QByteArrayView text, const Config &config)
{
    if (config.fault())
        return refused(config.fault()->code, config.fault()->offset, config.fault()->text);
    if (config.tooManyParts)
        return refused(code::tooManyParts, -1,
            QStringLiteral("The file has more than %1 members and plugins, too many to judge.")
                .arg(Scan::maximumItems));
    if (config.root.kind != Kind::Object)
        return refused(code::rejectedField, config.root.value.begin,
            QStringLiteral("The file does not hold a JSON object, so no container runtime loads it."));
    return isListName(name) ? judgeList(text, config) : judgeSingle(text, config);
}

Verdict verdict(const QByteArray &name, const QByteArray &text)
{
    return judge(name, text, readConfig(text)).verdict;
}

} // namespace firstwatch::conflist
