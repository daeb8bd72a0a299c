// SPDX-License-Identifier: Apache-2.0
#include "ui/preview/changes.h"

#include "conflist/unifieddiff.h"
#include "journal/redactconfig.h"
#include "journal/shownname.h"

namespace firstwatch::ui {

using preview::Change;
using preview::FilePreview;

namespace {

QString listPath(const QString &path, const QByteArray &listName)
{
    return path.left(path.lastIndexOf(u'/') + 1) + journal::shownName(listName);
}

QByteArray visible(const QByteArray &text, bool showsSecrets)
{
    return showsSecrets ? text : journal::redactedConfig(text);
}

} // namespace

QLatin1String changeWord(Change change)
{
    switch (change) {
    case Change::None:
        return QLatin1String("none");
    case Change::Patch:
        return QLatin1String("patch");
    case Change::Convert:
        return QLatin1String("convert");
    case Change::Ignored:
        return QLatin1String("ignored");
    case Change::Left:
        return QLatin1String("left");
    case Change::Unreadable:
        return QLatin1String("unreadable");
    }
    return {};
}

QString changeSentence(const FilePreview &file, bool isRemoval)
{
    switch (file.change) {
    case Change::None:
        return isRemoval ? QStringLiteral("holds nothing of the plugin") : QStringLiteral("is as it should be");
    case Change::Patch:
        return isRemoval ? QStringLiteral("would be freed of the plugin") : QStringLiteral("would be patched");
    case Change::Convert:
        return QStringLiteral("would become ") + journal::shownName(file.targetName);
    case Change::Ignored:
    case Change::Unreadable:
        return QStringLiteral("gets no patch: ") + file.reason;
    case Change::Left:
        return QStringLiteral("is left alone: ") + file.reason;
    }
    return {};
}

QStringList changeDiffs(const QString &path, const FilePreview &file, bool showsSecrets)
{
    if (file.change != Change::Patch && file.change != Change::Convert)
        return {};
    const QByteArray before = visible(file.before, showsSecrets);
    const QByteArray after = visible(file.after, showsSecrets);
    const QByteArray from = "a/" + path.toUtf8();
    const auto diff = [](const QByteArray &old, const QByteArray &made, const conflist::DiffLabels &labels) {
        return QString::fromUtf8(conflist::unifiedDiff(old, made, labels));
    };
    if (file.change == Change::Patch)
        return { diff(before, after, { from, "b/" + path.toUtf8() }) };
    const QByteArray nowhere = "/dev/null";
    return { diff(before, {}, { from, nowhere }),
        diff({}, after, { nowhere, "b/" + listPath(path, file.targetName).toUtf8() }) };
}

journal::Severity severityOf(const Finding &finding)
{
    const journal::CodeEntry *entry = journal::codeEntry(finding.code);
    return entry == nullptr ? journal::Severity::Warning : entry->severity;
}

} // namespace firstwatch::ui
