// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QString>

#include <memory>
#include <optional>

struct archive;
struct archive_entry;

namespace firstwatch::preview {

// By the ending of its name: .tar, alone or compressed by gzip, xz, zstd or bzip2.
[[nodiscard]] bool isArchiveName(const QByteArray &name);

// One member of an archive, as it stands there: nothing of it can be trusted.
struct Member {
    enum class Kind { File, Folder, SymbolicLink, HardLink, Other };
    QByteArray name;
    Kind kind = Kind::Other;
    QByteArray target; // of a link
    int mode = 0; // permission bits
    qint64 size = 0; // of a file, in bytes
};

// Reads a tar archive from its begin to its end, once. Nothing is unpacked to the disk, and what is needed does not
// grow with the archive.
class ArchiveReader {
public:
    // `mostUnpacked`: bytes after which it stops, so that a small file cannot become an endless one.
    ArchiveReader(const QByteArray &path, qint64 mostUnpacked);

    // The next member, or false: it is at the end, or see error().
    [[nodiscard]] bool next(Member &member);
    // The content of the member that came last, but no more than `most` bytes; nothing: see error().
    [[nodiscard]] std::optional<QByteArray> content(qsizetype most);
    // What went wrong last, in words; empty: nothing.
    [[nodiscard]] const QString &error() const { return m_error; }

private:
    struct Close {
        void operator()(archive *opened) const;
    };
    [[nodiscard]] bool skip();
    void fail();

    std::unique_ptr<archive, Close> m_archive;
    qint64 m_mostUnpacked;
    bool m_isOpen = false;
    QString m_error;
};

} // namespace firstwatch::preview
