// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conflist/plan.h"

namespace firstwatch::test {

// The template `text`, which must be good.
inline conflist::PluginTemplate pluginTemplate(const QByteArray &text)
{
    conflist::PluginTemplate::Error error;
    const std::optional<conflist::PluginTemplate> plugin =
        conflist::PluginTemplate::parse(text, "/etc/cni/net.d/kubeconfig", error);
    if (!plugin)
        qFatal("%s", qPrintable(error.text));
    return *plugin;
}

inline conflist::Options optionsFor(
    const QByteArrayList &templates, conflist::ChainPosition position = conflist::ChainPosition::Last)
{
    conflist::Options options;
    options.position = position;
    for (const QByteArray &text : templates)
        options.plugins.append(pluginTemplate(text));
    return options;
}

inline QByteArrayList typesOf(const conflist::Options &options)
{
    QByteArrayList types;
    for (const conflist::PluginTemplate &plugin : options.plugins)
        types.append(plugin.type());
    return types;
}

inline const QByteArray linkerdTemplate = R"({"type":"linkerd-cni","name":"linkerd-cni","log_level":"info"})";

} // namespace firstwatch::test
