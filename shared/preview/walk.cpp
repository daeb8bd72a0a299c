// SPDX-License-Identifier: Apache-2.0
#include "preview/walk.h"

#include "conflist/plan.h"
#include "preview/archive.h"
#include "preview/archivereader.h"
#include "sys/syscalls.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <memory>

namespace firstwatch::preview {
namespace {

namespace fs = std::filesystem;

fs::path toPath(const QByteArray &path)
{
    return fs::path(path.toStdString());
}

QByteArray fromPath(const fs::path &path)
{
    return QByteArray::fromStdString(path.native());
}

QString errorText(int error)
{
    return QString::fromLocal8Bit(std::strerror(error)); // NOLINT(concurrency-mt-unsafe): one thread
}

Entry readEntry(int directory, const QByteArray &name, const QByteArray &path)
{
    patch::ConfigFile file = patch::readConfig(directory, name, path);
    const int mode = file.status == patch::ReadStatus::Ok ? int(file.info.st_mode & 07777) : -1;
    return { name, file.status, file.error, file.text, mode };
}

sys::FileDescriptor openFolder(const QByteArray &path)
{
    return sys::FileDescriptor(::open(path.constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

QByteArrayList dropInsOf(const QByteArray &folder, const QByteArray &network)
{
    if (!hasDropInFolder(network))
        return {};
    const QByteArray path = folder + '/' + network;
    const sys::FileDescriptor directory = openFolder(path);
    QList<QByteArray> names;
    if (!directory.isValid() || !sys::listDirectory(directory.get(), names))
        return {};
    QList<Entry> entries;
    for (const QByteArray &name : std::as_const(names))
        entries.append(readEntry(directory.get(), name, path));
    return pluginTypes(entries);
}

// The descriptor lives as long as the folder.
Folder folderOf(const QByteArray &path, QByteArrayList names, bool isWhole)
{
    const auto directory = std::make_shared<sys::FileDescriptor>(openFolder(path.isEmpty() ? "." : path));
    std::sort(names.begin(), names.end());
    return { path, names, isWhole,
        [directory, path](const QByteArray &name) { return readEntry(directory->get(), name, path); },
        [path](const QByteArray &network) { return dropInsOf(path.isEmpty() ? "." : path, network); } };
}

Folder inputFolder(const QByteArray &input)
{
    const Entry entry{ "stdin.conflist", patch::ReadStatus::Ok, 0, input, -1 };
    return { {}, { entry.name }, false, [entry](const QByteArray &) { return entry; },
        [](const QByteArray &) { return QByteArrayList(); }, false };
}

QByteArrayList configsOf(const fs::path &directory, std::vector<fs::path> &below, std::error_code &error)
{
    QByteArrayList names;
    for (fs::directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error)) {
        std::error_code ignored;
        if (entry->is_directory(ignored) && !entry->is_symlink(ignored))
            below.push_back(entry->path());
        else if (conflist::isConfigName(fromPath(entry->path().filename())))
            names.append(fromPath(entry->path().filename()));
    }
    std::sort(below.begin(), below.end());
    return names;
}

// How many net dirs were found.
int walkTree(const fs::path &directory, bool wasNamed, const Found &found)
{
    if (found.step)
        found.step();
    std::vector<fs::path> below;
    std::error_code error;
    const QByteArrayList names = configsOf(directory, below, error);
    if (error)
        found.problem(fromPath(directory), errorText(error.value()));
    int count = 0;
    if (isNetDir(fromPath(directory.filename()), names, wasNamed)) {
        found.folder(folderOf(fromPath(directory), names, true));
        ++count;
    }
    for (const fs::path &each : below)
        count += walkTree(each, false, found);
    return count;
}

QByteArray withoutEndingSlash(QByteArray path)
{
    while (path.size() > 1 && path.endsWith('/'))
        path.chop(1);
    return path;
}

void walkDirectory(const QByteArray &path, const Found &found)
{
    if (walkTree(toPath(withoutEndingSlash(path)), true, found) == 0)
        found.problem(path, noConfigs());
}

} // namespace

QString noConfigs()
{
    return QStringLiteral("holds no CNI config: a net dir has files that end in .conflist, .conf or .json");
}

void walk(const QByteArrayList &paths, const QByteArray &input, const Found &found)
{
    std::map<QByteArray, QByteArrayList> files; // by directory
    for (const QByteArray &path : paths) {
        std::error_code error;
        const fs::file_status status = fs::status(toPath(path), error);
        if (path == "-")
            found.folder(inputFolder(input));
        else if (!fs::exists(status))
            found.problem(path, errorText(error ? error.value() : ENOENT));
        else if (fs::is_directory(status))
            walkDirectory(path, found);
        else if (isArchiveName(path))
            walkArchive(path, found);
        else if (const QByteArray name = fromPath(toPath(path).filename()); conflist::isConfigName(name))
            files[fromPath(toPath(path).parent_path())].append(name);
        else
            found.problem(path,
                QStringLiteral("is neither a CNI config by its name, which ends in .conflist, .conf or .json, nor an "
                               "archive, which ends in .tar, .tar.gz or the like"));
    }
    for (const auto &[directory, names] : files)
        found.folder(folderOf(directory, names, false));
}

} // namespace firstwatch::preview
