// SPDX-License-Identifier: Apache-2.0
#include "preview/archive.h"

#include "conflist/plan.h"
#include "preview/archivetree.h"

#include <cerrno>
#include <memory>

namespace firstwatch::preview {
namespace {

using Kind = Member::Kind;
using patch::ReadStatus;

constexpr qsizetype costOfAName = 200; // bytes of bookkeeping

qsizetype costOf(const QByteArrayList &folder)
{
    qsizetype cost = 0;
    for (const QByteArray &name : folder)
        cost += name.size() + costOfAName;
    return cost;
}

class Collector {
public:
    Collector(const QByteArray &path, const Found &found, const ArchiveLimits &limits)
        : m_path(path)
        , m_found(found)
        , m_limits(limits)
        , m_reader(path, limits.unpacked)
    {
    }

    void run()
    {
        Member member;
        while (m_kept <= m_limits.kept && m_reader.next(member)) {
            if (m_found.step)
                m_found.step();
            m_last = member.name;
            take(member);
        }
        if (m_kept > m_limits.kept)
            sayProblem(QStringLiteral("more than %1 MiB in files with names of configs, which is where reading ends; "
                                      "unpack it, and name the net.d in it")
                           .arg(m_limits.kept >> 20));
        else if (!m_reader.error().isEmpty())
            sayProblem(QStringLiteral("cannot be read from here on: ") + m_reader.error());
    }

    [[nodiscard]] std::shared_ptr<const ArchiveTree> tree() const { return m_tree; }
    [[nodiscard]] bool hasProblem() const { return m_hasProblem; }

private:
    void take(const Member &member)
    {
        std::optional<QByteArrayList> place = placeOf(member.name);
        if (member.kind == Kind::Folder)
            return;
        if (!place) {
            if (conflist::isConfigName(member.name))
                sayProblem(QStringLiteral("would be outside of the archive, and is left out"));
            return;
        }
        const QByteArray name = place->takeLast();
        if (m_tree->wants(*place, name))
            put(*place, name, member);
    }

    void put(const QByteArrayList &folder, const QByteArray &name, const Member &member)
    {
        ArchiveTree::Node node{ { name, ReadStatus::NotRegular, 0, {}, -1 }, {} };
        if (member.kind == Kind::SymbolicLink)
            node.target = member.target;
        else if (member.kind == Kind::HardLink)
            node = linked(name, member.target);
        else if (member.kind == Kind::File)
            readInto(node.entry, member);
        m_kept += name.size() + node.entry.text.size() + node.target.size() + costOfAName;
        if (m_tree->put(folder, node))
            m_kept += costOf(folder);
    }

    void readInto(Entry &entry, const Member &member)
    {
        if (member.size > patch::largestConfig) {
            entry.status = ReadStatus::TooLarge;
            return;
        }
        const std::optional<QByteArray> text = m_reader.content(patch::largestConfig);
        entry.status = text ? ReadStatus::Ok : ReadStatus::Failed;
        entry.error = text ? 0 : EIO;
        entry.text = text.value_or(QByteArray());
        entry.mode = text ? member.mode : -1;
    }

    // The file itself came before it.
    ArchiveTree::Node linked(const QByteArray &name, const QByteArray &target)
    {
        std::optional<QByteArrayList> place = placeOf(target);
        const QByteArray other = place ? place->takeLast() : QByteArray();
        const ArchiveTree::Node *node = place ? m_tree->find(*place, other) : nullptr;
        if (node == nullptr) {
            sayProblem(QStringLiteral("is a hard link to what was not kept, since it has not the name of a config; "
                                      "unpack the archive, and name the net.d in it"));
            return { { name, ReadStatus::Failed, ENOLINK, {}, -1 }, {} };
        }
        ArchiveTree::Node copy = *node;
        copy.entry.name = name;
        return copy;
    }

    void sayProblem(const QString &text)
    {
        m_hasProblem = true;
        m_found.problem(m_last.isEmpty() ? m_path : QByteArray(m_path + "!/" + m_last), text);
    }

    const QByteArray &m_path;
    const Found &m_found;
    const ArchiveLimits &m_limits;
    ArchiveReader m_reader;
    std::shared_ptr<ArchiveTree> m_tree = std::make_shared<ArchiveTree>();
    QByteArray m_last; // the member that was read last
    qint64 m_kept = 0;
    bool m_hasProblem = false;
};

QByteArrayList configsAmong(const ArchiveTree::Files &files)
{
    QByteArrayList names;
    for (const auto &file : files) {
        if (conflist::isConfigName(file.first))
            names.append(file.first);
    }
    return names;
}

// The tree lives as long as the folder.
Folder folderOf(const QByteArray &path, const QByteArrayList &place, const QByteArrayList &names,
    const std::shared_ptr<const ArchiveTree> &tree)
{
    return { place.isEmpty() ? QByteArray(path + '!') : QByteArray(path + "!/" + place.join('/')), names, true,
        [tree, place](const QByteArray &name) { return tree->read(place, name); },
        [tree, place](const QByteArray &network) { return tree->dropIns(place, network); }, false };
}

} // namespace

void walkArchive(const QByteArray &path, const Found &found, const ArchiveLimits &limits)
{
    Collector collector(path, found, limits);
    collector.run();
    int count = 0;
    for (const auto &[place, files] : collector.tree()->folders()) {
        const QByteArrayList names = configsAmong(files);
        if (!isNetDir(place.isEmpty() ? QByteArray() : place.constLast(), names, place.isEmpty()))
            continue;
        found.folder(folderOf(path, place, names, collector.tree()));
        ++count;
    }
    if (count == 0 && !collector.hasProblem())
        found.problem(path, noConfigs());
}

} // namespace firstwatch::preview
