// SPDX-License-Identifier: Apache-2.0
// Whatever an archive holds: nothing comes out of it but files of net dirs below its own root, within the limits.
#include "preview/archive.h"

#include "conflist/plan.h"

#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

using namespace firstwatch;

namespace {

void require(bool holds, const char *rule)
{
    if (holds)
        return;
    std::fprintf(stderr, "broken: %s\n", rule);
    std::abort();
}

void checkFolder(const preview::Folder &folder)
{
    require(folder.path.contains('!') && !folder.path.contains("/../"), "a folder is inside of the archive");
    require(!folder.isOnDisk, "an archive is not written to");
    for (const QByteArray &name : folder.names) {
        const preview::Entry entry = folder.read(name);
        require(conflist::isConfigName(name) && !name.contains('/') && entry.name == name, "a name is a config's");
        require(entry.text.size() <= patch::largestConfig, "a text is no larger than a config may be");
    }
    static_cast<void>(folder.dropIns("n"));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    const int file = ::memfd_create("archive", MFD_CLOEXEC);
    require(file >= 0 && ::write(file, data, size) == ssize_t(size), "a file in memory can be had");
    preview::walkArchive("/proc/self/fd/" + QByteArray::number(file),
        { checkFolder, [](const QByteArray &, const QString &) {}, {} }, { 4 << 20, 1 << 20 });
    ::close(file);
    return 0;
}
