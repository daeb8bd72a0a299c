// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sys/filedescriptor.h"

#include <QByteArray>
#include <QHash>
#include <QObject>
#include <QSocketNotifier>

#include <memory>

namespace firstwatch::watch {

// One record of inotify(7).
struct Change {
    int watch = -1;
    quint32 mask = 0; // IN_*
    quint32 cookie = 0; // joins IN_MOVED_FROM and IN_MOVED_TO
    QByteArray name; // empty: the watched directory itself
};

// The only inotify instance of the process, read in the event loop. All watches share its queue, so that the order of
// what happened is kept, and so that one instance of the user's limit is used.
class Inotify final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Inotify)
public:
    explicit Inotify(QObject *parent = nullptr);

    // True when the instance exists. Called again after a failure, it tries again; errno says why it failed.
    bool open();
    [[nodiscard]] bool isOpen() const { return m_fd.isValid(); }

    // Watches the inode that `directory` holds. Two calls for one inode share a watch: the masks add up, and it is gone
    // after as many calls of remove(). Returns the watch, or -1 with errno.
    [[nodiscard]] int add(int directory, quint32 mask);
    void remove(int watch);
    // Adds bits for a while, or with 0 goes back to those of add(). False with errno.
    bool widen(int directory, int watch, quint32 extra);

    // Delivers now what the kernel has queued. Safe to call from a slot: records arrive in order, once.
    void drain();

Q_SIGNALS:
    void changed(const firstwatch::watch::Change &change);
    void overflowed(); // IN_Q_OVERFLOW: an unknown number of records was lost
    void settled(); // after each batch: everything read so far has been delivered

private:
    bool readBatch();
    void deliver(const char *bytes, size_t size);

    struct Shared {
        int users = 0;
        quint32 mask = 0;
    };

    sys::FileDescriptor m_fd;
    std::unique_ptr<QSocketNotifier> m_notifier;
    QHash<int, Shared> m_watches;
    bool m_draining = false;
};

} // namespace firstwatch::watch
