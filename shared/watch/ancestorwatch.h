// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "watch/inotify.h"

#include <QObject>

namespace firstwatch::watch {

// Watches the nearest existing ancestor of a directory, so that the directory's coming, going and replacement are
// noticed: a watch on the directory itself stays with the old inode.
class AncestorWatch final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(AncestorWatch)
public:
    AncestorWatch(Inotify &inotify, QByteArray prefix, QByteArray hostPath, QObject *parent = nullptr);

    // Watches the nearest ancestor that exists now; cheap when that has not changed. False with errno when inotify
    // refuses: the owner's slow timer then finds the changes.
    bool arm();

Q_SIGNALS:
    void disturbed(); // look at the directory again

private:
    [[nodiscard]] QByteArray nearest(sys::FileDescriptor &ancestor) const;
    void hear(const Change &change);

    Inotify &m_inotify;
    QByteArray m_prefix;
    QByteArray m_hostPath;
    QByteArray m_child; // the component below the watched ancestor
    int m_watch = -1;
};

} // namespace firstwatch::watch
