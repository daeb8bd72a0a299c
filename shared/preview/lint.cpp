// SPDX-License-Identifier: Apache-2.0
#include "preview/lint.h"

#include "conflist/findingcodes.h"
#include "journal/redact.h"
#include "journal/shownname.h"
#include "patch/unpatched.h"
#include "preview/folderpreview.h"

#include <algorithm>

namespace firstwatch::preview {
namespace {

namespace code = conflist::code;

// They say what a plan would do to a file that has nothing wrong with it; a list that is in the way of one is seen
// by its name.
bool isOfThePlanOnly(const Finding &finding)
{
    return finding.code == code::loopbackOnly || finding.code == code::versionRaised
        || finding.code == code::conversionBlocked;
}

// A network without a name has not got a bad one, too.
bool isSaid(const QList<Finding> &findings, const Finding &finding)
{
    return std::any_of(findings.begin(), findings.end(), [&](const Finding &each) {
        return each == finding || (each.code == code::missingName && finding.code == code::unusableName);
    });
}

Finding shadowFinding(const QByteArray &listName)
{
    return { code::confShadowsList,
        QStringLiteral("hides %1, which sorts behind it; move one of the two away").arg(journal::shownName(listName)) };
}

Finding networkFinding(const QByteArray &firstName)
{
    return { code::networkTwice,
        QStringLiteral("names the same network as %1; give it another name, or move one of the two away")
            .arg(journal::shownName(firstName)) };
}

} // namespace

FolderLint::FolderLint(const Folder &folder, LintOptions options)
    : m_folder(folder)
    , m_options(std::move(options))
{
}

void FolderLint::run(const std::function<void(const FilePreview &)> &seen)
{
    m_networks.clear();
    const Options options{ { { m_options.plugin }, conflist::ChainPosition::Last }, m_options.excludes };
    FolderPreview looked(m_folder, options);
    looked.run([&](const FilePreview &file) {
        FilePreview linted = file;
        complete(linted);
        seen(linted);
    });
}

void FolderLint::complete(FilePreview &file)
{
    if (patch::isExcluded(file.name, m_options.excludes))
        return;
    file.findings.removeIf(isOfThePlanOnly);
    compareWithNeighbours(file);
    for (const Finding &finding : lintText(file.name, file.before, m_options)) {
        if (!isSaid(file.findings, finding))
            file.findings.append(finding);
    }
    for (Finding &finding : file.findings)
        finding.text = journal::redactedText(finding.text); // a key can be anything, too
    std::stable_sort(file.findings.begin(), file.findings.end(),
        [](const Finding &left, const Finding &right) { return left.offset < right.offset; });
}

void FolderLint::compareWithNeighbours(FilePreview &file)
{
    if (file.name.endsWith(".conf") && m_folder.holds(file.name + "list"))
        file.findings.append(shadowFinding(file.name + "list"));
    if (file.was.network.isEmpty()) // or refused
        return;
    const auto [first, isNew] = m_networks.emplace(file.was.network, file.name);
    if (!isNew)
        file.findings.append(networkFinding(first->second));
}

} // namespace firstwatch::preview
