// SPDX-License-Identifier: Apache-2.0
#include "service/textfile.h"

#include "sys/syscalls.h"

#include <cerrno>
#include <fcntl.h>

namespace firstwatch::service {

TextFile readTextFile(const QByteArray &path, qsizetype limit)
{
    return readTextFile(AT_FDCWD, path, limit);
}

TextFile readTextFile(int directory, const QByteArray &path, qsizetype limit)
{
    TextFile file;
    const sys::FileDescriptor opened = sys::openFollowing(directory, path);
    struct stat info { };
    if (!opened.isValid() || !sys::statFile(opened.get(), info)) {
        file.missing = errno == ENOENT;
        file.error = qt_error_string(errno);
    } else if (!S_ISREG(info.st_mode)) {
        file.error = QStringLiteral("not a regular file");
    } else if (!sys::readAll(opened.get(), limit, file.text)) {
        file.error = qt_error_string(errno);
    } else if (file.text.size() > limit) {
        file.error = QStringLiteral("larger than %1 bytes").arg(limit);
    }
    if (!file.error.isEmpty())
        file.text.clear();
    return file;
}

} // namespace firstwatch::service
