// SPDX-License-Identifier: Apache-2.0
#include "conflist/activefile.h"

#include "conflist/plan.h"

#include <algorithm>

namespace firstwatch::conflist {

namespace {

template <typename File, typename Judge> ActiveFile firstUsed(QList<File> files, Runtime runtime, Judge judge)
{
    std::sort(files.begin(), files.end(), [](const File &a, const File &b) { return a.name < b.name; });
    for (const File &file : std::as_const(files)) {
        if (!isConfigName(file.name))
            continue;
        const Verdict judged = judge(file);
        if (judged.accepted || runtime == Runtime::Containerd)
            return { file.name, judged };
    }
    return {};
}

} // namespace

ActiveFile activeFile(QList<NamedText> files, Runtime runtime)
{
    return firstUsed(std::move(files), runtime, [](const NamedText &file) { return verdict(file.name, file.text); });
}

ActiveFile activeAmong(QList<JudgedFile> files, Runtime runtime)
{
    return firstUsed(std::move(files), runtime, [](const JudgedFile &file) { return file.verdict; });
}

bool conversionKeepsActive(
    const QList<NamedText> &files, const QByteArray &conf, const QByteArray &listName, const QByteArray &listText)
{
    QList<NamedText> after{ { listName, listText } };
    for (const NamedText &file : files) {
        if (file.name != conf && file.name != listName)
            after.append(file);
    }
    for (const Runtime runtime : { Runtime::Containerd, Runtime::CriO }) {
        const ActiveFile was = activeFile(files, runtime);
        const ActiveFile is = activeFile(after, runtime);
        if (is.name != (was.name == conf ? listName : was.name) || is.verdict.accepted != was.verdict.accepted
            || is.verdict.network != was.verdict.network)
            return false;
    }
    return true;
}

} // namespace firstwatch::conflist
