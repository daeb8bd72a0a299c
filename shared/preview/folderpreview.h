// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conflist/conversionrisk.h"
#include "preview/filepreview.h"
#include "preview/folder.h"

#include <functional>
#include <optional>

namespace firstwatch::preview {

// What a runtime reads in a folder.
struct RuntimeView {
    QByteArrayList order; // the files that it looks at, as it sorts them
    conflist::ActiveFile active; // no name: none
    QByteArrayList dropIns; // types that libcni from 1.3 on adds to the chain
};

struct BeforeAndAfter {
    RuntimeView before;
    RuntimeView after;
};

// Looks at each file of a folder in turn, and then knows what a runtime would read there. Keeps names, and of the files
// only those that decide.
class FolderPreview {
public:
    FolderPreview(const Folder &folder, const Options &options);

    // `seen` is given each file once; what it does not keep is gone.
    void run(const std::function<void(const FilePreview &)> &seen);
    // After run().
    [[nodiscard]] BeforeAndAfter view(conflist::Runtime runtime) const;

private:
    void checkConversion(FilePreview &file);
    // All of its files, once a conversion has asked for them.
    [[nodiscard]] const conflist::Neighbours &neighbours();
    [[nodiscard]] RuntimeView viewOf(
        const QByteArrayList &order, const conflist::Deciders &files, conflist::Runtime runtime) const;

    const Folder &m_folder;
    const Options &m_options;
    std::optional<conflist::Neighbours> m_neighbours;
    QByteArrayList m_orderAfter;
    conflist::Deciders m_before;
    conflist::Deciders m_after;
};

} // namespace firstwatch::preview
