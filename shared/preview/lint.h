// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "preview/filepreview.h"
#include "preview/folder.h"

#include <functional>
#include <map>

namespace firstwatch::preview {

struct LintOptions {
    conflist::PluginTemplate plugin;
    bool isOwnTemplate = false; // the user's: what differs from it has drifted; any other is a guess at the values
    QByteArrayList excludes; // as Options::excludes
    // Whether the bin dir has the binary of that type, which may be anything that a file holds; empty: nobody looks.
    std::function<bool(const QByteArray &type)> hasBinary;
};

// What a file shows without its neighbours and beyond what a plan finds, in the order of the file.
[[nodiscard]] QList<Finding> lintText(const QByteArray &name, const QByteArray &text, const LintOptions &options);

// Looks at each file of a folder in turn, for what is wrong with it. That it lacks the plugin is not.
class FolderLint {
public:
    FolderLint(const Folder &folder, LintOptions options);

    // `seen` is given each file once, with all its findings, what concerns the whole file first.
    void run(const std::function<void(const FilePreview &)> &seen);

private:
    void complete(FilePreview &file);
    void compareWithNeighbours(FilePreview &file);

    const Folder &m_folder;
    LintOptions m_options;
    std::map<QByteArray, QByteArray> m_networks; // and the file that named each first
};

} // namespace firstwatch::preview
