// SPDX-License-Identifier: Apache-2.0
#include "watch/witness.h"

#include "sys/failpoint.h"

#include <QFile>

namespace firstwatch::watch {

Witness::Witness(QObject *parent)
    : QObject(parent)
{
}

bool Witness::arm(const QByteArray &path)
{
    disarm();
    auto watcher = std::make_unique<QFileSystemWatcher>();
    if (sys::faultAt("qt.arm") != 0 || !watcher->addPath(QFile::decodeName(path)))
        return false;
    connect(watcher.get(), &QFileSystemWatcher::directoryChanged, this, [this] {
        if (sys::faultAt("qt.signal") == 0)
            Q_EMIT seen();
    });
    m_watcher = std::move(watcher);
    return true;
}

void Witness::disarm()
{
    m_watcher.reset();
}

} // namespace firstwatch::watch
