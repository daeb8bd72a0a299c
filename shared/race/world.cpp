// SPDX-License-Identifier: Apache-2.0
#include "race/world.h"

#include <sys/inotify.h>

namespace firstwatch::race {
namespace {

// The part of the text that is written then; the last one takes the rest.
QByteArray pieceOf(const Step &step, int piece)
{
    const qsizetype size = step.text.value.size() / step.pieces;
    const qsizetype from = size * piece;
    return step.text.value.mid(from, piece + 1 == step.pieces ? -1 : size);
}

} // namespace

World::World(Clock &clock, const Schedule &schedule)
    : m_clock(clock)
    , m_schedule(schedule)
{
}

void World::play()
{
    for (const Step &step : m_schedule.steps) {
        if (step.isAnswer)
            m_answers[&step] = step.times;
        else
            for (int time = 0; time < step.times; ++time)
                schedule(step, step.atNs + time * step.everyNs);
    }
}

void World::answer(const QByteArray &name)
{
    for (auto &[step, left] : m_answers) {
        if (step->file == name && left > 0) {
            --left;
            schedule(*step, m_clock.nowNs() + step->atNs);
        }
    }
}

void World::schedule(const Step &step, qint64 atNs)
{
    m_clock.at(atNs, [this, &step] { happen(step); });
}

void World::happen(const Step &step)
{
    switch (step.what) {
    case Step::What::Write:
    case Step::What::Create:
        return write(step);
    case Step::What::Rename:
        return rename(step);
    case Step::What::Move:
        return move(step);
    case Step::What::Delete:
        return unlink(step.file);
    case Step::What::MakeDir:
        return m_directory == 0 ? turnDirectory(true) : void();
    case Step::What::RemoveDir:
        return m_directory != 0 ? turnDirectory(false) : void();
    case Step::What::ReplaceDir:
        return turnDirectory(true);
    case Step::What::Overflow:
        return m_ears.overflow(step.spanNs);
    }
}

void World::write(const Step &step)
{
    if (m_directory == 0)
        return;
    if (step.what == Step::What::Create)
        unlink(step.file);
    File &file = m_files[step.file];
    const bool isNew = !file;
    if (isNew) {
        file = std::make_shared<Inode>();
        (void)tell(IN_CREATE, step.file);
    } else if (!file->text.isEmpty()) {
        file->text.clear();
        (void)tell(IN_MODIFY, step.file);
    }
    ++file->writers;
    for (int piece = 0; piece < step.pieces; ++piece) {
        if (piece == 0 || step.gapNs == 0)
            append(step, file, piece);
        else
            m_clock.after(piece * step.gapNs, [this, &step, file = file, piece] { append(step, file, piece); });
    }
}

void World::append(const Step &step, const File &file, int piece)
{
    const QByteArray part = pieceOf(step, piece);
    file->text += part;
    // A file that was renamed or displaced is open still, and nobody looks for it under this name.
    const bool isThere = this->file(step.file) == file;
    bool isTold = !part.isEmpty() && isThere && tell(IN_MODIFY, step.file);
    if (piece + 1 < step.pieces)
        return;
    --file->writers;
    if (!isThere)
        return file->isDisplaced ? m_ears.lateClose(step.file, file) : void();
    isTold = tell(IN_CLOSE_WRITE, step.file) || isTold;
    m_ears.changed(step.file, isTold);
}

void World::rename(const Step &step)
{
    if (m_directory == 0)
        return;
    m_files[step.file] = std::make_shared<Inode>(Inode{ step.text.value, 0, false });
    m_ears.changed(step.file, tell(IN_MOVED_TO, step.file));
}

void World::move(const Step &step)
{
    const auto found = m_files.find(step.file);
    if (found == m_files.end() || step.to == step.file)
        return;
    m_files[step.to] = found->second;
    m_files.erase(step.file);
    (void)tell(IN_MOVED_FROM, step.file);
    m_ears.gone(step.file);
    m_ears.changed(step.to, tell(IN_MOVED_TO, step.to));
}

void World::unlink(const QByteArray &name)
{
    if (m_files.erase(name) == 0)
        return;
    (void)tell(IN_DELETE, name);
    m_ears.gone(name);
}

void World::turnDirectory(bool isThere)
{
    const std::map<QByteArray, File> before = std::exchange(m_files, {});
    m_directory = isThere ? ++m_directories : 0;
    for (const auto &[name, file] : before)
        m_ears.gone(name);
    m_ears.directoryChanged();
}

bool World::tell(quint32 mask, const QByteArray &name)
{
    return m_ears.tell({ mask, name, m_directory });
}

QByteArrayList World::names() const
{
    QByteArrayList names;
    for (const auto &[name, file] : m_files)
        names.append(name);
    return names;
}

File World::file(const QByteArray &name) const
{
    const auto found = m_files.find(name);
    return found == m_files.end() ? nullptr : found->second;
}

File World::exchange(const QByteArray &name, const QByteArray &text)
{
    File &place = m_files[name];
    const File before = std::exchange(place, std::make_shared<Inode>(Inode{ text, 0, false }));
    if (before)
        before->isDisplaced = true;
    (void)tell(IN_MOVED_TO, name);
    return before;
}

File World::recreate(const QByteArray &name, const QByteArray &text)
{
    File &place = m_files[name];
    const File before = std::exchange(place, std::make_shared<Inode>(Inode{ text, 0, false }));
    if (before)
        before->isDisplaced = true;
    for (const quint32 mask : { IN_CREATE, IN_MODIFY, IN_CLOSE_WRITE })
        (void)tell(mask, name);
    return before;
}

void World::remove(const QByteArray &name)
{
    if (m_files.erase(name) > 0)
        (void)tell(IN_DELETE, name);
}

} // namespace firstwatch::race
