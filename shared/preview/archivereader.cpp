// SPDX-License-Identifier: Apache-2.0
#include "preview/archivereader.h"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <array>

namespace firstwatch::preview {
namespace {

constexpr size_t blockSize = 65536;

constexpr std::array endings{ ".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.zst", ".tar.bz2", ".tbz2" };

// Only what libarchive does itself: for anything else it would start a program.
void allowFormats(archive *opened)
{
    archive_read_support_format_tar(opened);
    if (archive_zlib_version() != nullptr)
        archive_read_support_filter_gzip(opened);
    if (archive_liblzma_version() != nullptr)
        archive_read_support_filter_xz(opened);
    if (archive_bzlib_version() != nullptr)
        archive_read_support_filter_bzip2(opened);
    if (archive_libzstd_version() != nullptr)
        archive_read_support_filter_zstd(opened);
}

Member::Kind kindOf(archive_entry *entry)
{
    if (archive_entry_hardlink(entry) != nullptr)
        return Member::Kind::HardLink;
    switch (archive_entry_filetype(entry)) {
    case AE_IFREG:
        return Member::Kind::File;
    case AE_IFDIR:
        return Member::Kind::Folder;
    case AE_IFLNK:
        return Member::Kind::SymbolicLink;
    default:
        return Member::Kind::Other;
    }
}

// As bytes; a name that this locale cannot have is UTF-8 in the archive.
QByteArray either(const char *bytes, const char *utf8)
{
    return { bytes == nullptr ? utf8 : bytes };
}

Member memberOf(archive_entry *entry)
{
    Member member;
    member.name = either(archive_entry_pathname(entry), archive_entry_pathname_utf8(entry));
    member.kind = kindOf(entry);
    if (member.kind == Member::Kind::HardLink)
        member.target = either(archive_entry_hardlink(entry), archive_entry_hardlink_utf8(entry));
    else if (member.kind == Member::Kind::SymbolicLink)
        member.target = either(archive_entry_symlink(entry), archive_entry_symlink_utf8(entry));
    member.mode = int(archive_entry_perm(entry)) & 07777;
    member.size = archive_entry_size(entry);
    return member;
}

} // namespace

bool isArchiveName(const QByteArray &name)
{
    return std::any_of(endings.begin(), endings.end(), [&name](const char *ending) { return name.endsWith(ending); });
}

void ArchiveReader::Close::operator()(archive *opened) const
{
    archive_read_free(opened);
}

ArchiveReader::ArchiveReader(const QByteArray &path, qint64 mostUnpacked)
    : m_archive(archive_read_new())
    , m_mostUnpacked(mostUnpacked)
{
    allowFormats(m_archive.get());
    m_isOpen = archive_read_open_filename(m_archive.get(), path.constData(), blockSize) == ARCHIVE_OK;
    if (!m_isOpen)
        fail();
}

bool ArchiveReader::next(Member &member)
{
    if (!m_isOpen || !skip())
        return false;
    archive_entry *entry = nullptr;
    const int result = archive_read_next_header(m_archive.get(), &entry);
    if (result == ARCHIVE_EOF)
        return m_isOpen = false;
    if (result != ARCHIVE_OK && result != ARCHIVE_WARN) { // a warning: an owner or an attribute that cannot be read
        fail();
        return false;
    }
    member = memberOf(entry);
    return true;
}

// What is left of the last member. What is not compressed has no surprises: libarchive jumps over it.
bool ArchiveReader::skip()
{
    if (archive_file_count(m_archive.get()) == 0 || archive_filter_code(m_archive.get(), 0) == ARCHIVE_FILTER_NONE)
        return true;
    const void *block = nullptr;
    size_t size = 0;
    la_int64_t offset = 0;
    while (archive_filter_bytes(m_archive.get(), 0) <= m_mostUnpacked) {
        const int result = archive_read_data_block(m_archive.get(), &block, &size, &offset);
        if (result == ARCHIVE_EOF)
            return true;
        if (result != ARCHIVE_OK && result != ARCHIVE_WARN) {
            fail();
            return false;
        }
    }
    m_isOpen = false;
    m_error =
        QStringLiteral("more than %1 MiB unpacked, which is where reading ends; unpack it, and name the net.d in it")
            .arg(m_mostUnpacked >> 20);
    return false;
}

std::optional<QByteArray> ArchiveReader::content(qsizetype most)
{
    QByteArray text;
    std::array<char, blockSize> buffer{};
    while (text.size() < most) {
        const size_t room = std::min(buffer.size(), size_t(most - text.size()));
        const la_ssize_t got = archive_read_data(m_archive.get(), buffer.data(), room);
        if (got == 0)
            break;
        if (got < 0) {
            fail();
            return std::nullopt;
        }
        text.append(buffer.data(), got);
    }
    return text;
}

void ArchiveReader::fail()
{
    const char *text = archive_error_string(m_archive.get());
    m_error = text == nullptr ? QStringLiteral("cannot be read") : QString::fromLocal8Bit(text);
    m_isOpen = false;
}

} // namespace firstwatch::preview
