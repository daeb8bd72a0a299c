// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sys/filedescriptor.h"

#include <QByteArray>
#include <QString>

#include <sys/types.h>

namespace firstwatch::service {

// A new file that appears under its name whole or not at all: written as ".NAME.firstwatch-XXXXXX" in the same
// directory (no runtime loads such a name, and a rename inside one directory is atomic), then renamed over NAME. What
// is not put in place is removed with the object. The directory descriptor must outlive it.
class TempFile final {
public:
    // Created O_EXCL with `mode` less the umask.
    TempFile(int directory, const QByteArray &name, mode_t mode);
    TempFile(const TempFile &) = delete;
    TempFile &operator=(const TempFile &) = delete;
    ~TempFile();

    [[nodiscard]] bool isValid() const { return m_file.isValid(); } // errno says why not
    [[nodiscard]] int fd() const { return m_file.get(); }

    // Syncs, closes, renames, syncs the directory. Closed before the rename, since a file that is open for writing
    // cannot be executed (ETXTBSY, execve(2)). False with errno; the old file is then still there, except when only the
    // last sync failed.
    [[nodiscard]] bool putInPlace();

private:
    int m_directory = -1;
    QByteArray m_name;
    QByteArray m_temporary;
    sys::FileDescriptor m_file;
};

// True for ".NAME.firstwatch-XXXXXX" of that name; of any name when it is empty.
[[nodiscard]] bool isTempName(const QByteArray &candidate, const QByteArray &name = {});

// Removes what a killed run left: our pattern, our uid, a regular file, and nobody has it open for writing.
void removeLeftovers(int directory, const QByteArray &name = {});

} // namespace firstwatch::service
