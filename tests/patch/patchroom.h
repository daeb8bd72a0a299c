// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "eventually.h"
#include "journal/journal.h"
#include "netdir.h"
#include "patch/reconciler.h"
#include "sys/syscalls.h"
#include "watch/directorywatch.h"

#include <QList>
#include <QTemporaryDir>

#include <functional>
#include <memory>

namespace firstwatch::test {

inline const QByteArray config = "10-a.conflist";
inline const QByteArray tmpfs = "/dev/shm";
inline const QByteArray disk = "/tmp";

// FIRSTWATCH_LONG=1 asks for the full figures.
[[nodiscard]] bool isLong();

// One plugin "ours"; more by their types.
[[nodiscard]] patch::PatchOptions optionsOf(const QByteArrayList &types = { "ours" });

// An owner's text that tells its version and whether it is whole: the counter stands at its start and at its end.
[[nodiscard]] QByteArray ownerText(qint64 counter);
// The counter of such a text, with or without our plugin; -1 when it is missing, empty or torn.
[[nodiscard]] qint64 counterOf(const QByteArray &text);
// The text as it should be with our plugins in it.
[[nodiscard]] QByteArray patched(const QByteArray &name, const QByteArray &text, const patch::PatchOptions &options);

// Counts what a journal records.
class Recorder final : public QObject {
    Q_OBJECT
public:
    explicit Recorder(journal::Journal &journal);
    [[nodiscard]] int count(journal::Kind kind, const QByteArray &file = {}) const;
    [[nodiscard]] QList<journal::Event> events(journal::Kind kind) const;

private:
    void keep(const journal::Event &event);
    QList<journal::Event> m_events;
};

// A net dir on one file system, and a reconciler that works on it in passes, without a watch.
class Room {
public:
    explicit Room(const QByteArray &base = tmpfs, const patch::PatchOptions &options = optionsOf());
    ~Room(); // QTemporaryDir cannot remove a name that is not UTF-8
    Room(const Room &) = delete;
    Room &operator=(const Room &) = delete;

    [[nodiscard]] int fd() const { return m_fd.get(); }
    patch::PassResult pass(patch::PassReason reason = patch::PassReason::Poll);
    // Passes, with the event loop in between, until all is patched and nothing is kept any more. False after 20 s.
    bool settles();
    // The same until `good` as well.
    bool settles(const std::function<bool()> &good);
    // What another start would do: all that was remembered is forgotten.
    void restart();
    [[nodiscard]] QList<QByteArray> temporaries() const; // our own names, but the kept originals
    [[nodiscard]] bool hasFinding(int code, const QByteArray &file = {}) const;
    [[nodiscard]] journal::FileWord word(const QByteArray &name) const; // Gone when unknown
    [[nodiscard]] bool isPatchedFrom(const QByteArray &ownersText, const QByteArray &name = config) const;

private:
    QTemporaryDir m_temporary;
    sys::FileDescriptor m_fd;

public:
    patch::PatchOptions options;
    NetDir dir;
    std::unique_ptr<journal::Journal> journal;
    std::unique_ptr<Recorder> recorder;
    std::unique_ptr<patch::Reconciler> reconciler;
};

// The same with a real watch, wired as the service does it.
class WatchedRoom final : public QObject {
    Q_OBJECT
public:
    explicit WatchedRoom(const QByteArray &base = tmpfs, const patch::PatchOptions &options = optionsOf());
    bool start(); // false when there is no first pass within 10 s
    // The periodic pass, as the service makes it.
    patch::PassResult periodicPass();
    [[nodiscard]] bool isAtRest() const { return room.reconciler->isClean() && !room.reconciler->hasDisplaced(); }

    Room room;
    watch::Inotify inotify;
    watch::DirectoryWatch watch;

private:
    void onEvidence();
    bool m_passed = false;
};

// What the watch layer would send; for tests that make their own evidence.
[[nodiscard]] inline watch::Evidence pollingEvidence()
{
    return watch::Polling{ QStringLiteral("a test"), 1000 };
}

// Runs `work` in a forked child that never returns to the caller's frame. Returns the wait status.
[[nodiscard]] int inChild(const std::function<int()> &work);

} // namespace firstwatch::test
