// SPDX-License-Identifier: Apache-2.0
#include "conflist/arrange.h"

#include "conflist/canonical.h"
#include "conflist/render.h"
#include "conflist/splice.h"

namespace firstwatch::conflist {
namespace {

using Standing = std::vector<bool>; // of each element: is it the one of ours that stays in its place

// All of ours are the tail already, each once and in order; or else none may stay.
Standing standingLast(const QList<Plugin> &plugins, const QByteArrayList &types)
{
    const qsizetype first = plugins.size() - types.size();
    Standing standing(size_t(plugins.size()), false);
    for (qsizetype i = 0; i < plugins.size(); ++i) {
        const bool inTail = i >= first;
        if (types.contains(plugins[i].type) != inTail || (inTail && plugins[i].type != types[i - first]))
            return Standing(size_t(plugins.size()), false);
        standing[size_t(i)] = inTail;
    }
    return standing;
}

// The first of each type stays.
Standing standingAnywhere(const QList<Plugin> &plugins, QByteArrayList types)
{
    Standing standing;
    for (const Plugin &plugin : plugins)
        standing.push_back(types.removeOne(plugin.type));
    return standing;
}

// What is not ours in place goes; what is in place and means something else is replaced.
QByteArray withOursInPlace(
    const QByteArray &text, const Config &config, const Options &options, const Standing &standing)
{
    const QByteArrayList types = typesOf(options);
    std::vector<bool> removed;
    for (qsizetype i = 0; i < config.plugins.size(); ++i)
        removed.push_back(types.contains(config.plugins[i].type) && !standing[size_t(i)]);
    QList<Edit> edits;
    for (qsizetype i = 0; i < config.plugins.size(); ++i) {
        const Plugin &plugin = config.plugins[i];
        if (removed[size_t(i)]) {
            edits.append(removal(config.plugins, removed, i));
        } else if (standing[size_t(i)]) {
            const QByteArray &wanted = options.plugins[types.indexOf(plugin.type)].text();
            if (canonical(plugin.span.of(text)) != canonical(wanted))
                edits.append({ plugin.span, rendered(wanted, elementStyle(text, config, types)) });
        }
    }
    return edits.isEmpty() ? text : edited(text, edits);
}

QByteArray withMissingAppended(const QByteArray &text, const Config &config, const Options &options)
{
    QByteArrayList missing;
    QByteArrayList present;
    for (const Plugin &plugin : config.plugins)
        present.append(plugin.type);
    for (const PluginTemplate &plugin : options.plugins) {
        if (!present.contains(plugin.type()))
            missing.append(plugin.text());
    }
    return missing.isEmpty() ? text : appended(text, config, missing, elementStyle(text, config, typesOf(options)));
}

} // namespace

QByteArrayList typesOf(const Options &options)
{
    QByteArrayList types;
    for (const PluginTemplate &plugin : options.plugins)
        types.append(plugin.type());
    return types;
}

QByteArrayList elementsOf(const Options &options)
{
    QByteArrayList elements;
    for (const PluginTemplate &plugin : options.plugins)
        elements.append(plugin.text());
    return elements;
}

QByteArray arranged(const QByteArray &text, const Config &config, const Options &options)
{
    const QByteArrayList types = typesOf(options);
    const Standing standing = options.position == ChainPosition::Last ? standingLast(config.plugins, types)
                                                                      : standingAnywhere(config.plugins, types);
    const QByteArray inPlace = withOursInPlace(text, config, options, standing);
    return withMissingAppended(inPlace, inPlace == text ? config : readConfig(inPlace), options);
}

} // namespace firstwatch::conflist
