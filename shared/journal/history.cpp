// SPDX-License-Identifier: Apache-2.0
#include "journal/history.h"

#include <QFile>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>

namespace firstwatch::journal {
namespace {

QByteArray fileName(int number)
{
    return number == 0 ? QByteArrayLiteral("history.jsonl") : "history." + QByteArray::number(number) + ".jsonl";
}

void createDirectory(const QByteArray &directory)
{
    const std::filesystem::path path(directory.toStdString());
    std::error_code ignored; // opening it tells
    std::filesystem::create_directories(path.parent_path(), ignored);
    ::mkdir(directory.constData(), 0700);
}

sys::FileDescriptor openDirectory(const QByteArray &directory)
{
    return sys::FileDescriptor(::open(directory.constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

// Not through a symbolic link, and not waiting for the other end of a FIFO. Sets `size`.
sys::FileDescriptor openRegular(int directory, int number, int flags, qint64 &size)
{
    constexpr int always = O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
    sys::FileDescriptor file(::openat(directory, fileName(number).constData(), flags | always, 0600));
    struct stat info { };
    if (!file.isValid() || ::fstat(file.get(), &info) != 0)
        return {};
    if (!S_ISREG(info.st_mode)) {
        errno = EINVAL;
        return {};
    }
    size = info.st_size;
    return file;
}

bool writeWhole(int file, const QByteArray &line)
{
    ssize_t written = 0;
    do {
        written = ::write(file, line.constData(), size_t(line.size()));
    } while (written < 0 && errno == EINTR);
    if (written >= 0 && written < line.size())
        errno = ENOSPC; // what a short write to a regular file means (write(2))
    return written == line.size();
}

void readFile(int directory, int number, History::Read &out)
{
    qint64 size = 0;
    const sys::FileDescriptor descriptor = openRegular(directory, number, O_RDONLY, size);
    QFile file;
    if (!descriptor.isValid() || !file.open(descriptor.get(), QIODevice::ReadOnly))
        return;
    while (!file.atEnd()) {
        const QByteArray line = file.readLine(History::fileBytes);
        if (line == "\n")
            continue;
        if (const std::optional<Event> event = fromLine(line))
            out.events.append(*event);
        else
            ++out.torn;
    }
}

} // namespace

bool History::open(const QByteArray &directory, QString &error)
{
    createDirectory(directory);
    m_directory = openDirectory(directory);
    const bool opened = openFile() || close(QStringLiteral("%1 cannot be written").arg(shownName(directory)));
    error = m_error;
    return opened;
}

bool History::openFile()
{
    m_file = openRegular(m_directory.get(), 0, O_RDWR | O_CREAT | O_APPEND, m_size);
    if (!m_file.isValid())
        return false;
    m_error.clear();
    // A run that was killed in the middle of a line left a torn one: it ends here, so that the next line is whole.
    char last = '\n';
    if (m_size == 0 || ::pread(m_file.get(), &last, 1, m_size - 1) != 1 || last == '\n')
        return true;
    ++m_size;
    return writeWhole(m_file.get(), QByteArrayLiteral("\n"));
}

// Always false, for the caller to return.
bool History::close(const QString &what)
{
    m_error = what + QStringLiteral(" (%1)").arg(QString::fromLocal8Bit(std::strerror(errno)));
    m_file.reset();
    return false;
}

bool History::append(const QByteArray &line)
{
    if (!isOpen())
        return false;
    const qint64 size = m_size + line.size();
    if (m_size > 0 && size > fileBytes && !rotate() && (!isOpen() || size > files * fileBytes))
        return close(QStringLiteral("the history files cannot be moved aside"));
    if (!writeWhole(m_file.get(), line))
        return close(QStringLiteral("the history cannot be written"));
    m_size += line.size();
    return true;
}

// From the oldest on, each onto the one before; stops at the first that cannot be moved, since the next one would
// replace it. False when the file in use is still the old one, or when there is none.
bool History::rotate()
{
    for (int number = files - 2; number >= 0; --number) {
        const QByteArray from = fileName(number);
        const QByteArray to = fileName(number + 1);
        if (::renameat(m_directory.get(), from.constData(), m_directory.get(), to.constData()) != 0 && errno != ENOENT)
            return false;
    }
    return openFile();
}

History::Read History::read(const QByteArray &directory)
{
    Read result;
    const sys::FileDescriptor opened = openDirectory(directory);
    for (int number = files - 1; number >= 0; --number)
        readFile(opened.get(), number, result);
    return result;
}

} // namespace firstwatch::journal
