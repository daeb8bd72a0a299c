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

bool Deciders::mayTake(const QByteArray &name) const
{
    const auto accepted =
        std::count_if(m_files.begin(), m_files.end(), [](const JudgedFile &file) { return file.verdict.accepted; });
    return accepted < 2 || name < m_files.constLast().name;
}

void Deciders::take(const JudgedFile &file)
{
    const auto place = std::upper_bound(
        m_files.begin(), m_files.end(), file, [](const JudgedFile &a, const JudgedFile &b) { return a.name < b.name; });
    m_files.insert(place, file);
    qsizetype seen = 0;
    qsizetype accepted = 0;
    m_files.removeIf([&](const JudgedFile &each) {
        const bool isOneOfTwo = ++seen <= 2 || (each.verdict.accepted && accepted < 2);
        accepted += each.verdict.accepted ? 1 : 0;
        return !isOneOfTwo;
    });
}

bool conversionKeepsActive(
    const QList<JudgedFile> &files, const QByteArray &conf, const QByteArray &listName, const QByteArray &listText)
{
    QList<JudgedFile> after{ { listName, verdict(listName, listText) } };
    for (const JudgedFile &file : files) {
        if (file.name != conf && file.name != listName)
            after.append(file);
    }
    for (const Runtime runtime : { Runtime::Containerd, Runtime::CriO }) {
        const ActiveFile was = activeAmong(files, runtime);
        const ActiveFile is = activeAmong(after, runtime);
        if (is.name != (was.name == conf ? listName : was.name) || is.verdict.accepted != was.verdict.accepted
            || is.verdict.network != was.verdict.network)
            return false;
    }
    return true;
}

} // namespace firstwatch::conflist
