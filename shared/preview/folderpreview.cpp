// SPDX-License-Identifier: Apache-2.0
#include "preview/folderpreview.h"

#include <algorithm>

namespace firstwatch::preview {

FolderPreview::FolderPreview(const Folder &folder, const Options &options)
    : m_folder(folder)
    , m_options(options)
{
}

void FolderPreview::run(const std::function<void(const FilePreview &)> &seen)
{
    bool hasTurn = true;
    for (const QByteArray &name : m_folder.names) {
        FilePreview file = previewFile(m_folder.read(name), m_options, hasTurn);
        if (file.change == Change::Convert)
            checkConversion(file);
        hasTurn = hasTurn && !file.was.accepted;
        m_orderAfter.append(file.change == Change::Convert ? file.targetName : name);
        m_before.take({ name, file.was });
        m_after.take({ m_orderAfter.constLast(), file.is });
        seen(file);
    }
    std::sort(m_orderAfter.begin(), m_orderAfter.end());
}

const conflist::Neighbours &FolderPreview::neighbours()
{
    if (!m_neighbours) {
        m_neighbours.emplace(m_folder.names);
        for (const QByteArray &name : m_folder.names)
            m_neighbours->add({ name, m_folder.read(name).text });
    }
    return *m_neighbours;
}

// What would keep the service from it: the neighbours, which only a conversion has to ask.
void FolderPreview::checkConversion(FilePreview &file)
{
    const conflist::Plan plan{ conflist::Action::Convert, file.after, file.targetName, false, {} };
    const std::optional<Finding> risk = m_folder.holds(file.targetName) ? conflist::conversionBlocked(file.targetName)
                                                                        : neighbours().risk(file.name, plan);
    if (!risk)
        return;
    file.change = Change::Left;
    file.reason = risk->text;
    file.findings.append(*risk);
    file.after = file.before;
    file.is = file.was;
    file.targetName.clear();
}

RuntimeView FolderPreview::viewOf(
    const QByteArrayList &order, const conflist::Deciders &files, conflist::Runtime runtime) const
{
    RuntimeView view{ order, conflist::activeAmong(files.files(), runtime), {} };
    // Only a list, and only one that does not forbid it, is added to.
    if (view.active.verdict.accepted && conflist::isListName(view.active.name) && view.active.verdict.takesDropIns)
        view.dropIns = m_folder.dropIns(view.active.verdict.network);
    return view;
}

BeforeAndAfter FolderPreview::view(conflist::Runtime runtime) const
{
    return { viewOf(m_folder.names, m_before, runtime), viewOf(m_orderAfter, m_after, runtime) };
}

} // namespace firstwatch::preview
