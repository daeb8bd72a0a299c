// SPDX-License-Identifier: Apache-2.0
#include "preview/archivetree.h"

#include "conflist/plan.h"

#include <algorithm>

namespace firstwatch::preview {
namespace {

constexpr int longestLinkChain = 8; // as in a folder

Entry without(const QByteArray &name, patch::ReadStatus status)
{
    return { name, status, 0, {}, -1 };
}

QByteArray neighbour(QByteArray target)
{
    if (target.startsWith("./"))
        target = target.sliced(2);
    return target.contains('/') || target == "." || target == ".." ? QByteArray() : target;
}

} // namespace

std::optional<QByteArrayList> placeOf(const QByteArray &name)
{
    QByteArrayList place = name.split('/');
    place.removeIf([](const QByteArray &each) { return each.isEmpty() || each == "."; });
    if (place.isEmpty() || place.contains(".."))
        return std::nullopt;
    return place;
}

// A link may lead to any name of a net dir.
bool ArchiveTree::wants(const QByteArrayList &folder, const QByteArray &name) const
{
    if (conflist::isConfigName(name) || (!folder.isEmpty() && folder.constLast() == "net.d"))
        return true;
    const auto files = m_folders.find(folder);
    return files != m_folders.end() && std::any_of(files->second.begin(), files->second.end(), [](const auto &file) {
        return conflist::isListName(file.first);
    });
}

bool ArchiveTree::put(const QByteArrayList &folder, const Node &node)
{
    const auto [files, isNew] = m_folders.try_emplace(folder);
    files->second.insert_or_assign(node.entry.name, node);
    return isNew;
}

const ArchiveTree::Node *ArchiveTree::find(const QByteArrayList &folder, const QByteArray &name) const
{
    const auto files = m_folders.find(folder);
    if (files == m_folders.end())
        return nullptr;
    const auto file = files->second.find(name);
    return file == files->second.end() ? nullptr : &file->second;
}

Entry ArchiveTree::read(const QByteArrayList &folder, const QByteArray &name) const
{
    const Node *node = find(folder, name);
    for (int hop = 0; node != nullptr && !node->target.isEmpty() && hop < longestLinkChain; ++hop)
        node = find(folder, neighbour(node->target));
    if (node == nullptr || !node->target.isEmpty())
        return without(name, patch::ReadStatus::LinkOutside);
    Entry entry = node->entry;
    entry.name = name;
    return entry;
}

QByteArrayList ArchiveTree::dropIns(QByteArrayList folder, const QByteArray &network) const
{
    if (!hasDropInFolder(network))
        return {};
    folder.append(network);
    const auto files = m_folders.find(folder);
    QList<Entry> entries;
    if (files != m_folders.end()) {
        for (const auto &file : files->second)
            entries.append(read(folder, file.first));
    }
    return pluginTypes(entries);
}

} // namespace firstwatch::preview
