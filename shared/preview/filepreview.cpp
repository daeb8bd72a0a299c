// SPDX-License-Identifier: Apache-2.0
#include "preview/filepreview.h"

#include "conflist/findingcodes.h"
#include "journal/redact.h"
#include "patch/unpatched.h"

#include <QString>

namespace firstwatch::preview {
namespace {

using conflist::Action;
using patch::ReadStatus;

constexpr int forOwnerOnly = 0600;

Change changeOf(ReadStatus status)
{
    switch (status) {
    case ReadStatus::NotRegular:
        return Change::Ignored;
    case ReadStatus::TooLarge:
    case ReadStatus::LinkOutside:
        return Change::Left;
    default:
        return Change::Unreadable;
    }
}

FilePreview withoutText(FilePreview file, const Entry &entry)
{
    file.change = changeOf(entry.status);
    // It was there when the folder was listed: one that is gone since could not be read.
    const ReadStatus status = entry.status == ReadStatus::Missing ? ReadStatus::Failed : entry.status;
    if (const std::optional<Finding> finding = patch::readFinding(status, entry.error)) {
        file.reason = finding->text;
        file.findings.append(*finding);
    }
    return file;
}

FilePreview ignored(FilePreview file, const QString &reason)
{
    file.change = Change::Ignored;
    file.reason = reason;
    return file;
}

Change changeOf(Action action)
{
    switch (action) {
    case Action::None:
        return Change::None;
    case Action::Patch:
        return Change::Patch;
    case Action::Convert:
        return Change::Convert;
    case Action::Ignore:
        return Change::Ignored;
    case Action::Incomplete:
    case Action::Refuse:
        break;
    }
    return Change::Left;
}

void take(FilePreview &file, const conflist::Plan &plan)
{
    file.change = changeOf(plan.action);
    for (Finding finding : plan.findings) {
        finding.text = journal::redactedText(finding.text); // it may name a key, and a key can be anything
        file.findings.append(finding);
    }
    if (file.change == Change::Ignored || file.change == Change::Left)
        file.reason = file.findings.isEmpty() ? QString() : file.findings.constFirst().text;
    if (file.change != Change::Patch && file.change != Change::Convert)
        return;
    file.after = plan.text;
    file.targetName = plan.targetName;
    file.is = conflist::verdict(plan.targetName, plan.text);
}

Finding modeFinding(int mode)
{
    return { conflist::code::fileMode,
        QStringLiteral("has mode %1; 0600 or narrower keeps what it holds to its owner (CIS 1.1.9)")
            .arg(mode, 4, 8, QLatin1Char('0')) };
}

} // namespace

FilePreview previewFile(const Entry &entry, const Options &options, bool hasTurn)
{
    FilePreview file;
    file.name = entry.name;
    if (entry.status != ReadStatus::Ok)
        return withoutText(file, entry);
    file.before = file.after = entry.text;
    file.was = file.is = conflist::verdict(entry.name, entry.text);
    if (patch::isExcluded(entry.name, options.excludes))
        return ignored(file, QStringLiteral("is excluded"));
    if (options.activeOnly && !(hasTurn && file.was.accepted))
        return ignored(file, QStringLiteral("is not the file that a runtime would use"));
    take(file,
        options.isRemoval ? conflist::unplan(entry.name, entry.text, options.chain.types())
                          : conflist::plan(entry.name, entry.text, options.chain));
    if (entry.mode >= 0 && (entry.mode & ~forOwnerOnly) != 0)
        file.findings.append(modeFinding(entry.mode));
    return file;
}

} // namespace firstwatch::preview
