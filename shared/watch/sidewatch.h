// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "watch/ancestorwatch.h"
#include "watch/inotify.h"

#include <QObject>

namespace firstwatch::watch {

// Watches a directory of minor rank (the token's, the binaries'): no proof, since its owner looks again on a timer
// anyway; but it follows a directory, or a link to one, that is replaced.
class SideWatch final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(SideWatch)
public:
    SideWatch(Inotify &inotify, const QByteArray &prefix, const QByteArray &hostPath, QObject *parent = nullptr);

    // Looks at the path again; cheap when nothing changed. False with errno when it is not watched.
    bool arm();

Q_SIGNALS:
    void changed(); // something happened in the directory, or another one stands there; once for all of a batch

private:
    void hear(const Change &change);

    Inotify &m_inotify;
    QByteArray m_prefix;
    QByteArray m_hostPath;
    AncestorWatch m_ancestors;
    int m_watch = -1;
    bool m_touched = false;
};

} // namespace firstwatch::watch
