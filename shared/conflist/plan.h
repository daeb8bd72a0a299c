// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conflist/finding.h"

#include <QByteArray>
#include <QByteArrayList>
#include <QByteArrayView>
#include <QList>

#include <optional>

// What a patch of one file would be. Pure functions: bytes in, bytes out, no I/O.
// Rules: only our elements of "plugins" change, every other byte stays; and never activate: a file that the runtime
// rejects before us is left alone (CNI specification 1.1.0 section 1; libcni/conf.go; go-cni opts.go).
namespace firstwatch::conflist {

// The element that we put into a chain, as the user's template gives it.
class PluginTemplate {
public:
    struct Error {
        QString text; // names the field and the way out
    };
    // `text` is a JSON object with a string "type" of [A-Za-z0-9_.-]+. The only placeholder is
    // __KUBECONFIG_FILEPATH__, replaced by `kubeconfigPath` as a JSON string would hold it; any other __NAME__
    // placeholder is refused. Returns the template, or sets `error`.
    [[nodiscard]] static std::optional<PluginTemplate> parse(
        const QByteArray &text, const QByteArray &kubeconfigPath, Error &error);
    [[nodiscard]] const QByteArray &type() const { return m_type; }
    [[nodiscard]] const QByteArray &text() const { return m_text; } // valid JSON, placeholders replaced

private:
    QByteArray m_type;
    QByteArray m_text;
};

// Larger ones are refused; the largest known config has 5 KB.
inline constexpr qsizetype maximumFileSize = 1024LL * 1024;

enum class ChainPosition {
    Last, // ours end the chain, moved there when they are not
    Keep, // where they stand they stay; missing ones are added at the end
};

struct Options {
    QList<PluginTemplate> plugins; // in the order of the chain; types are distinct
    ChainPosition position = ChainPosition::Last;

    [[nodiscard]] QByteArrayList types() const
    {
        QByteArrayList all;
        for (const PluginTemplate &plugin : plugins)
            all.append(plugin.type());
        return all;
    }
};

enum class Action {
    Ignore, // not a CNI config by its name, or one that must never get our plugin (a lone loopback list)
    None, // as it should be: no write
    Patch, // write `text` over the file
    Convert, // a single-plugin file: write `text` as `targetName`, then put the original aside
    Incomplete, // does not parse, is empty, or has NULs: somebody still writes, or somebody's mistake
    Refuse, // parses, and must be left alone; findings say why
};

struct Plan {
    Action action = Action::Ignore;
    QByteArray text; // Patch, Convert: the whole new content
    QByteArray targetName; // Convert: "<stem>.conflist"; Patch: the file's own name
    bool drift = false; // Refuse: the runtime accepts the file, so pods run without our plugin
    QList<Finding> findings; // also warnings of a Patch, e.g. a missing cniVersion
};

// By the name's ending, case as the runtimes have it: ".conflist", ".conf", ".json".
[[nodiscard]] bool isConfigName(const QByteArray &name);
[[nodiscard]] bool isListName(const QByteArray &name); // ".conflist"

// What to do with the file `name` that holds `text`. A text to write has passed changesOnlyOurs().
[[nodiscard]] Plan plan(const QByteArray &name, const QByteArray &text, const Options &options);

// The undo: our elements taken out so that plan() then unplan() gives back the original bytes. Action is None (none of
// ours inside), Patch, Incomplete (does not parse), or Refuse (only ours inside; taking them out would leave an empty
// list that no runtime loads).
[[nodiscard]] Plan unplan(const QByteArray &name, const QByteArray &text, const QByteArrayList &types);

// True when `after` parses and differs from `before` in our elements, and in the separators beside them, only. When
// `before` is a single plugin: `after` is a list of that plugin, token by token, and ours.
[[nodiscard]] bool changesOnlyOurs(const QByteArray &before, const QByteArray &after, const QByteArrayList &types);

} // namespace firstwatch::conflist
