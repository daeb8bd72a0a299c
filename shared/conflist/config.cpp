// SPDX-License-Identifier: Apache-2.0
#include "conflist/config.h"

#include "conflist/gofields.h"

namespace firstwatch::conflist {
namespace {

QByteArray typeOf(const QList<Item> &members)
{
    const QList<Item> decoded = throughMap(members);
    const Item *type = structField(decoded, "type");
    return type == nullptr ? QByteArray() : type->string;
}

} // namespace

Config readConfig(QByteArrayView text)
{
    Config config;
    config.root = scan(text);
    config.tooManyParts = config.root.truncated;
    if (config.fault() || config.root.kind != Kind::Object)
        return config;
    const Item *plugins = lastMember(config.root.items, "plugins");
    if (plugins == nullptr)
        return config;
    config.pluginsMember = *plugins;
    if (plugins->kind != Kind::Array)
        return config;
    const Scan elements = scan(text, plugins->value);
    config.tooManyParts = config.tooManyParts || elements.truncated;
    qsizetype parts = elements.items.size();
    for (const Item &element : elements.items) {
        Plugin plugin{ element.value, element.kind, {}, {} };
        if (element.kind == Kind::Object && parts <= Scan::maximumItems) {
            const Scan members = scan(text, element.value);
            config.tooManyParts = config.tooManyParts || members.truncated;
            plugin.members = members.items;
            plugin.type = typeOf(members.items);
            parts += members.items.size();
        }
        config.plugins.append(plugin);
    }
    config.tooManyParts = config.tooManyParts || parts > Scan::maximumItems;
    return config;
}

} // namespace firstwatch::conflist
