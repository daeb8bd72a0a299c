// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "netdir.h"

#include <fcntl.h>
#include <unistd.h>

namespace firstwatch::test {

// What an owner can do to its config.
enum class Style {
    Rename, // writes beside it, renames over
    InPlace, // opens, truncates, writes, closes
    New, // removes it, creates it anew
    OpenedBefore, // has it open since before we looked; truncates, writes and closes at the moment
    OpensWritesLater, // opens at the moment, writes and closes after we are done
    TruncatesWritesLater, // truncates at the moment, writes and closes after we are done
    Unlink, // withdraws it
    RenameAway, // as an exclusive CNI withdraws it
};
inline const QList<std::pair<Style, const char *>> styles{ { Style::Rename, "rename" }, { Style::InPlace, "in-place" },
    { Style::New, "new" }, { Style::OpenedBefore, "opened-before" }, { Style::OpensWritesLater, "opens-writes-later" },
    { Style::TruncatesWritesLater, "truncates-writes-later" }, { Style::Unlink, "unlink" },
    { Style::RenameAway, "rename-away" } };

// A writer with one change to make, in up to three steps.
class Writer {
public:
    Writer(const NetDir &dir, const QByteArray &name, Style style, const QByteArray &text)
        : m_dir(dir)
        , m_name(name)
        , m_style(style)
        , m_text(text)
    {
    }
    ~Writer() { finish(); }
    Writer(const Writer &) = delete;
    Writer &operator=(const Writer &) = delete;

    void prepare()
    {
        if (m_style == Style::OpenedBefore)
            open(0);
    }
    void act()
    {
        if (std::exchange(m_acted, true))
            return;
        switch (m_style) {
        case Style::Rename:
            return m_dir.writeByRename(m_name, m_text);
        case Style::InPlace:
            return m_dir.writeInPlace(m_name, m_text);
        case Style::New:
            return m_dir.writeNew(m_name, m_text);
        case Style::OpenedBefore:
            return finish();
        case Style::OpensWritesLater:
            return open(0);
        case Style::TruncatesWritesLater:
            return open(O_TRUNC);
        case Style::Unlink:
            return m_dir.remove(m_name);
        case Style::RenameAway:
            ::rename(m_dir.path(m_name).constData(), m_dir.path(m_name + ".cilium_bak").constData());
            return;
        }
    }
    void finish()
    {
        if (m_fd >= 0)
            writeAndClose();
    }
    // Dies with the file open.
    void abandon()
    {
        if (m_fd >= 0)
            ::close(std::exchange(m_fd, -1));
    }
    [[nodiscard]] bool withdraws() const { return m_style == Style::Unlink || m_style == Style::RenameAway; }

private:
    void open(int flags) { m_fd = ::open(m_dir.path(m_name).constData(), O_WRONLY | O_CLOEXEC | flags); }
    void writeAndClose()
    {
        if (::ftruncate(m_fd, 0) != 0 || ::pwrite(m_fd, m_text.constData(), size_t(m_text.size()), 0) != m_text.size())
            qFatal("a writer could not write");
        ::close(std::exchange(m_fd, -1));
    }

    const NetDir &m_dir;
    QByteArray m_name;
    Style m_style;
    QByteArray m_text;
    int m_fd = -1;
    bool m_acted = false;
};

// As if nobody had touched the file for an hour.
inline void makeOld(const NetDir &dir, const QByteArray &name)
{
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    const timespec times[2] = { { now.tv_sec - 3600, 0 }, { now.tv_sec - 3600, 0 } };
    if (::utimensat(AT_FDCWD, dir.path(name).constData(), times, 0) != 0)
        qFatal("utimensat");
}

} // namespace firstwatch::test
