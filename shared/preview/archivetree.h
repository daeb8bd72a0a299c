// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "preview/archivereader.h"
#include "preview/folder.h"

#include <QByteArrayList>

#include <map>
#include <optional>

namespace firstwatch::preview {

// Where a member stands, folder by folder; nothing when it would be outside of the archive.
[[nodiscard]] std::optional<QByteArrayList> placeOf(const QByteArray &name);

// What an archive holds of files with the names of configs and of what they may lead to, in memory. Later members of
// the same name take the place of earlier ones, as when it is unpacked.
class ArchiveTree {
public:
    // One name in a folder.
    struct Node {
        Entry entry; // of what is no link
        QByteArray target; // of a symbolic link
    };
    using Files = std::map<QByteArray, Node>;

    // Whether the content of a file there may be asked for.
    [[nodiscard]] bool wants(const QByteArrayList &folder, const QByteArray &name) const;
    // True when it is the first in its folder.
    [[nodiscard]] bool put(const QByteArrayList &folder, const Node &node);
    // Null: not there, or not kept.
    [[nodiscard]] const Node *find(const QByteArrayList &folder, const QByteArray &name) const;

    // In the order in which a walk visits folders.
    [[nodiscard]] const std::map<QByteArrayList, Files> &folders() const { return m_folders; }
    // As a config is read: a link leads to another name of its folder, or nowhere.
    [[nodiscard]] Entry read(const QByteArrayList &folder, const QByteArray &name) const;
    [[nodiscard]] QByteArrayList dropIns(QByteArrayList folder, const QByteArray &network) const;

private:
    std::map<QByteArrayList, Files> m_folders;
};

} // namespace firstwatch::preview
