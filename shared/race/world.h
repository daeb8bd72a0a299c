// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "race/clock.h"
#include "race/schedule.h"

#include <QByteArrayList>

#include <functional>
#include <map>
#include <memory>
#include <optional>

// The net dir of a simulation, and its owners' writes.
namespace firstwatch::race {

struct Inode {
    QByteArray text;
    int writers = 0; // that have it open
    bool isDisplaced = false; // an installer put another one in its place
};
using File = std::shared_ptr<Inode>;

// What inotify(7) says to who watches that directory.
struct Record {
    quint32 mask = 0; // one of IN_*
    QByteArray name;
    int directory = 0;
};

// What a model is told. All are set before anything happens.
struct Ears {
    std::function<bool(const Record &record)> tell; // gives back whether it will act on it
    // An owner has finished what it wrote there; `isTold`: a record of it was taken.
    std::function<void(const QByteArray &name, bool isTold)> changed;
    std::function<void(const QByteArray &name, const File &displaced)> lateClose; // of a displaced file, changed since
    std::function<void(const QByteArray &name)> gone; // an owner took it away
    std::function<void()> directoryChanged; // there is another one, or none
    std::function<void(qint64 spanNs)> overflow;
};

class World {
public:
    World(Clock &clock, const Schedule &schedule);

    void listen(Ears ears) { m_ears = std::move(ears); }
    void play(); // hands every step to the clock
    void answer(const QByteArray &name); // the file was patched: who answers that does so

    [[nodiscard]] int directory() const { return m_directory; } // another number for another one; 0: there is none
    [[nodiscard]] QByteArrayList names() const; // sorted
    [[nodiscard]] File file(const QByteArray &name) const; // null: there is none

    // The ways of an installer. `rename` is an exchange, seen as IN_MOVED_TO; `recreate` unlinks and writes anew, as mv
    // does between file systems. Both tell.
    File exchange(const QByteArray &name, const QByteArray &text); // gives back what was there
    File recreate(const QByteArray &name, const QByteArray &text);
    void remove(const QByteArray &name);

private:
    void schedule(const Step &step, qint64 atNs);
    void happen(const Step &step);
    void write(const Step &step);
    void append(const Step &step, const File &file, int piece);
    void rename(const Step &step);
    void move(const Step &step);
    void unlink(const QByteArray &name);
    void turnDirectory(bool isThere);
    bool tell(quint32 mask, const QByteArray &name);

    Clock &m_clock;
    const Schedule &m_schedule;
    Ears m_ears;
    int m_directory = 1;
    int m_directories = 1; // so far
    std::map<QByteArray, File> m_files;
    std::map<const Step *, int> m_answers; // left
};

} // namespace firstwatch::race
