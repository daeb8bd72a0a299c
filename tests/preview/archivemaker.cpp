// SPDX-License-Identifier: Apache-2.0
#include "archivemaker.h"

#include <QFile>

#include <archive.h>
#include <archive_entry.h>

#include <filesystem>
#include <sys/stat.h>
#include <sys/sysmacros.h>

namespace firstwatch::test {
namespace {

struct Free {
    void operator()(archive_entry *entry) const { archive_entry_free(entry); }
};
using Entry = std::unique_ptr<archive_entry, Free>;

Entry named(const QByteArray &name, unsigned type, int mode)
{
    Entry entry(archive_entry_new());
    archive_entry_set_pathname(entry.get(), name.constData());
    archive_entry_set_filetype(entry.get(), type);
    archive_entry_set_perm(entry.get(), __LA_MODE_T(mode));
    return entry;
}

void write(archive *opened, const Entry &entry, const QByteArray &text = {})
{
    if (archive_write_header(opened, entry.get()) != ARCHIVE_OK
        || archive_write_data(opened, text.constData(), size_t(text.size())) != text.size())
        qFatal("%s", archive_error_string(opened));
}

void compress(archive *opened, const QByteArray &name)
{
    if (name.endsWith("gz"))
        archive_write_add_filter_gzip(opened);
    else if (name.endsWith("xz"))
        archive_write_add_filter_xz(opened);
    else if (name.endsWith("bz2"))
        archive_write_add_filter_bzip2(opened);
    else if (name.endsWith("zst"))
        archive_write_add_filter_zstd(opened);
}

} // namespace

ArchiveMaker::ArchiveMaker(const QByteArray &path)
    : m_archive(archive_write_new())
{
    archive_write_set_format_gnutar(m_archive);
    compress(m_archive, path);
    if (archive_write_open_filename(m_archive, path.constData()) != ARCHIVE_OK)
        qFatal("%s", archive_error_string(m_archive));
}

ArchiveMaker::~ArchiveMaker()
{
    archive_write_free(m_archive);
}

void ArchiveMaker::file(const QByteArray &name, const QByteArray &text, int mode)
{
    const Entry entry = named(name, AE_IFREG, mode);
    archive_entry_set_size(entry.get(), text.size());
    write(m_archive, entry, text);
}

void ArchiveMaker::symbolicLink(const QByteArray &name, const QByteArray &target)
{
    const Entry entry = named(name, AE_IFLNK, 0777);
    archive_entry_set_symlink(entry.get(), target.constData());
    write(m_archive, entry);
}

void ArchiveMaker::hardLink(const QByteArray &name, const QByteArray &target)
{
    const Entry entry = named(name, AE_IFREG, 0600);
    archive_entry_set_hardlink(entry.get(), target.constData());
    write(m_archive, entry);
}

void ArchiveMaker::device(const QByteArray &name)
{
    const Entry entry = named(name, AE_IFCHR, 0600);
    archive_entry_set_rdev(entry.get(), makedev(1, 3));
    write(m_archive, entry);
}

void ArchiveMaker::tree(const QByteArray &root)
{
    namespace fs = std::filesystem;
    for (const fs::directory_entry &each : fs::recursive_directory_iterator(root.toStdString())) {
        struct stat info { };
        if (::lstat(each.path().c_str(), &info) != 0)
            qFatal("%s is gone", each.path().c_str());
        const Entry entry = named("./" + QByteArray::fromStdString(each.path().string()).sliced(root.size() + 1), 0, 0);
        archive_entry_copy_stat(entry.get(), &info);
        QByteArray text;
        if (each.is_symlink()) {
            archive_entry_set_symlink(entry.get(), fs::read_symlink(each.path()).c_str());
            archive_entry_set_size(entry.get(), 0);
        } else if (each.is_regular_file()) {
            QFile file(QFile::decodeName(QByteArray::fromStdString(each.path().string())));
            text = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        }
        write(m_archive, entry, text);
    }
}

} // namespace firstwatch::test
